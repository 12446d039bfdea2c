internal import MediaModel
internal import MetadataStripping
internal import TestSupport
internal import Testing

@Suite("D6.10: a file without its metadata") struct ImageMetadataStripperTests {
  private func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
    [0xFF, marker, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
  }

  private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Baseline, three colors, 16 × 16, its scan made up: nobody decodes it here.
  private var frame: [UInt8] {
    segment(0xC0, [8, 0, 16, 0, 16, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1])
  }

  private var scan: [UInt8] { segment(0xDA, [3, 1, 0, 2, 0x11, 3, 0x11, 0, 63, 0]) + [1, 2, 0xFF, 0, 3, 0xFF, 0xD9] }

  private var jfif: [UInt8] { segment(0xE0, text("JFIF\0") + [1, 1, 0, 0, 1, 0, 1, 0, 0]) }

  @Test("A JPEG loses EXIF, XMP, IPTC, comments, thumbnails and all that follows it, and keeps what its colors need")
  func jpeg() {
    let adobe = segment(0xEE, text("Adobe") + [0, 100, 0, 0, 0, 0, 1])
    let tables = segment(0xDB, Array(repeating: 1, count: 65))
    let metadata =
      segment(0xE1, text("Exif\0\0secret")) + segment(0xE1, text("http://ns.adobe.com/xap/1.0/\0secret"))
      + segment(0xED, text("Photoshop 3.0\0secret")) + segment(0xFE, text("secret"))
      + segment(0xE0, text("JFXX\0secret"))
      + segment(0xE2, text("MPF\0secret")) + [0xFF, 0xFF] + segment(0xEF, text("secret")).dropFirst()
    let file = [0xFF, 0xD8] + jfif + metadata + adobe + tables + frame + scan + text("secret video")
    let plain = ImageMetadataStripper.strip(file, type: .jpeg)
    #expect(plain == [0xFF, 0xD8] + jfif + adobe + tables + frame + scan)
    // Bare already: it stays as it is.
    #expect(plain.flatMap { ImageMetadataStripper.strip($0, type: .jpeg) } == plain)
  }

