internal import Foundation
internal import MediaModel
internal import Synchronization
internal import TestSupport
internal import Testing
internal import Thumbnails

@Suite struct EncodingTests {
  let studio: Studio
  let photo: String

  /// The file of all tests, made once.
  private static let bytes = Result {
    let studio = try Studio()
    let path = try studio.file("photo.jpg[Q=92]", of: SyntheticImage.noise(640, 480, seed: 7))
    return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
  }

  init() throws {
    studio = try Studio()
    photo = try studio.folder.write(Self.bytes.get(), to: "photo.jpg")
  }

  @Test(arguments: [RenditionRequest.Format.webp, .jpeg, .avif, .automatic])
  func `A size limit gives the best quality that fits`(format: RenditionRequest.Format) throws {
    var request = RenditionRequest.box(256, format)
    let whole = try #require(try studio.render(photo, [request]).renditions.first)
    let budget = whole.data.count / 2
    request.encoding = .maxBytes(budget)
    let fitted = try #require(try studio.render(photo, [request]).renditions.first)
    #expect(fitted.data.count <= budget)
    #expect(fitted.width == whole.width, "quality gives way before size")
    #expect(fitted.height == whole.height, "quality gives way before size")
    // One step better would not have fitted.
    let quality = try #require(fitted.quality)
    request.encoding = .quality(quality + 1)
    let better = try #require(try studio.render(photo, [request]).renditions.first)
    #expect(better.data.count > budget)
  }

  @Test func `A size limit below the lowest quality reduces the image`() throws {
    var request = RenditionRequest.box(256, .png)
    let whole = try #require(try studio.render(photo, [request]).renditions.first)
    request.encoding = .maxBytes(whole.data.count / 3)
    let fitted = try #require(try studio.render(photo, [request]).renditions.first)
    #expect(fitted.data.count <= whole.data.count / 3)
    #expect(fitted.width < whole.width)
  }

  @Test func `An unreachable size limit is refused`() throws {
    var request = RenditionRequest.box(256, .jpeg)
    request.encoding = .maxBytes(100)
    let result = try studio.render(photo, [request])
    #expect(result.renditions.isEmpty)
    #expect(result.error?.code == .tooLarge)
  }

  @Test func `Cover is refused instead of reduced`() throws {
    var request = RenditionRequest.box(256, .png, fit: .cover(.centre))
    request.encoding = .maxBytes(2_000)
    #expect(try studio.render(photo, [request]).error?.code == .tooLarge)
  }

  @Test func `Transparency is kept or composited onto the background`() throws {
    let path = try studio.file("disc.png", of: SyntheticImage.disc(200, 200))
    for format in [RenditionRequest.Format.webp, .png, .avif] {
      let rendition = try #require(try studio.render(path, [.box(100, format)]).renditions.first)
      #expect(try studio.pixels(of: rendition)[0, 0][3] < 8, "\(format)")
    }
    var request = RenditionRequest.box(100, .jpeg)
    request.background = RenditionRequest.Color(red: 0, green: 128, blue: 255)
    let rendition = try #require(try studio.render(path, [request]).renditions.first)
    let corner = try studio.pixels(of: rendition)[0, 0]
    #expect(zip(corner, [0, 128, 255, 255]).allSatisfy { abs(Int($0) - $1) <= 6 }, "\(corner)")
  }

  @Test func `The same input gives the same bytes from many threads`() throws {
    let requests = [RenditionRequest.box(256, .webp), .box(128, .jpeg), .box(96, .avif), .box(64, .png)]
    let first = try studio.render(photo, requests)
    let bytes = first.renditions.map(\.data)
    #expect(bytes.count == requests.count)
    let others = Mutex<[[[UInt8]]]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let found = (try? studio.render(photo, requests))?.renditions.map(\.data) ?? []
      others.withLock { $0.append(found) }
    }
    #expect(others.withLock { $0.count } == 8)
    #expect(others.withLock { $0.allSatisfy { $0 == bytes } })
  }
}
