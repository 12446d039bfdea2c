internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite struct PixmapTests {
  private func read(_ header: String, _ samples: [UInt8]) throws -> PixelBuffer {
    try PixelBuffer(pnm: Array(header.utf8) + samples)
  }

  @Test func `Every form is read`() throws {
    #expect(try read("P6\n2 1\n255\n", [1, 2, 3, 4, 5, 6]).rgba == [1, 2, 3, 255, 4, 5, 6, 255])
    #expect(try read("P5 2 1 255 ", [7, 8]).rgba == [7, 7, 7, 255, 8, 8, 8, 255])
    #expect(
      try read("P7\nWIDTH 1\nHEIGHT 2\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n", [1, 2, 3, 4, 5, 6, 7, 8])
        .rgba
        == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(try read("P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nENDHDR\n", [9, 4]).rgba == [9, 9, 9, 4])
  }

  @Test func `Sixteen bits and other maxima are converted to eight bits`() throws {
    #expect(try read("P6 1 1 65535\n", [0xFF, 0xFF, 0x80, 0x00, 0, 0]).rgba == [255, 128, 0, 255])
    #expect(try read("P5 3 1 15\n", [0, 8, 15]).rgba == [0, 0, 0, 255, 136, 136, 136, 255, 255, 255, 255, 255])
  }

  @Test func `Comments are skipped, and a sample that looks like a space is not`() throws {
    #expect(try read("P6 # made by hand\n1 # one\n1\n255\n", [0x20, 0x0A, 0x23]).rgba == [0x20, 0x0A, 0x23, 255])
  }

  @Test func `A written pixmap is read unchanged`() throws {
    let image = SyntheticImage.disc(13, 9)
    #expect(try PixelBuffer(pnm: image.pam) == image)
  }

  @Test("Files of libvips are read and written: RGB becomes opaque, and RGBA stays") func vipsFiles() throws {
    let image = SyntheticImage.disc(13, 9)
    #expect(try PixelBuffer(vips: image.vips) == image)
    let folder = try TemporaryFolder()
    let (rgba, rgb) = (try folder.write(image.vips, to: "rgba.v"), folder.path("rgb.v"))
    // As another program reads and writes them.
    let vips = try Tool("vips", package: "libvips-tools")
    _ = try vips.output(["extract_band", rgba, rgb, "0", "--n", "3"])
    let opaque = try PixelBuffer(vips: [UInt8](Data(contentsOf: URL(fileURLWithPath: rgb))))
    #expect(opaque == image.mapped { _, _, pixel in pixel.prefix(3) + [255] })
  }

  @Test("Files of libvips with other samples, or cut off, are refused") func brokenVIPSFiles() {
    let file = SyntheticImage.disc(13, 9).vips
    var (grey, wide) = (file, file)
    (grey[12], wide[20]) = (1, 2)
    for bytes in [[], Array(file.prefix(63)), Array(file.prefix(400)), grey, wide, Array(file.reversed())] {
      #expect(throws: PixelBuffer.VIPSError.self) { try PixelBuffer(vips: bytes) }
    }
  }

  @Test(arguments: [
    "", "P", "P6", "P6 1", "P6 1 1", "P6 1 1 255\n", "P6 0 1 255\n", "P6 -1 1 255\n", "P6 1 1 0\n", "P6 1 1 65536\n",
    "P3 1 1 255\n",
    "P6 999999999999999999999 1 255\n", "P6 2147483647 2147483647 255\n", "P7\nWIDTH 1\nENDHDR\n", "P7\nWIDE 1\n", "P7",
    "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 5\nMAXVAL 255\nENDHDR\n",
  ])
  func `Broken pixmaps are refused`(text: String) {
    #expect(throws: PixelBuffer.PNMError.self) { try PixelBuffer(pnm: Array(text.utf8)) }
  }
}
