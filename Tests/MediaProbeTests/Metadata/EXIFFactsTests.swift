internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct EXIFFactsTests {
  private func read(_ fixture: TIFFFixture) -> EXIFFacts? { EXIFFacts(EXIFBlock(fixture.encoded, fileOffset: 100)) }

  private func camera(bigEndian: Bool) -> TIFFFixture {
    var fixture = TIFFFixture(isBigEndian: bigEndian, directories: [[]])
    fixture.directories = [
      [
        fixture.text(0x010E, "A lake"), fixture.text(0x010F, "Maker"), fixture.text(0x0110, "Model 1"),
        fixture.short(0x0112, 6), fixture.text(0x013B, "Somebody"),
      ]
    ]
    fixture.children = [
      (
        0x8769,
        [
          fixture.text(0x9003, "2018:07:25 16:34:23"), fixture.text(0x9011, "+02:00"), fixture.long(0xA002, 4_000),
          fixture.long(0xA003, 3_000),
        ]
      )
    ]
    return fixture
  }

  @Test(arguments: [false, true]) func `Both byte orders are read`(bigEndian: Bool) throws {
    let facts = try #require(read(camera(bigEndian: bigEndian)))
    #expect(facts.make == "Maker")
    #expect(facts.model == "Model 1")
    #expect(facts.imageDescription == "A lake")
    #expect(facts.title == nil)
    #expect(facts.artist == "Somebody")
    #expect(facts.orientation == .right)
    #expect(facts.takenAt?.description == "2018-07-25T16:34:23+02:00")
    #expect(facts.pixelSize == PixelSize(width: 4_000, height: 3_000))
  }

  @Test func `A block may have the JPEG prefix`() throws {
    let block = EXIFBlock(ascii("Exif\0\0") + camera(bigEndian: true).encoded, fileOffset: 100)
    #expect(block.fileOffset == 106)
    #expect(try #require(EXIFFacts(block)).make == "Maker")
  }

  @Test func `Digitized replaces original with its own offset`() throws {
    var fixture = TIFFFixture(directories: [[]])
    fixture.children = [
      (
        0x8769,
        [
          fixture.text(0x9003, "0000:00:00 00:00:00"), fixture.text(0x9004, "2020:01:02 03:04:05"),
          fixture.text(0x9011, "+09:00"), fixture.text(0x9012, "-03:30"),
        ]
      )
    ]
    #expect(read(fixture)?.takenAt?.description == "2020-01-02T03:04:05-03:30")
  }

  @Test func `The modification time is no capture time`() throws {
    var fixture = TIFFFixture(directories: [[]])
    fixture.directories = [[fixture.text(0x0132, "2020:01:02 03:04:05"), fixture.text(0x9010, "+01:00")]]
    let facts = try #require(read(fixture))
    #expect(facts.takenAt == nil)
  }

  @Test(arguments: [0, 9, 65_535]) func `Orientations out of range are absent`(value: Int) throws {
    var fixture = TIFFFixture(directories: [[]])
    fixture.directories = [[fixture.short(0x0112, value), fixture.text(0x010F, "M")]]
    let facts = try #require(read(fixture))
    #expect(facts.orientation == nil)
    #expect(facts.make == "M")
  }

  @Test func `A name ends at its first NUL`() throws {
    var fixture = TIFFFixture(directories: [[]])
    fixture.directories = [
      [fixture.bytes(0x010F, ascii("Maker\0rubbish\u{1}"), type: 2), fixture.text(0x0110, "  \0")]
    ]
    let facts = try #require(read(fixture))
    #expect(facts.make == "Maker")
    #expect(facts.model == nil)
  }

  @Test func `Windows text is read`() throws {
    var fixture = TIFFFixture(directories: [[]])
    fixture.directories = [[fixture.bytes(0x9C9B, [0x53, 0, 0xE9, 0, 0x65, 0, 0, 0], type: 1)]]
    #expect(read(fixture)?.title == "Sée")
  }

  @Test func `The thumbnail is measured by its own header`() throws {
    let image = JPEGFixture(size: (160, 120)).encoded
    var fixture = TIFFFixture(directories: [[], []])
    fixture.directories = [
      [fixture.text(0x010F, "Maker")], [fixture.long(0x0201, 0), fixture.long(0x0202, image.count)],
    ]
    fixture.data = image
    fixture.directories[1][0] = fixture.long(0x0201, fixture.dataOffset)
    let thumbnail = try #require(read(fixture)?.thumbnail)
    #expect(
      thumbnail
        == MediaInfo.EmbeddedThumbnail(width: 160, height: 120, bytes: image.count, offset: 100 + fixture.dataOffset))

    // Without its end it cannot be taken out.
    fixture.directories[1][1] = fixture.long(0x0202, image.count - 1)
    #expect(read(fixture)?.thumbnail?.width == 160)
    #expect(read(fixture)?.thumbnail?.offset == nil)

    // One byte longer than the block, and no JPEG at all.
    fixture.directories[1][1] = fixture.long(0x0202, image.count + 1)
    #expect(read(fixture)?.thumbnail == nil)
    fixture.directories[1] = [fixture.long(0x0201, 8), fixture.long(0x0202, 20)]
    #expect(read(fixture)?.thumbnail == nil)
  }

  @Test func `A lossless thumbnail is ignored`() {
    var image = JPEGFixture(size: (160, 120))
    image.marker = 0xC3
    var fixture = TIFFFixture(directories: [[], []])
    fixture.data = image.encoded
    fixture.directories = [[], [fixture.long(0x0201, 0), fixture.long(0x0202, fixture.data.count)]]
    fixture.directories[0] = [fixture.text(0x010F, "Maker")]
    fixture.directories[1][0] = fixture.long(0x0201, fixture.dataOffset)
    #expect(read(fixture) != nil)
    #expect(read(fixture)?.thumbnail == nil)
  }
}
