internal import MediaModel
internal import MetadataStripping
internal import TestSupport
internal import Testing

@Suite("Metadata of images in containers: WebP, HEIC, AVIF, JPEG XL") struct ImageContainerTests {
  private func type(of name: String) -> MediaType {
    if name.hasSuffix("webp") { return .webp }
    if name.hasSuffix("avif") { return .avif }
    return name.hasSuffix("jxl") ? .jxl : .heic
  }

  private func strip(_ file: [UInt8], _ type: MediaType, _ orientation: MediaInfo.Orientation? = nil) -> [UInt8]? {
    MetadataStripper.stripKeepingAppearance(file, type: type, orientation: orientation)
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: part) }
  }

  private func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    let size = (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) }
    let padding = [UInt8](repeating: 0, count: body.count % 2)
    return Array(name.utf8) + size + body + padding
  }

  /// A WebP with chunks added behind its last one.
  private func adding(_ chunks: [UInt8], to file: [UInt8]) -> [UInt8] {
    var result = file + chunks
    for index in 0..<4 { result[4 + index] = UInt8(truncatingIfNeeded: (result.count - 8) >> (8 * index)) }
    return result
  }

  @Test(
    "a WebP keeps pixels and animation, and no other chunk",
    arguments: [
      "camera-roll/sticker.webp", "formats/lossy.webp", "formats/lossless.webp", "animated/disc.webp",
      "previews/exif.webp",
    ]) func webp(name: String) throws
  {
    let file = try Fixture.bytes(name)
    let marked = adding(chunk("XMP ", Array("<x:xmpmeta>secret".utf8)) + chunk("note", Array("secret".utf8)), to: file)
    let result = try #require(strip(marked, .webp))
    for name in ["EXIF", "XMP ", "note", "secret"] { #expect(!contains(result, Array(name.utf8)), "\(name)") }
    for name in ["VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF"] {
      #expect(contains(result, Array(name.utf8)) == contains(file, Array(name.utf8)), "\(name)")
    }
    // Of the announced features, Exif and XMP are gone.
    #expect(result[20] & 0b1100 == 0)
    #expect(Array(result[4..<8]) == (0..<4).map { UInt8(truncatingIfNeeded: (result.count - 8) >> (8 * $0)) })
    #expect(strip(result, .webp) == result)
  }

  @Test("a WebP that is turned keeps its orientation and no other Exif tag", arguments: [6, 8, 2])
  func orientation(value: Int) throws {
    let orientation = try #require(MediaInfo.Orientation(rawValue: value))
    let result = try #require(strip(try Fixture.bytes("orientation/webp-6.webp"), .webp, orientation))
    let exif: [UInt8] = [
      0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(value), 0, 0, 0, 0, 0, 0,
    ]
    #expect(Array(result.suffix(34)) == chunk("EXIF", exif))
    #expect(result[20] & 0b1000 != 0)
    #expect(strip(result, .webp, orientation) == result)
  }

  @Test("a WebP without announced features that is turned is not stripped: it would look different") func simple() {
    let header = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP".utf8)
    let file = adding([], to: header + chunk("VP8L", [0x2F, 0, 0, 0]))
    #expect(strip(file, .webp) == file)
    #expect(strip(file, .webp, .right) == nil)
  }

  @Test("bytes behind a WebP, and chunks within its frames that are not pixels, are dropped") func hidden() throws {
    let file = try Fixture.bytes("animated/disc.webp")
    let result = try #require(strip(file + Array("secret".utf8), .webp))
    #expect(result == strip(file, .webp))
    // VP8X, ANIM, then the first frame: its size is at 48.
    let size = Int(file[48]) | Int(file[49]) << 8
    let end = 52 + size
    let frame = Array(file[52..<end]) + chunk("note", Array("secret".utf8))
    let marked = adding([], to: Array(file[..<44]) + chunk("ANMF", frame) + Array(file[end...]))
    #expect(strip(marked, .webp) == result)
  }

  @Test("a WebP with image data that no viewer shows is not stripped") func unshown() throws {
    let header = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP".utf8)
    let (lossy, lossless) = (chunk("VP8 ", [1, 2]), chunk("VP8L", [0x2F, 0]))
    let (alpha, timing) = (chunk("ALPH", [0, 0]), chunk("ANIM", [0, 0, 0, 0, 0, 0]))
    func frame(_ chunks: [[UInt8]]) -> [UInt8] {
      chunk("ANMF", [UInt8](repeating: 0, count: 16) + chunks.flatMap { $0 })
    }
    /// A file with a set of features, 0x02 for an animation.
    func file(_ features: UInt8, _ chunks: [[UInt8]]) -> [UInt8] {
      adding(chunk("VP8X", [features] + [UInt8](repeating: 0, count: 9)) + chunks.flatMap { $0 }, to: header)
    }
    let shown = [
      file(0x10, [alpha, lossy]), file(0, [lossless]), file(0x02, [timing, frame([lossy])]),
      file(0x12, [timing, frame([alpha, lossy]), frame([lossless])]),
    ]
    for file in shown { #expect(strip(file, .webp) == file) }
    let unshown = [
      file(0, [lossy, lossy]), file(0, [lossless, lossy]), file(0x10, [alpha, alpha, lossy]),
      file(0x10, [lossy, alpha]), file(0x10, [alpha, lossless]), file(0, [lossy, frame([lossy])]),
      file(0, [timing, lossy]), file(0x10, [alpha]), file(0x02, [timing, frame([lossy]), lossy]),
      file(0x02, [timing, timing, frame([lossy])]), file(0x02, [timing]),
      file(0x02, [timing, frame([lossy, lossless])]), file(0x02, [timing, frame([alpha])]),
    ]
    for (index, file) in unshown.enumerated() { #expect(strip(file, .webp) == nil, "file \(index)") }
  }

  @Test(
    "HEIC and AVIF keep length, images and offsets; Exif becomes an empty directory",
    arguments: [
      "camera-roll/IMG_0006.heic", "camera-roll/IMG_0007.avif", "previews/exif.heic", "previews/exif.avif",
      "orientation/heic-irot-exif-6.heic", "color/display-p3.heic", "formats/collection.heic",
      "formats/thumbnail.heic", "formats/picture.avif", "hdr/pq.avif",
    ]) func heif(name: String) throws
  {
    let file = try Fixture.bytes(name)
    let result = try #require(strip(file, type(of: name)))
    #expect(result.count == file.count)
    for text in ["Kestrel", "Maker", "GPS", "2024:", "<x:xmpmeta"] {
      #expect(!contains(result, Array(text.utf8)), "\(text)")
    }
    #expect(strip(result, type(of: name)) == result)
    if contains(file, Array("Exif".utf8) + [0]) {
      #expect(contains(result, [0, 0, 0, 0, 0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0]))
    }
  }

  @Test("boxes of a HEIC that no image needs become free space, wherever they are") func boxes() throws {
    let file = try Fixture.bytes("camera-roll/IMG_0006.heic")
    let box: [UInt8] = [0, 0, 0, 14] + Array("uuidsecret".utf8)
    let result = try #require(strip(file + box, .heic))
    #expect(result.count == file.count + box.count)
    #expect(Array(result.suffix(box.count)) == [0, 0, 0, 14] + Array("free".utf8) + [0, 0, 0, 0, 0, 0])
  }

  @Test(
    "an animated AVIF keeps its samples and tracks, and loses texts, times and other boxes",
    arguments: ["box.avif", "disc.avif", "flash.avif", "premultiplied.avif"])
  func sequence(name: String) throws {
    let file = try Fixture.bytes("animated/\(name)")
    let box: [UInt8] = [0, 0, 0, 14] + Array("uuidsecret".utf8)
    let result = try #require(strip(file + box, .avif))
    #expect(result.count == file.count + box.count)
    #expect(!contains(result, Array("secret".utf8)))
    let data = try #require(file.indices.first { file[$0...].starts(with: Array("mdat".utf8)) })
    #expect(Array(result[data..<file.count]) == Array(file[data...]))
    // Type, then version and flags, then the times.
    let header = try #require(file.indices.first { file[$0...].starts(with: Array("mvhd".utf8)) })
    #expect(Array(result[(header + 8)..<(header + 16)]) == [UInt8](repeating: 0, count: 8))
    for name in ["trak", "av1C", "ccst", "auxl"] {
      #expect(contains(result, Array(name.utf8)) == contains(file, Array(name.utf8)), "\(name)")
    }
    #expect(strip(result, .avif) == result)
  }

  @Test("an image sequence in movie fragments is not stripped") func fragments() throws {
    let fragment: [UInt8] = [0, 0, 0, 8] + Array("moof".utf8)
    #expect(strip(try Fixture.bytes("animated/disc.avif") + fragment, .avif) == nil)
  }

  @Test("a JPEG XL keeps its codestream") func jpegXL() throws {
    let file = try Fixture.bytes("previews/exif.jxl")
    let result = try #require(strip(file, .jxl))
    #expect(result.count == file.count)
    #expect(!contains(result, Array("Exif".utf8)))
    #expect(contains(result, Array("jxlc".utf8)) == contains(file, Array("jxlc".utf8)))
    #expect(strip(result, .jxl) == result)
    #expect(strip([0xFF, 0x0A, 1, 2], .jxl) == [0xFF, 0x0A, 1, 2])
  }

  @Test(
    "a file with any byte changed, or cut anywhere, traps nowhere, and what is stripped of it stays so",
    arguments: [
      "camera-roll/IMG_0006.heic", "previews/exif.avif", "camera-roll/sticker.webp", "previews/exif.jxl",
      "animated/disc.avif",
    ])
  func damaged(name: String) throws {
    let file = try Fixture.bytes(name)
    var random = SeededGenerator(seed: 19)
    let type = type(of: name)
    for _ in 0..<400 {
      var damaged = file
      // Where the structure is: at the beginning, in WebP also at the end.
      let at = random.below(2) == 0 ? random.below(min(900, file.count)) : file.count - 1 - random.below(200)
      damaged[at] = UInt8(truncatingIfNeeded: random.below(256))
      if random.below(4) == 0 { damaged.removeLast(random.below(file.count)) }
      guard let result = strip(damaged, type) else { continue }
      #expect(strip(result, type) == result)
    }
  }
}
