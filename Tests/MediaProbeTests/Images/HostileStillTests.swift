internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaProbe

/// Whatever the bytes are, the readers end, trap nowhere and read little. A trap ends the test run: the last line printed
/// names the format and the seeds, from which the same bytes come again.
@Suite struct HostileStillTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let type: MediaType
    let bytes: [UInt8]
    var testDescription: String { "\(type)" }
  }

  @Test(arguments: samples) func `Reading any prefix of a file ends`(sample: Sample) {
    let step = max(1, sample.bytes.count / 500)
    for length in stride(from: 0, to: sample.bytes.count, by: step) {
      let info = facts(Array(sample.bytes.prefix(length)), sample.type, seed: length)
      #expect(info.bytes == length)
    }
  }

  @Test(arguments: samples) func `Reading a mutated file ends`(sample: Sample) {
    let seeds = 0..<1_500
    print("changing \(sample.type), seeds \(seeds)")
    for seed in seeds {
      var random = SeededGenerator(seed: UInt64(seed))
      _ = facts(mutated(sample.bytes, &random), sample.type, seed: seed)
    }
  }

  /// Every reader looks at every other format's bytes too: a type is a claim of the signature alone.
  @Test func `Every reader survives every format`() {
    for sample in Self.samples {
      for other in Self.samples { _ = facts(sample.bytes, other.type, seed: 0) }
    }
  }

  private func facts(_ bytes: [UInt8], _ type: MediaType, seed: Int) -> MediaInfo {
    var loaded = 0
    let reader = ByteReader(count: bytes.count) { (offset, count) throws(MediaFailure) in
      let part = Array(bytes[min(offset, bytes.count)..<min(bytes.count, offset + count)])
      loaded += part.count
      return part
    }
    let info = stillFacts(reader, as: type)
    #expect(loaded <= 16 * bytes.count, "\(type), seed \(seed): \(loaded) bytes read of \(bytes.count)")
    #expect(info.width ?? 1 > 0, "\(type), seed \(seed)")
    #expect(info.height ?? 1 > 0, "\(type), seed \(seed)")
    #expect(info.latitude.map { abs($0) <= 90 } ?? true, "\(type), seed \(seed)")
    for text in [info.make, info.model, info.title, info.artist, info.colorProfile] {
      #expect(text.map { $0.count <= 1_024 && !$0.isEmpty } ?? true, "\(type), seed \(seed)")
    }
    if let thumbnail = info.embeddedThumbnail, let offset = thumbnail.offset {
      #expect(offset >= 0, "\(type), seed \(seed)")
      #expect(offset + thumbnail.bytes <= bytes.count, "\(type), seed \(seed)")
    }
    return info
  }

  /// A few changes of the kinds that find faults: bits, extreme numbers, cuts, repetitions, swaps.
  private func mutated(_ original: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = original
    for _ in 0...random.below(4) {
      guard !bytes.isEmpty else { return bytes }
      // Heads are where the numbers stand.
      let at = random.below(random.below(3) == 0 ? bytes.count : min(bytes.count, 256))
      switch random.below(7) {
      case 0: bytes[at] ^= 1 << UInt8(random.below(8))
      case 1: bytes[at] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF][random.below(6)]
      case 2, 3:
        let number = [0, 1, 7, 0xFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFF0][random.below(9)]
        let width = [2, 4, 4, 8][random.below(4)]
        let text = random.below(2) == 0 ? be64(number) : le32(number) + le32(number)
        for (index, byte) in text.suffix(width).enumerated() where at + index < bytes.count { bytes[at + index] = byte }
      case 4: bytes.removeSubrange(at..<min(bytes.count, at + 1 + random.below(16)))
      case 5: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 1 + random.below(64))], at: at)
      default: bytes.swapAt(at, random.below(bytes.count))
      }
    }
    return bytes
  }

  /// One file of each format with as much in it as its reader looks at.
  static let samples: [Sample] = {
    let thumbnail = JPEGFixture(size: (16, 12)).encoded
    var tiff = TIFFFixture(directories: [[], []], data: thumbnail)
    tiff.directories = [
      [
        tiff.short(256, 40), tiff.short(257, 30), tiff.text(0x010F, "Maker"), tiff.short(0x0112, 6),
        tiff.long(273, 8), tiff.long(279, 10), tiff.short(338, 1),
      ], [tiff.long(0x0201, 0), tiff.long(0x0202, thumbnail.count)],
    ]
    tiff.children = [
      (0x8769, [tiff.text(0x9003, "2018:07:25 16:34:23"), tiff.text(0x9011, "+02:00")]),
      (
        0x8825,
        [
          tiff.text(1, "N"), tiff.rational(2, (39, 1), (6, 1), (54, 1)), tiff.text(3, "W"),
          tiff.rational(4, (108, 1), (24, 1), (3, 1)), tiff.rational(6, (37, 1)),
        ]
      ), (330, [tiff.short(256, 400), tiff.short(257, 300), tiff.long(254, 0)]),
    ]
    tiff.directories[1][0] = tiff.long(0x0201, tiff.dataOffset)
    let exif = tiff.encoded
    let packet = xmpPacket(
      attributes: "tiff:Model=\"M\" hdrgm:Version=\"1.0\" GCamera:MicroVideo=\"1\" GCamera:MicroVideoOffset=\"40\"",
      elements: "<dc:title><rdf:Alt><rdf:li>A &amp; B</rdf:li></rdf:Alt></dc:title>")
    let profile = ICCProfileTests.profile([
      ("desc", ICCProfileTests.description4([("de", "Eins"), ("en", "One")])),
      ("cicp", joined(ascii("cicp"), be32(0), [9, 16, 0, 1])),
    ])
    let jpeg = JPEGFixture(
      segments: [
        JPEGFixture.exif(exif), JPEGFixture.xmp(packet), (0xE2, joined(ascii("ICC_PROFILE\0"), [1, 1], profile)),
        (0xE2, ascii("MPF\0") + exif),
      ], trailer: box("ftyp", [UInt8](repeating: 0, count: 32))
    ).encoded
    let png = pngFixture([
      ("IHDR", pngHeader(40, 30)), ("acTL", be32(2) + be32(0)), ("tEXt", ascii("Title\0A lake")), ("eXIf", exif),
      ("iTXt", joined(ascii("XML:com.adobe.xmp\0"), [0, 0, 0, 0], ascii(packet))),
      ("fcTL", pngFrame(0, delay: 1, unit: 10)),
      ("IDAT", [1, 2, 3]), ("fcTL", pngFrame(1, delay: 1, unit: 10)), ("fdAT", [1, 2, 3]), ("IEND", []),
    ])
    let frame: [UInt8] = joined([0x2C], le16(0), le16(0), le16(8), le16(6), [0, 2, 2, 0x44, 1, 1, 0xFF, 0])
    let gif = joined(
      ascii("GIF89a"), le16(8), le16(6), [0x80, 0, 0, 0, 0, 0, 9, 9, 9], [0x21, 0xF9, 4, 1, 5, 0, 0, 0], frame,
      [0x21, 0xF9, 4, 1, 5, 0, 0, 0], frame, [0x3B])
    let vp8 = joined(ascii("VP8 "), le32(10), [0, 0, 0, 0x9D, 0x01, 0x2A], le16(33), le16(22))
    let chunks = joined(
      ascii("VP8X"), le32(10), [0x2E, 0, 0, 0, 32, 0, 0, 21, 0, 0], ascii("ANMF"), le32(34),
      [UInt8](repeating: 1, count: 16), vp8,
      ascii("EXIF"), le32(exif.count), exif)
    let webp = joined(ascii("RIFF"), le32(chunks.count + 4), ascii("WEBP"), chunks)
    var heif = HEIFFixture(
      items: [
        .init(type: "grid", properties: [1, 2, 3], data: joined([0, 0, 0, 0], be16(40), be16(30)), construction: 1),
        .init(properties: [1, 4], data: [1, 2, 3]), .init(properties: [1, 5], data: [1]),
        .init(type: "Exif", data: be32(0) + exif),
        .init(type: "mime", contentType: "application/rdf+xml", data: ascii(packet)),
        .init(properties: [6], data: [1, 2]),
      ],
      properties: [
        HEIFFixture.size(40, 30), box("irot", [1]),
        box("clap", [20, 1, 20, 1, 0, 1, 0, 1].flatMap(be32)), HEIFFixture.colour(transfer: 13),
        HEIFFixture.auxiliary("urn:mpeg:hevc:2015:auxid:1"), HEIFFixture.size(8, 6),
      ])
    heif.references = [("dimg", 1, [2]), ("auxl", 3, [1]), ("cdsc", 4, [1]), ("cdsc", 5, [1]), ("thmb", 6, [1])]
    let bmp = joined(
      ascii("BM"), le32(0), le32(0), le32(138), le32(124), le32(2), le32(2), le16(1), le16(32), le32(3),
      [UInt8](repeating: 0xFF, count: 104), [UInt8](repeating: 0, count: 16))
    let ico = joined(
      le16(0), le16(1), le16(1), [2, 2, 0, 0], le16(1), le16(32), le32(56), le32(22), le32(40), le32(2), le32(4),
      le16(1), le16(32),
      [UInt8](repeating: 0, count: 48))
    let jp2 = joined(
      box("jP  ", [0x0D, 0x0A, 0x87, 0x0A]),
      box(
        "jp2h", box("ihdr", be32(20), be32(40), be16(4), [7, 7, 0, 0]), box("colr", [2, 0, 0], profile),
        box("cdef", be16(1), be16(3), be16(1), be16(0))),
      box("uuid", ascii("JpgTiffExif->JP2"), exif),
      box("jp2c", [0xFF, 0x4F, 0xFF, 0x51, 0, 41, 0, 0], be32(40), be32(20), be32(0), be32(0), [0xFF, 0xD9]))
    let jxl = joined(
      box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]), box("Exif", be32(0), exif), box("xml ", ascii(packet)),
      box(
        "jxlc", [0xFF, 0x0A, 0xFA, 0x7F, 0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0],
        [UInt8](repeating: 0x5A, count: 60)))
    let psd = joined(
      ascii("8BPS"), be16(1), [0, 0, 0, 0, 0, 0], be16(4), be32(30), be32(40), be16(8), be16(3), be32(0),
      be32(exif.count + 12),
      ascii("8BIM"), be16(1_058), [0, 0], be32(exif.count), exif)
    let files: [(String, [UInt8])] = [
      ("image/jpeg", jpeg), ("image/png", png), ("image/gif", gif), ("image/webp", webp), ("image/heic", heif.encoded),
      ("image/tiff", exif), ("image/x-adobe-dng", exif), ("image/bmp", bmp), ("image/vnd.microsoft.icon", ico),
      ("image/jp2", jp2),
      ("image/jxl", jxl), ("image/vnd.adobe.photoshop", psd),
      ("image/x-canon-cr3", VendorRaw.cr3()), ("image/x-fuji-raf", VendorRaw.raf()),
      ("image/x-panasonic-rw2", VendorRaw.rw2()), ("image/jpx", jp2),
      ("image/x-qoi", joined(ascii("qoif"), be32(4), be32(3), [4, 0], be64(1))),
      (
        "image/x-tga",
        joined([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0], le16(2), le16(2), [24, 8], [UInt8](repeating: 0, count: 12))
      ),
      ("image/vnd.wap.wbmp", [0, 0, 0x81, 0, 2] + [UInt8](repeating: 0, count: 32)),
      (
        "image/svg+xml",
        ascii(
          "<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY a 'b'>]><svg style='width:5in' height='4mm' viewBox='0 0 1 2'/>"
        )
      ),
    ]
    return files.map { Sample(type: MediaType($0.0), bytes: $0.1) }
  }()

  /// The samples are worth changing only as long as they are read to their last facts.
  @Test func `The samples are whole`() throws {
    for sample in Self.samples {
      let info = stillFacts(sample.bytes, as: sample.type)
      #expect(info.width != nil, "\(sample.type)")
      if sample.bytes.count > 700 { #expect(info.make == "Maker", "\(sample.type)") }
    }
    let photo = stillFacts(Self.samples[0].bytes, as: .jpeg)
    #expect(photo.error == nil)
    #expect(photo.latitude != nil)
    #expect(photo.title == "A & B")
    #expect(photo.colorProfile == "One")
    #expect(photo.embeddedThumbnail != nil)
    #expect(photo.motionPhoto == true)
    #expect(photo.hdr == .pq)
  }
}
