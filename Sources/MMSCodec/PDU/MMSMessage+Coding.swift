extension MMSMessage {
  /// The message in the octets of a PDU (OMA-TS-MMS-ENC 1.3, WAP-230-WSP).
  ///
  /// Reading takes what real phones and relays write, which is not always what the specification says. Texts and bodies of the
  /// message are slices of the octets: nothing is copied, and the octets stay in memory as long as any slice of them. No memory is
  /// reserved because of a length that the message states.
  /// - Throws: ``MMSDecodingError``, which names the place, for what is no PDU or is cut off among its headers.
  public init(decoding octets: [UInt8]) throws(MMSDecodingError) {
    try self.init(decoding: octets[...])
  }

  /// The message in the octets of a PDU.
  /// - Throws: ``MMSDecodingError``, which names the place, for what is no PDU or is cut off among its headers.
  public init(decoding octets: ArraySlice<UInt8>) throws(MMSDecodingError) {
    var defects: [MMSDefect] = []
    try self.init(decoding: octets, defects: &defects)
  }

  /// The same, and what the message gets wrong, in the order of the octets.
  public init(decoding octets: ArraySlice<UInt8>, defects: inout [MMSDefect]) throws(MMSDecodingError) {
    var decoder = MMSDecoder(octets)
    defer { defects = decoder.defects }
    self = try decoder.message()
  }

  /// The octets of the message: type, transaction and version first, Content-Type last, the other fields in their order between.
  ///
  /// Writing follows the specification. Every value that can be written is read again as the same value, and everything that was
  /// read is written again so that it reads as before. Fields that the specification wants and that are not there do not hinder:
  /// ``missingFields`` tells.
  /// - Throws: ``MMSEncodingError`` for a value that the format cannot carry.
  public func encoded() throws(MMSEncodingError) -> [UInt8] {
    var encoder = MMSEncoder()
    try encoder.message(self)
    return encoder.writer.octets
  }

  /// Header fields of a message that are read; with more it is refused.
  public static let fieldLimit = 5_000
  /// Parts of a multipart that are read; those behind are left out, and a ``MMSDefect`` says so.
  public static let partLimit = 1_000
}
