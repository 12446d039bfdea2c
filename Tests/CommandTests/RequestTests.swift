internal import ArgumentParser
internal import MediaModel
internal import Testing

@testable internal import MediatoolCommand

@Suite("The requests of the flags of thumbnail") struct RequestTests {
  private func requests(_ arguments: String...) throws -> [RenditionRequest] {
    try RequestOptions.parse(arguments).requests
  }

  @Test func `Without a stated size the grid size is made`() throws {
    #expect(try requests() == [#require(RenditionRequest.named("grid"))])
  }

  @Test func `Every named size has the request of its name`() throws {
    for named in RenditionRequest.named { #expect(try requests("--size", named.name) == [named]) }
  }

  @Test func `A number of pixels is a box with that name`() throws {
    let box = RenditionRequest(name: "256x192", box: PixelSize(width: 256, height: 192))
    let square = RenditionRequest(name: "64", box: PixelSize(width: 64, height: 64))
    #expect(try requests("--size", "256x192", "--size", "064") == [box, square])
  }

  @Test(arguments: [
    "", "0", "-1", "+1", "1x", "x1", "1x1x1", "16384", "1x16384", "99999999999999999999", "1 ", "٣", "Grid",
  ])
  func `Other sizes are refused`(size: String) { #expect(SizeArgument(argument: size) == nil) }

  @Test func `Fit and gravity change every size`() throws {
    #expect(try requests("--size", "grid", "--fit", "contain").map(\.fit) == [.contain])
    #expect(
      try requests("--size", "grid", "--size", "view", "--gravity", "entropy").map(\.fit) == [
        .cover(.entropy), .contain,
      ])
    #expect(
      try requests("--size", "grid", "--size", "9", "--fit", "cover", "--gravity", "attention").map(\.fit)
        == [.cover(.attention), .cover(.attention)])
  }

  @Test func `Other options are in every request`() throws {
    var asked = RenditionRequest(name: "9", box: PixelSize(width: 9, height: 9))
    asked.crop = PixelRect(x: 1, y: 2, width: 3, height: 4)
    asked.format = .webp
    asked.encoding = .quality(50)
    asked.background = RenditionRequest.Color(red: 0x0A, green: 0xB0, blue: 0xFF)
    asked.colorSpace = .p3
    asked.allowsUpscaling = true
    asked.animated = true
    #expect(
      try requests(
        "--size", "9", "--crop", "1,2,3,4", "--format", "webp", "--quality", "50", "--background", "#0aB0ff",
        "--color-space",
        "p3", "--upscale", "--animated") == [asked])
  }

  @Test(arguments: [
    ("1", 1), ("300k", 300_000), ("300K", 300_000), ("300kB", 300_000), ("1M", 1_000_000), ("64Ki", 65_536),
    ("2MiB", 2_097_152),
  ])
  func `Numbers of bytes are read with their units`(text: String, bytes: Int) throws {
    #expect(ByteCountArgument(argument: text)?.bytes == bytes)
    #expect(try requests("--max-bytes", text).map(\.encoding) == [.maxBytes(bytes)])
  }

  @Test(arguments: ["", "0", "-1", "k", "1.5M", "1G", "1 M", "9999999999999999999M", "B"])
  func `Other byte counts are refused`(text: String) { #expect(ByteCountArgument(argument: text) == nil) }

  @Test(arguments: [
    "1,2,3", "1,2,3,4,5", "1,2,0,4", "1,2,3,0", "-1,2,3,4", "1,,3,4", "1,2,3,99999999999", "a,b,c,d", "",
  ])
  func `Other crops are refused`(text: String) { #expect(CropArgument(argument: text) == nil) }

  @Test(arguments: ["", "#", "#12345", "#1234567", "#gggggg", "red", "#+12345", "##12345"])
  func `Other colors are refused`(text: String) { #expect(ColorArgument(argument: text) == nil) }
}
