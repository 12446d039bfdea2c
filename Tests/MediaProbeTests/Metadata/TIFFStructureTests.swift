internal import Testing

@testable internal import MediaProbe

/// Directories that lie about themselves end the reading, never the program.
@Suite struct TIFFStructureTests {
  @Test func `A cyclic chain is counted once`() throws {
    var fixture = TIFFFixture(directories: [[], []])
    fixture.directories = [[fixture.short(256, 1)], [fixture.short(256, 2)]]
    var bytes = fixture.encoded
    // The second directory's pointer to the next one, its last four bytes.
    bytes.replaceSubrange(bytes.count - 4..<bytes.count, with: le32(8))
    let chain = try #require(TIFFStructure(ByteReader(bytes))).chain()
    #expect(chain.offsets.count == 2)
    #expect(chain.end == .loop)
  }

  @Test func `A chain that leaves the file is truncated`() throws {
    var fixture = TIFFFixture(directories: [[]])
    fixture.directories = [[fixture.short(256, 1)]]
    var bytes = fixture.encoded
    bytes.replaceSubrange(bytes.count - 4..<bytes.count, with: le32(1_000_000))
    let chain = try #require(TIFFStructure(ByteReader(bytes))).chain()
    #expect(chain.offsets == [8])
    #expect(chain.end == .cut)
  }

  @Test func `A huge count has no value`() throws {
    var fixture = TIFFFixture(directories: [[]])
    fixture.directories = [
      [
        TIFFFixture.Entry(tag: 0x8827, type: 3, count: 0xFFFF_FFFF, value: le32(26)),
        TIFFFixture.Entry(tag: 0x8828, type: 12, count: 0xFFFF_FFFF, value: le32(0xFFFF_FFFF)),
        TIFFFixture.Entry(tag: 0x010F, type: 2, count: 0x7FFF_FFFF, value: le32(8)), fixture.short(0x0112, 3),
      ]
    ]
    let structure = try #require(TIFFStructure(ByteReader(fixture.encoded)))
    let directory = try #require(structure.directory(at: 8))
    #expect(directory.entry(0x8827) == nil)
    #expect(directory.entry(0x8828) == nil)
    #expect(directory.text(0x010F) == nil)
    #expect(directory.integer(0x0112) == 3)
  }

  @Test func `A truncated directory keeps its first entries`() throws {
    var fixture = TIFFFixture(directories: [[]])
    fixture.directories = [[fixture.short(256, 7), fixture.short(257, 8), fixture.short(258, 9)]]
    let bytes = Array(fixture.encoded.prefix(8 + 2 + 24 + 5))
    let directory = try #require(TIFFStructure(ByteReader(bytes))?.directory(at: 8))
    #expect(directory.entries.map(\.tag) == [256, 257])
    #expect(directory.next == nil)
  }

  @Test func `Undefined types are skipped`() throws {
    let fixture = TIFFFixture(directories: [[TIFFFixture.Entry(tag: 256, type: 0, count: 1, value: le32(5))]])
    #expect(try #require(TIFFStructure(ByteReader(fixture.encoded))?.directory(at: 8)).entries.isEmpty)
  }

  @Test(arguments: [false, true]) func `Big TIFF is read`(bigEndian: Bool) throws {
    var fixture = TIFFFixture(isBigEndian: bigEndian, isBig: true, directories: [[], []])
    fixture.directories = [[fixture.long(256, 70_000), fixture.text(0x010F, "Long enough")], [fixture.short(256, 2)]]
    let structure = try #require(TIFFStructure(ByteReader(fixture.encoded)))
    let directory = try #require(structure.directory(at: structure.firstDirectory))
    #expect(directory.integer(256) == 70_000)
    #expect(directory.text(0x010F) == "Long enough")
    #expect(structure.chain().offsets.count == 2)
  }

  @Test func `Numbers of every kind are read`() throws {
    var fixture = TIFFFixture(directories: [[]])
    fixture.directories = [
      [
        fixture.bytes(1, [0xFE], type: 6), TIFFFixture.Entry(tag: 2, type: 8, count: 1, value: le16(-2)),
        TIFFFixture.Entry(tag: 3, type: 9, count: 1, value: le32(-3)),
        TIFFFixture.Entry(tag: 4, type: 10, count: 1, value: le32(-1) + le32(4)),
        TIFFFixture.Entry(tag: 5, type: 11, count: 1, value: le32(Int(Float(1.5).bitPattern))),
        TIFFFixture.Entry(tag: 6, type: 12, count: 1, value: be64(Int(Double(2.5).bitPattern)).reversed()),
        TIFFFixture.Entry(tag: 7, type: 12, count: 1, value: be64(Int(Double.infinity.bitPattern)).reversed()),
        fixture.rational(8, (1, 0)),
      ]
    ]
    let directory = try #require(TIFFStructure(ByteReader(fixture.encoded))?.directory(at: 8))
    #expect(directory.integer(1) == -2)
    #expect(directory.integer(2) == -2)
    #expect(directory.integer(3) == -3)
    #expect(directory.number(4) == -0.25)
    #expect(directory.number(5) == 1.5)
    #expect(directory.number(6) == 2.5)
    #expect(directory.number(7) == nil)
    #expect(directory.number(8) == nil)
  }
}
