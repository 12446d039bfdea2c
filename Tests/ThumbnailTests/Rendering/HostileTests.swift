internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

/// Files that were made to crash, hang or balloon whoever decodes them.
@Suite(.timeLimit(.minutes(20))) struct HostileTests {
  private static let corpus: [String] = {
    guard Corpus.isPresent else { return [] }
    return ["hostile", "documents"].flatMap { name in
      let folder = Corpus.path(name)
      return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted().map { folder + "/" + $0 }
    }
  }()

  private static let broken = Fixture.all(in: "broken/").map(\.absolutePath)

  private static let requests: [RenditionRequest] = {
    var moving = RenditionRequest(name: "moving", box: PixelSize(width: 64, height: 64))
    moving.animated = true
    return [RenditionRequest(name: "grid", box: PixelSize(width: 256, height: 256), fit: .cover(.attention)), moving]
  }()

  private func render(_ path: String) throws -> ThumbnailResult {
    let input = try MediaInput(path: path)
    return Thumbnailer().render(input, info: MediaProber().facts(of: input), requests: Self.requests)
  }

  @Test(arguments: corpus + broken)
  func `Every file has a result`(path: String) throws {
    let result = try render(path)
    #expect(result.renditions.count == Self.requests.count || result.error != nil || result.icon != nil)
    #expect(result.renditions.allSatisfy { $0.width <= 256 && $0.height <= 256 && !$0.data.isEmpty })
  }

  @Test(arguments: 0..<40)
  func `Flipped bytes give a result`(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed) &+ 1)
    let sources = Fixture.all(in: "formats/") + Fixture.all(in: "animated/") + Fixture.all(in: "color/")
    let fixture = try #require(sources.randomElement(using: &generator))
    var bytes = try Fixture.bytes(fixture.path)
    for _ in 0..<Int.random(in: 1...20, using: &generator) where !bytes.isEmpty {
      bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
    }
    let input = try MediaInput(bytes: bytes)
    let info = MediaProber().facts(of: input)
    let result = Thumbnailer().render(input, info: info, requests: Self.requests)
    #expect(
      result.renditions.count == Self.requests.count || result.error != nil || result.icon != nil,
      "\(fixture.path), seed \(seed)")
  }
}
