internal import MediaModel
internal import MetadataStripping
internal import Testing

@Suite("A JPEG XL with a preview is not stripped: the preview is in the codestream") struct JPEGXLPreviewTests {
  private func strip(_ file: [UInt8]) -> [UInt8]? {
    MetadataStripper.stripKeepingAppearance(file, type: .jxl, orientation: nil)
  }

  /// A codestream of bits, from the lowest one of each byte, and 16 more of zero.
  private func codestream(_ bits: String) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: bits.utf8.count / 8 + 3)
    for (index, bit) in bits.utf8.enumerated() where bit == 0x31 { bytes[index / 8] |= 1 << UInt8(index % 8) }
    return [0xFF, 0x0A] + bytes
  }

  /// A small size, and one with 9 bits of height, 13 bits of width and no ratio.
  private static let sizes = ["100000100", "000000000000000100000000000000"]

  @Test("fields are read up to the preview", arguments: sizes) func preview(size: String) {
    // Not all defaults, further fields, orientation.
    let fields = "\(size)01000"
    let cases: [(String, Bool)] = [
      ("\(size)1", false), ("\(size)00", false), ("\(fields)00", false), ("\(fields)01", true),
      ("\(fields)1\(Self.sizes[0])0", false), ("\(fields)1\(Self.sizes[0])1", true),
      ("\(fields)1\(Self.sizes[1])0", false), ("\(fields)1\(Self.sizes[1])1", true),
    ]
    for (bits, hasPreview) in cases {
      let file = codestream(bits)
      #expect(strip(file) == (hasPreview ? nil : file), "\(bits)")
    }
  }

  @Test("a codestream that ends before that is damaged") func ended() {
    #expect(strip([0xFF, 0x0A]) == nil)
    #expect(strip([0xFF, 0x0A, 0]) == nil)
  }

  @Test("a codestream in a container is looked at, too, in one box or in parts") func container() {
    for hasPreview in [false, true] {
      let stream = codestream("\(Self.sizes[0])010000\(hasPreview ? 1 : 0)")
      let whole = SyntheticImage.box("jxlc", stream)
      #expect(strip(whole) == (hasPreview ? nil : whole))
      let first = SyntheticImage.box("jxlp", [0, 0, 0, 0] + Array(stream.prefix(3)))
      let last = SyntheticImage.box("jxlp", [0x80, 0, 0, 1] + Array(stream.dropFirst(3)))
      #expect(strip(first + last) == (hasPreview ? nil : first + last))
      // Parts in another order, without an end, and a second codestream.
      let damaged = [last + first, first, first + last + last, whole + whole, whole + last]
      for file in damaged { #expect(strip(file) == nil) }
    }
  }
}
