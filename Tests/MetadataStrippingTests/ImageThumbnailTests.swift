internal import MediaModel
internal import MetadataStripping
internal import TestSupport
internal import Testing

@Suite("Thumbnails in HEIC and AVIF are metadata: they may show what was cut off") struct ImageThumbnailTests {
  private func strip(_ file: [UInt8], _ type: MediaType = .heic) -> [UInt8]? {
    MetadataStripper.stripKeepingAppearance(file, type: type, orientation: nil)
  }

  private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let text = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: text) }
  }

  /// Requires that exactly these items stay, also if stripped again.
  private func expect(_ kept: Set<Int>, of image: SyntheticImage) throws {
    let file = image.bytes
    let result = try #require(strip(file))
    #expect(result.count == file.count)
    #expect(Array(result.suffix(4 * image.items.count)) == image.media { kept.contains($0) })
    #expect(strip(result) == result)
  }

  @Test("the bytes of a thumbnail become zeros, those of the image stay") func fixture() throws {
    let file = try Fixture.bytes("formats/thumbnail.heic")
    let result = try #require(strip(file))
    // Of `iloc`: item 1 has 0x74 bytes at 0x21B, item 2 has 0x27 bytes at 0x28F.
    #expect(result[0x21B..<0x28F] == file[0x21B..<0x28F])
    #expect(file[0x28F..<0x2B6].contains { $0 != 0 })
    #expect(result[0x28F..<0x2B6].allSatisfy { $0 == 0 })
    // The type of item 2, and the reference with its ids.
    #expect(Array(result[0xB2..<0xB6]) == Array("free".utf8))
    #expect(Array(result[0xC3..<0xD1]) == [0, 0, 0, 14] + Array("free".utf8) + [0, 2, 0, 1, 0, 1])
    #expect(!contains(result, "thmb"))
    #expect(strip(result) == result)
  }

  @Test("an AVIF loses its thumbnail, too") func avif() throws {
    let result = try #require(strip(try Fixture.bytes("previews/item.avif"), .avif))
    // Of `iloc`: item 2 has 0x28 bytes at 0x16B.
    #expect(result[0x16B..<0x193].allSatisfy { $0 == 0 })
  }

  @Test("tiles and alpha channel of a thumbnail go with it, those of the image stay", arguments: [2, 4])
  func parts(idBytes: Int) throws {
    let image = SyntheticImage(
      items: [(1, "grid"), (2, "hvc1"), (3, "hvc1"), (4, "grid"), (5, "hvc1"), (6, "hvc1"), (7, "hvc1"), (8, "hvc1")],
      references: [
        ("dimg", 1, [2, 3, 2]), ("auxl", 7, [1]), ("thmb", 4, [1]), ("dimg", 4, [5, 6, 3]), ("auxl", 8, [4]),
      ], idBytes: idBytes)
    try expect([1, 2, 3, 7], of: image)
  }

  @Test("an image from which its thumbnail is derived stays") func derived() throws {
    let image = SyntheticImage(
      items: [(1, "hvc1"), (2, "hvc1"), (3, "iden"), (4, "iden")],
      references: [("thmb", 3, [1]), ("dimg", 3, [1]), ("thmb", 4, [2]), ("dimg", 4, [2])])
    try expect([1, 2], of: image)
  }

  @Test("a thumbnail that is the image, or a part of it, is a contradiction") func contradiction() {
    let items = [(id: 1, type: "grid"), (id: 2, type: "hvc1"), (id: 3, type: "hvc1")]
    #expect(strip(SyntheticImage(items: items, references: [("thmb", 1, [2])]).bytes) == nil)
    #expect(strip(SyntheticImage(items: items, references: [("dimg", 1, [2, 3]), ("thmb", 3, [1])]).bytes) == nil)
    #expect(strip(SyntheticImage(items: items, references: [("dimg", 1, [2, 3])]).bytes) != nil)
    #expect(strip(SyntheticImage(items: items, references: [("dimg", 1, [])]).bytes) == nil)
  }

  @Test("padding among references is a former reference, or the file is not stripped") func padding() {
    let items = [(id: 1, type: "hvc1"), (id: 2, type: "free")]
    let former = SyntheticImage(items: items, references: [("free", 2, [1])]).bytes
    #expect(strip(former) == SyntheticImage(items: items, references: [("free", 2, [1])]).zeroed(2))
    let hidden = SyntheticImage(items: items, references: [("free", 2, [0x4142, 0x4344])]).bytes
    #expect(contains(hidden, "ABCD"))
    #expect(strip(hidden) == nil)
  }
}

extension SyntheticImage {
  /// The file with zeros in place of one item.
  fileprivate func zeroed(_ item: Int) -> [UInt8] {
    let file = bytes
    return Array(file.dropLast(4 * items.count)) + media { $0 != item }
  }
}
