/// The segments of a JPEG stream (ISO/IEC 10918-1, annex B) whose place in a file must not change, such as that of a strip of a TIFF.
enum JPEGSegments {
  /// Overwrites comments and application data: such a segment becomes a comment of zeros. Those of JFIF and Adobe, which define the colors, keep what decoders read.
  /// Bytes after the end of the image become zeros.
  /// - Parameters:
  ///   - file: The bytes that are read.
  ///   - range: Those of the stream.
  ///   - copy: The bytes that are overwritten, as long as `file`.
  /// - Returns: Whether the stream is whole.
  static func overwrite(_ file: [UInt8], _ range: Range<Int>, in copy: inout [UInt8]) -> Bool {
    let end = range.upperBound
    guard range.count >= 4, file[range.lowerBound] == 0xFF, file[range.lowerBound + 1] == 0xD8 else { return false }
    var at = range.lowerBound + 2
    var isCoded = false
    while at + 1 < end {
      guard file[at] == 0xFF else {
        guard isCoded else { return false }
        at += 1
        continue
      }
      let marker = file[at + 1]
      switch marker {
      case 0xFF: at += 1
      case 0x00, 0x01, 0xD0...0xD7:
        guard isCoded else { return false }
        at += 2
      case 0xD9:
        for index in (at + 2)..<end { copy[index] = 0 }
        return true
      default:
        guard at + 4 <= end, marker != 0xD8 else { return false }
        let length = Int(file[at + 2]) << 8 | Int(file[at + 3])
        guard length >= 2, length <= end - at - 2 else { return false }
        let body = (at + 4)..<(at + 2 + length)
        let kept = decoderBytes(marker, file[body])
        if kept == 0, isMetadata(marker) { copy[at + 1] = 0xFE }
        if isMetadata(marker) { for index in body.dropFirst(kept) { copy[index] = 0 } }
        isCoded = marker == 0xDA
        at = body.upperBound
      }
    }
    return false
  }

  /// Whether a segment is a comment, application data or an extension.
  private static func isMetadata(_ marker: UInt8) -> Bool { (0xE0...0xFE).contains(marker) }

  /// The number of bytes at the start of a segment of JFIF (ISO/IEC 10918-5, 10.1) or Adobe that decoders read: all but the thumbnail.
  private static func decoderBytes(_ marker: UInt8, _ body: ArraySlice<UInt8>) -> Int {
    switch marker {
    case 0xE0: body.count >= 14 && body.starts(with: Array("JFIF\0".utf8)) ? 12 : 0
    case 0xEE: body.count >= 12 && body.starts(with: Array("Adobe".utf8)) ? 12 : 0
    default: 0
    }
  }
}
