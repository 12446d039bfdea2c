internal import CMediaShims
internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import Synchronization
internal import TestSupport
internal import Testing
internal import Thumbnails

@Suite struct PageTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  private func render(
    _ bytes: [UInt8], _ requests: [RenditionRequest], options: Thumbnailer.Options = Thumbnailer.Options()
  ) throws -> ThumbnailResult {
    let input = try MediaInput(bytes: bytes)
    return Thumbnailer(options: options).render(input, info: MediaProber().facts(of: input), requests: requests)
  }

  private static func isNear(_ pixel: [UInt8], _ color: [Int], within tolerance: Int = 3) -> Bool {
    zip(pixel, color + [255]).allSatisfy { abs(Int($0) - $1) <= tolerance }
  }

  @Test(arguments: ["pages/two.pdf", "pages/open.pdf"])
  func `The first page is rasterised on white`(name: String) throws {
    let result = try studio.render(Fixture.path(name), [.box(400), .box(100)])
    #expect(result.error == nil)
    #expect(result.icon == nil)
    #expect(result.placeholder != nil)
    // 200 points a side: a page has no pixels of its own, so it fills the box.
    #expect(result.renditions.map(\.width) == [400, 100])
    #expect(result.renditions.map(\.height) == [400, 100])
    #expect(result.renditions.allSatisfy { $0.from == .page && $0.frames == 1 })
    for (rendition, side) in zip(result.renditions, [400, 100]) {
      let page = try studio.pixels(of: rendition)
      #expect(page.isOpaque)
      #expect(Self.isNear(page[side / 4, side * 7 / 8], [255, 0, 0]), "the red field, low on the left")
      #expect(Self.isNear(page[side / 2, side / 8], [0, 128, 0]), "the green bar above")
      #expect(Self.isNear(page[side * 3 / 4, side * 7 / 8], [255, 255, 255]), "paper")
    }
  }

  @Test func `A rotated page is upright`() throws {
    let rendition = try #require(try studio.render(Fixture.path("pages/rotated.pdf"), [.box(300)]).renditions.first)
    #expect(rendition.width == 200)
    #expect(rendition.height == 300)
    let page = try studio.pixels(of: rendition)
    // A quarter turn clockwise: what was low on the left is high on the left.
    #expect(Self.isNear(page[25, 50], [255, 0, 0]))
    #expect(Self.isNear(page[175, 100], [0, 128, 0]))
  }

  @Test func `A crop is given in points and fills its box`() throws {
    var request = RenditionRequest.box(64)
    request.crop = PixelRect(x: 0, y: 150, width: 100, height: 50)
    let rendition = try #require(try studio.render(Fixture.path("pages/two.pdf"), [request]).renditions.first)
    #expect(rendition.width == 64)
    #expect(rendition.height == 32)
    let page = try studio.pixels(of: rendition)
    #expect(Self.isNear(page[2, 2], [255, 0, 0]))
    #expect(Self.isNear(page[61, 29], [255, 0, 0]))
    request.crop = PixelRect(x: 0, y: 150, width: 100, height: 51)
    #expect(try studio.render(Fixture.path("pages/two.pdf"), [request]).error?.code == .invalidRequest)
  }

  @Test func `An encrypted document has an icon`() throws {
    let result = try studio.render(Fixture.path("pages/password.pdf"), [.box(64)])
    #expect(result.error?.code == .encrypted)
    #expect(result.icon == .document)
    #expect(result.renditions.isEmpty)
  }

  private final class Stop: Sendable { let isDone = Mutex(false) }

  /// The buffer for libvips' texts is one for all threads, and anybody may empty it.
  @Test func `Error messages are not mixed between threads`() {
    let path = Fixture.path("pages/password.pdf")
    // libvips has a buffer only once it is started.
    #expect(MediaProber().facts(ofFile: path).error?.code == .encrypted)
    let stop = Stop()
    // A thread of its own: that of a task may wait until other tests have ended.
    Thread.detachNewThread { while !stop.isDone.withLock({ $0 }) { vips_error_clear() } }
    for _ in 0..<20 { #expect(MediaProber().facts(ofFile: path).error?.code == .encrypted) }
    stop.isDone.withLock { $0 = true }
  }

  @Test(arguments: [
    ("[0 0 1000000 1000000]", 64, 64), ("[100 100 0 0]", 64, 64), ("[100 0 0 50]", 64, 32), ("[0 0 1 1]", 64, 64),
    ("[0 0 0.5 0.5]", 64, 64), ("[0 0 14400 14400]", 64, 64), ("[0 0 99999999 99999999]", 64, 64),
    ("[0 0 5 14400]", 1, 64),
    // Without a box that makes sense, Poppler takes a letter page.
    ("[0 0 0 0]", 49, 64), ("[/a /b /c /d]", 49, 64),
  ])
  func `A page of any size is drawn at the requested size`(box: String, width: Int, height: Int) throws {
    let document = TinyPage.document("/MediaBox \(box)", content: "1 0 0 rg 0 0 99999999 99999999 re f")
    let result = try render(document, [.box(64)])
    #expect(result.error == nil, "\(String(describing: result.error))")
    #expect(result.renditions.map(\.width) == [width])
    #expect(result.renditions.map(\.height) == [height])
  }

  @Test(arguments: [
    "[0 0 0.001 14400]", "[-2147483648 -2147483648 2147483647 2147483647]", "[0 0 1000000000000.0 1000000000000.0]",
    "[0 0 0.00001 0.00001]", "[0 0 1\(String(repeating: "0", count: 400)) 100]",
  ])
  func `An invalid page box gives a result`(box: String) throws {
    let result = try render(TinyPage.document("/MediaBox \(box)"), [.box(64)])
    #expect(result.renditions.count == 1 || result.error != nil && result.icon == .document)
  }

  @Test func `A page never exceeds the pixel limit`() throws {
    var options = Thumbnailer.Options()
    options.limits.pixels = 10_000
    let result = try render(TinyPage.document("/MediaBox [0 0 100 200]"), [.box(2_000)], options: options)
    let rendition = try #require(result.renditions.first)
    #expect(rendition.width * rendition.height <= 10_000)
    #expect(rendition.width * rendition.height > 9_000)
    #expect(result.error == nil)
  }

  @Test func `A damaged document is corrupt and has an icon`() throws {
    let result = try render(Array("%PDF-1.4\nnothing more\n".utf8), [.box(64)])
    #expect(result.error?.code == .corrupt)
    #expect(result.icon == .document)
  }

  @Test func `A page after the deadline gives no image`() throws {
    // A hundred thousand fields take far longer than 20 ms on any machine.
    var options = Thumbnailer.Options()
    options.limits.renderSeconds = 0.02
    let result = try render(TinyPage.forms(levels: 5), [.box(64)], options: options)
    #expect(result.error?.code == .timedOut)
    #expect(result.renditions.isEmpty)
    #expect(result.icon == .document)
    options.limits.renderSeconds = 600
    #expect(try render(TinyPage.forms(levels: 5), [.box(64)], options: options).error == nil)
  }

  @Test func `Concurrent pages are not mixed`() async throws {
    let colors = (0..<12).map { [$0 * 20, 255 - $0 * 20, 128] }
    let found = await withTaskGroup(of: (Int, [UInt8]?).self, returning: [Int: [UInt8]].self) { group in
      for (index, color) in colors.enumerated() {
        group.addTask {
          let drawing = color.map { "\(Double($0) / 255) " }.joined() + "rg 0 0 100 100 re f"
          let document = TinyPage.document("/MediaBox [0 0 100 100]", content: drawing)
          let rendition = try? self.render(document, [.box(8)]).renditions.first
          return (index, rendition.flatMap { try? self.studio.pixels(of: $0)[4, 4] })
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for (index, color) in colors.enumerated() {
      #expect(Self.isNear(found[index] ?? [], color))
      #expect(found[index] != nil)
    }
  }

  /// The other end of a pipe that nobody writes to: opening it to read waits for ever.
  @Test func `External content is not read`() throws {
    let pipe = studio.folder.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    let image = TinyPage.stream(
      "", "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8 /F (\(pipe))")
    let document = TinyPage.document(
      "/MediaBox [0 0 100 100] /Resources << /XObject << /I 5 0 R >> >>", content: "100 0 0 100 0 0 cm /I Do",
      objects: [image])
    #expect(try render(document, [.box(16)]).renditions.count == 1)
  }

  @Test(arguments: 0..<300) func `A mutated page gives a result`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 77)
    let sources = [
      "pages/two.pdf", "pages/rotated.pdf", "pages/open.pdf", "formats/page.pdf", "camera-roll/boarding-pass.pdf",
    ]
    var bytes = try Fixture.bytes(sources[seed % sources.count])
    for _ in 0..<Int.random(in: 1...12, using: &generator) {
      let at = generator.below(bytes.count)
      switch generator.below(4) {
      case 0: bytes[at] = UInt8(generator.below(256))
      // Digits make other numbers: lengths, offsets, boxes, object numbers.
      case 1: bytes[at] = UInt8(0x30 + generator.below(10))
      case 2: bytes.removeSubrange(at..<min(bytes.count, at + generator.below(9)))
      default:
        bytes.insert(
          contentsOf: bytes[at..<min(bytes.count, at + generator.below(30))], at: generator.below(bytes.count))
      }
    }
    var options = Thumbnailer.Options()
    options.limits.renderSeconds = 5
    options.limits.pixels = 1_000_000
    let result = try render(bytes, [.box(64)], options: options)
    #expect(result.renditions.count == 1 || result.error != nil || result.icon != nil)
    #expect((result.icon == nil) == !result.renditions.isEmpty)
  }
}
