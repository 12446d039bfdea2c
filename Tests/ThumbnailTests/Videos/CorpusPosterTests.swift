internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

/// Every video of the corpus has a poster of the shape in which it is displayed.
@Suite(.timeLimit(.minutes(20))) struct CorpusPosterTests {
  private static let videos: [String] = {
    guard Corpus.isPresent else { return [] }
    return ["video", "mms-like"].flatMap { name in
      let folder = Corpus.path(name)
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.sorted().map { "\(folder)/\($0)" }
    }
  }()

  @Test(arguments: videos)
  func `Every video has a poster of its aspect ratio`(path: String) throws {
    let input = try MediaInput(path: path)
    let info = MediaProber().facts(of: input)
    guard info.kind == .video else { return }
    let result = Thumbnailer().render(
      input, info: info, requests: [.box(256, .webp), .box(4_000, .jpeg)])
    #expect(result.error == nil)
    #expect(result.renditions.map(\.from) == [.poster, .poster])
    let whole = try #require(result.renditions.last)
    #expect(whole.width == info.width)
    #expect(whole.height == info.height)
    let small = try #require(result.renditions.first)
    let scale = min(1, 256 / Double(max(whole.width, whole.height)))
    #expect(abs(Double(small.width) - Double(whole.width) * scale) <= 1)
    #expect(abs(Double(small.height) - Double(whole.height) * scale) <= 1)
    #expect(result.placeholder != nil)
    #expect(result.posterTime != nil)
    #expect(try #require(result.framesDecoded) >= 1)
  }
}
