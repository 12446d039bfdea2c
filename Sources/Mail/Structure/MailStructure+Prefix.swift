internal import Encodings

extension MailStructure.Part {
  /// The number of octets of the encoded body to fetch for the first octets of the content: with `BODY.PEEK[2]<0.N>`, and then
  /// ``MailPartDecoder``.
  ///
  /// The first 16 KiB of an image are enough for a prober to find its size and orientation in most photos.
  /// - Parameter count: Octets of the content. 16 KiB by default.
  /// - Returns: At most ``octets``, if the server stated it.
  public func encodedOctets(forDecoded count: Int = 16_384) -> Int {
    let count = min(max(0, count), 1 << 40)
    let encoded =
      switch transferEncoding {
      // Lines of 76 characters and a line break; shorter lines need more, and a prober takes what is there.
      case .base64: (count + 2) / 3 * 4 * 78 / 76 + 78
      case .quotedPrintable: count * 3
      case nil: isTextEncoded ? count * 4 / 3 * 62 / 60 + 256 : count
      }
    return octets > 0 ? min(octets, encoded) : encoded
  }
}