  @Test("A JFIF segment loses its thumbnail, and what hides behind Adobe's or in a reserved one does not leave")
  func thumbnails() {
    let start: [UInt8] = text("JFIF\0") + [1, 1, 0, 0, 1, 0, 1]
    let adobe = text("Adobe") + [0, 100, 0, 0, 0, 0, 1]
    let file =
      [0xFF, 0xD8] + segment(0xE0, start + [2, 1] + text("secret")) + segment(0xEE, adobe + text("secret"))
      + segment(0xEE, text("secret")) + frame + scan
    #expect(
      ImageMetadataStripper.strip(file, type: .jpeg)
        == [0xFF, 0xD8] + segment(0xE0, start + [0, 0]) + segment(0xEE, adobe) + frame + scan)
    #expect(
      ImageMetadataStripper.strip([0xFF, 0xD8] + segment(0xF7, text("secret")) + frame + scan, type: .jpeg) == nil)
    let hidden: [UInt8] = Array(scan.prefix(scan.count - 2)) + segment(0xF7, text("secret")) + [0xFF, 0xD9]
    #expect(ImageMetadataStripper.strip([0xFF, 0xD8] + frame + hidden, type: .jpeg) == nil)
  }

  @Test("What would look different without its profile, is ink, or no baseline where that is asked, is not stripped")
  func refused() {
    let profile = segment(0xE2, text("ICC_PROFILE\0") + [1, 1, 0])
    let file = [0xFF, 0xD8] + profile + frame + scan
    #expect(ImageMetadataStripper.strip(file, type: .jpeg) == nil)
    #expect(ImageMetadataStripper.strip(file, type: .jpeg, isSRGB: true) == [0xFF, 0xD8] + frame + scan)
    var ink = frame
    ink[9] = 4
    #expect(ImageMetadataStripper.strip([0xFF, 0xD8] + ink + scan, type: .jpeg) == nil)
    var progressive = frame
    progressive[1] = 0xC2
    #expect(ImageMetadataStripper.strip([0xFF, 0xD8] + progressive + scan, type: .jpeg) != nil)
    #expect(ImageMetadataStripper.strip([0xFF, 0xD8] + progressive + scan, type: .jpeg, isBaseline: true) == nil)
    #expect(ImageMetadataStripper.strip(file, type: .webp) == nil)
  }

  private func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    [0, 0, UInt8(body.count >> 8), UInt8(body.count & 255)] + text(name) + body + [9, 9, 9, 9]
  }

  @Test("A PNG loses every chunk that its pixels do not need; images with 16 bits or a profile are re-encoded")
  func png() {
    let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let start = chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0])
    let pixels = chunk("gAMA", [0, 0, 0, 1]) + chunk("PLTE", [1, 2, 3]) + chunk("tRNS", [0]) + chunk("IDAT", [1, 2])
    let metadata = chunk("tEXt", text("secret")) + chunk("eXIf", text("secret")) + chunk("tIME", text("secret"))
    let file = head + start + metadata + pixels + chunk("IEND", []) + text("secret")
    #expect(ImageMetadataStripper.strip(file, type: .png) == head + start + pixels + chunk("IEND", []))
    // Without its frames an animation would show another image.
    let motion = chunk("acTL", [0, 0, 0, 2]) + chunk("fcTL", [1])
    let frames = chunk("fcTL", [2]) + metadata + chunk("fdAT", [3])
    #expect(
      ImageMetadataStripper.strip(head + start + motion + pixels + frames + chunk("IEND", []), type: .png)
        == head + start + motion + pixels + chunk("fcTL", [2]) + chunk("fdAT", [3]) + chunk("IEND", []))
    let deep = chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 16, 2, 0, 0, 0])
    #expect(ImageMetadataStripper.strip(head + deep + pixels + chunk("IEND", []), type: .png) == nil)
    #expect(
      ImageMetadataStripper.strip(head + start + chunk("iCCP", [1]) + pixels + chunk("IEND", []), type: .png) == nil
    )
    // A chunk that says itself that nothing can be read without it.
    #expect(
      ImageMetadataStripper.strip(head + start + chunk("ABCD", [1]) + pixels + chunk("IEND", []), type: .png) == nil
    )
  }

  @Test("A GIF loses comments, texts and XMP, and keeps its frames, their times and its loop") func gif() {
    let head = text("GIF89a") + [1, 0, 1, 0, 0x80, 0, 0] + [0, 0, 0, 255, 255, 255]
    let loop = [0x21, 0xFF, 11] + text("NETSCAPE2.0") + [3, 1, 0, 0, 0]
    let timing: [UInt8] = [0x21, 0xF9, 4, 0, 10, 0, 0, 0]
    let image: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0x80] + [1, 1, 1, 2, 2, 2] + [2, 2, 0x4C, 1, 0]
    let comment = [0x21, 0xFE, 6] + text("secret") + [0]
    let xmp = [0x21, 0xFF, 11] + text("XMP DataXMP") + [6] + text("secret") + [0]
    // The right name, and more behind it than a number of times.
    let padded: [UInt8] = Array(loop.prefix(loop.count - 1)) + [6] + text("secret") + [0]
    let file = head + xmp + padded + comment + timing + image + timing + image + [0x3B] + text("secret")
    #expect(
      ImageMetadataStripper.strip(file, type: .gif) == head + loop + timing + image + timing + image + [0x3B])
  }

  @Test("Cut off anywhere, or with any octet changed, it gives a file no longer than before, or none")
  func damaged() {
    let files: [(MediaType, [UInt8])] = [
      (.jpeg, [0xFF, 0xD8] + jfif + segment(0xE1, text("Exif")) + frame + scan),
      (
        .png,
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
          + chunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]) + chunk("IDAT", [1]) + chunk("IEND", [])
      ),
      (.gif, text("GIF89a") + [1, 0, 1, 0, 0, 0, 0] + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4C, 1, 0, 0x3B]),
    ]
    print("seed 11")
    var random = SeededGenerator(seed: 11)
    for (type, file) in files {
      #expect(ImageMetadataStripper.strip(file, type: type) != nil)
      for length in 0..<file.count {
        #expect(ImageMetadataStripper.strip(Array(file[..<length]), type: type) == nil, "\(type) \(length)")
      }
      for _ in 0..<3_000 {
        var other = file
        for _ in 0...random.below(3) { other[random.below(other.count)] = UInt8(random.below(256)) }
        #expect(ImageMetadataStripper.strip(other, type: type)?.count ?? 0 <= other.count, "seed 11")
      }
    }
  }
}
