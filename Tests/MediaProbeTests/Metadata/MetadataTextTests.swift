internal import Testing

@testable internal import MediaProbe

@Suite struct MetadataTextTests {
  @Test(arguments: [
    ([0x4E, 0x69, 0x6B, 0x6F, 0x6E, 0, 0x78] as [UInt8], "Nikon" as String?),
    ([0x20, 0x41, 0x20, 0x20, 0x42, 0x20], "A  B"),
    ([0xC3, 0xA9], "é"), ([0xE9, 0x41], "éA"), ([0x41, 0x0A, 0x42, 0x07, 0x1B], "A B"), ([0, 0x41], nil),
    ([0x20, 0x09], nil),
    ([], nil),
  ])
  func `Bytes become one line`(bytes: [UInt8], wanted: String?) { #expect(MetadataText.clean(bytes) == wanted) }

  @Test func `Bidirectional controls are dropped`() {
    #expect(MetadataText.clean("photo\u{202E}gpj.exe\u{2066}\u{FEFF}") == "photogpj.exe")
  }

  @Test func `Long texts are cut and stay UTF-8`() {
    #expect(MetadataText.clean(ascii(String(repeating: "x", count: 5_000)))?.count == 1_024)
    // A cut in the middle of a character does not turn the rest into Latin-1.
    for padding in 0..<4 {
      let text = String(repeating: "a", count: padding) + String(repeating: "✓", count: 3_000)
      let cut = MetadataText.clean(ascii(text))
      #expect(cut == String(text.prefix(1_024)))
    }
  }

  @Test func `UTF-16 ends at its NUL and tolerates lone surrogates`() {
    #expect(MetadataText.cleanUTF16([0, 0x41, 0, 0x42, 0, 0, 0, 0x43], bigEndian: true) == "AB")
    #expect(MetadataText.cleanUTF16([0x41, 0, 0x3D, 0xD8], bigEndian: false) == "A\u{FFFD}")
    #expect(MetadataText.cleanUTF16([0x41], bigEndian: false) == nil)
  }

  @Test func `Inflation ends at its limit`() throws {
    // A thousand zeros in a stored block: two bytes of header, one block, no checksum.
    let stored = joined([0x78, 0x01, 0x01], le16(1_000), le16(~1_000), Array(repeating: 0x41, count: 1_000))
    #expect(inflated(stored, limit: 1 << 16)?.count == 1_000)
    #expect(inflated(stored, limit: 10) == Array(repeating: 0x41, count: 10))
    #expect(inflated(Array(stored.prefix(107)), limit: 1 << 16)?.count == 100)
    #expect(inflated([0, 1, 2], limit: 10) == nil)
    #expect(inflated([], limit: 10) == nil)
  }
}
