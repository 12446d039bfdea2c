internal import MediaModel
internal import Testing

@testable internal import MediaProbe

/// Of a camera raw only a preview is shown, so the marks of one must not hide an image.
@Suite("A TIFF with the marks of a camera raw") struct RawMarkTests {
  enum Raw: String, CaseIterable {
    case dng = "image/x-adobe-dng"
    case nef = "image/x-nikon-nef"
    case arw = "image/x-sony-arw"
    case cr2 = "image/x-canon-cr2"
  }

  private let fixture = TIFFFixture(directories: [])

  /// A directory with pixels in one strip.
  private func image(
    kind: Int? = nil, color: Int? = 2, compression: Int? = 1, data: Int = 273
  ) -> [TIFFFixture.Entry] {
    var entries = [
      fixture.long(256, 640), fixture.long(257, 480), fixture.long(data, 8), fixture.long(data == 273 ? 279 : 325, 16),
    ]
    if let kind { entries.append(fixture.long(254, kind)) }
    if let color { entries.append(fixture.short(262, color)) }
    if let compression { entries.append(fixture.short(259, compression)) }
    return entries
  }

  /// The type of a file of these directories.
  private func type(
    _ raw: Raw, _ first: [TIFFFixture.Entry], pages: [[TIFFFixture.Entry]] = [], below: [TIFFFixture.Entry]? = nil
  ) -> String? {
    var fixture = TIFFFixture(directories: [first] + pages)
    switch raw {
    case .dng: fixture.directories[0].append(fixture.bytes(0xC612, [1, 4, 0, 0], type: 1))
    case .nef: fixture.directories[0].append(fixture.text(0x010F, "NIKON CORPORATION"))
    case .arw: fixture.directories[0].append(fixture.text(0x010F, "SONY"))
    case .cr2: break
    }
    if let below { fixture.children = [(330, below)] }
    var bytes = fixture.encoded
    if raw == .cr2 { bytes = Self.marked(bytes, first: first) }
    return TypeDecider.type(of: ByteReader(bytes))?.rawValue
  }

  /// With the marker of CR2 behind the header. The first directory is written again at the end, where its short values need no other offsets.
  private static func marked(_ bytes: [UInt8], first: [TIFFFixture.Entry]) -> [UInt8] {
    var moved = TIFFFixture(directories: [first]).encoded.dropFirst(8)
    while moved.count % 2 != 0 { moved.append(0) }
    return Array(bytes.prefix(4)) + le32(16) + ascii("CR") + [2, 0] + [0, 0, 0, 0] + moved
  }

  @Test("is a camera raw if its image is sensor data", arguments: Raw.allCases) func raw(raw: Raw) {
    let preview = image(kind: 1, color: 6, compression: 6)
    for sensor in [image(kind: 0, color: 32_803, compression: 7), image(kind: 0, color: 34_892, compression: 7)] {
      #expect(type(raw, preview, below: sensor) == raw.rawValue)
    }
    // Previews as cameras write them: beside the sensor data, some without a mark, and reduced ones in full color.
    for preview in [image(kind: nil, color: 6, compression: 6), image(kind: 1, color: 2)] {
      #expect(
        type(raw, image(kind: 1, color: 6, compression: 6), pages: [preview], below: image(kind: 0, color: 32_803))
          == raw.rawValue)
    }
  }

  @Test("is a camera raw if the sensor data comes first") func sensorFirst() {
    #expect(type(.dng, image(kind: 0, color: 32_803), below: image(kind: 1)) == Raw.dng.rawValue)
    #expect(type(.dng, image(color: 34_892), below: image(kind: 1)) == Raw.dng.rawValue)
    #expect(type(.cr2, image(color: nil, compression: 6)) == Raw.cr2.rawValue)
  }

  @Test("is a TIFF if its first directory is an image", arguments: [Raw.dng, .cr2]) func first(raw: Raw) {
    for first in [
      image(), image(kind: 0), image(color: nil), image(color: 1), image(color: 5), image(color: 6, compression: 7),
      image(color: nil, compression: nil), image(data: 324),
    ] {
      #expect(type(raw, first, below: image(kind: 1, color: 6, compression: 6)) == "image/tiff")
    }
  }

  @Test("is a TIFF if a directory beside or below its preview is an image", arguments: [Raw.dng, .nef, .arw])
  func further(raw: Raw) {
    let preview = image(kind: 1, color: 2)
    #expect(type(raw, preview, below: image(kind: 0)) == "image/tiff")
    #expect(type(raw, preview, below: image(kind: nil)) == "image/tiff")
    #expect(type(raw, preview, pages: [image(kind: 0)], below: image(kind: 0, color: 32_803)) == "image/tiff")
  }

  @Test("is what its other brands and its tracks say, if it is a box-based file with the brand of CR3")
  func canonBrand() {
    func type(_ brands: [String], samples: [String] = []) -> String? {
      let tracks = samples.map { name in
        box("trak", box("mdia", box("minf", box("stbl", fullBox("stsd", be32(1), box(name, [0, 0, 0, 0]))))))
      }
      let bytes = SignatureTests.ftyp("crx ", brands) + box("moov", tracks.flatMap { $0 })
      return TypeDecider.type(of: ByteReader(bytes))?.rawValue
    }
    #expect(type(["crx ", "isom"]) == "image/x-canon-cr3")
    #expect(type(["crx ", "isom"], samples: ["CRAW", "CRAW", "CTMD"]) == "image/x-canon-cr3")
    #expect(type(["crx ", "isom", "avif"]) == "image/avif")
    #expect(type(["mif1", "heic"]) == "image/heic")
    #expect(type(["mif1"]) == "image/heif")
    #expect(type(["crx ", "isom"], samples: ["CRAW", "avc1"]) == "video/mp4")
  }
}
