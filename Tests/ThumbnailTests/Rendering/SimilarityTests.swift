internal import CMediaShims
internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import Thumbnails

@Suite("Similarity") struct SimilarityTests {
  private func similarity(_ one: [UInt8], _ other: [UInt8], _ width: Int, _ height: Int) -> Double {
    mediatool_similarity(one, other, CInt(width), CInt(height))
  }

  /// Two planes with shapes and noise in them.
  private func planes(_ width: Int, _ height: Int, noise: Int, seed: UInt64) -> (one: [UInt8], other: [UInt8]) {
    var random = SeededGenerator(seed: seed)
    var (one, other): ([UInt8], [UInt8]) = ([], [])
    for y in 0..<height {
      for x in 0..<width {
        let value = (x * x / 7 + y * 3 + (x / 16 + y / 16) % 2 * 60) % 256
        one.append(UInt8(value))
        other.append(UInt8(max(0, min(255, value + random.below(2 * noise + 1) - noise))))
      }
    }
    return (one, other)
  }

  @Test(
    "SSIM agrees with FFmpeg to five decimals",
    arguments: [
      (64, 64, 3), (101, 67, 20), (33, 250, 60), (16, 12, 9), (8, 8, 40), (9, 90, 40), (90, 9, 40),
    ])
  func agreesWithFFmpeg(width: Int, height: Int, noise: Int) throws {
    let (one, other) = planes(width, height, noise: noise, seed: 5)
    let folder = try TemporaryFolder()
    func file(_ plane: [UInt8], _ name: String) throws -> String {
      try folder.write(Array("P5\n\(width) \(height)\n255\n".utf8) + plane, to: name)
    }
    // In plain C: with SSE, FFmpeg 5.1 answers 1 or nonsense where a row has one window only.
    let arguments = [
      "-hide_banner", "-cpuflags", "0", "-i", try file(one, "one.pgm"), "-i", try file(other, "other.pgm"), "-lavfi",
      "ssim", "-f",
      "null",
      "-",
    ]
    let stated = try Tool("ffmpeg", package: "ffmpeg").run(arguments).errors
    let match = try #require(stated.firstMatch(of: /SSIM Y:([0-9.]+)/), "\(stated)")
    let expected = try #require(Double(match.1))
    // FFmpeg's C1 is a 64th of the definition's, which is seen in windows that are nearly black, as the first one here.
    let tolerance = min(width, height) < 12 ? 3e-4 : 1e-5
    #expect(abs(similarity(one, other, width, height) - expected) < tolerance)
  }

  @Test func `Equal images have the maximum similarity of one`() {
    let (one, other) = planes(40, 30, noise: 30, seed: 6)
    #expect(similarity(one, one, 40, 30) == 1)
    #expect((0..<0.99).contains(similarity(one, other, 40, 30)))
    #expect(similarity([0], [0], 1, 1) == 1)
    #expect(similarity([0, 255, 0, 255], [255, 0, 255, 0], 2, 2) < 0)
    // A window for each 8 × 8, however thin.
    #expect(similarity(one, one, 400, 3) == 1)
  }

  private func request(_ name: String, _ side: Int, quality: Int) -> RenditionRequest {
    var request = RenditionRequest(name: name, box: PixelSize(width: side, height: side))
    request.format = .jpeg
    request.encoding = .quality(quality)
    request.comparedIn = PixelSize(width: 400, height: 400)
    return request
  }

  @Test("Fewer bytes and fewer pixels reduce the similarity; lossless at full size is identical") func ordered() throws
  {
    var lossless = request("png", 400, quality: 1)
    lossless.format = .png
    let requests = [
      request("q90", 400, quality: 90), request("q30", 400, quality: 30), request("half", 200, quality: 90),
      request("quarter", 100, quality: 90), lossless,
    ]
    let made = try Studio().render(Fixture.path("camera-roll/IMG_0001.jpg"), requests).renditions
    let values = Dictionary(uniqueKeysWithValues: made.map { ($0.name, $0.similarity ?? -2) })
    #expect(made.count == requests.count)
    #expect(values["png"] == 1)
    #expect(values["q90", default: 0] > values["q30", default: 1])
    #expect(values["q90", default: 0] > values["half", default: 1])
    #expect(values["half", default: 0] > values["quarter", default: 1])
    // The files are those that are made without a comparison.
    let plain = requests.map { request in
      var request = request
      request.comparedIn = nil
      return request
    }
    let others = try Studio().render(Fixture.path("camera-roll/IMG_0001.jpg"), plain).renditions
    #expect(others.map(\.data) == made.map(\.data))
    #expect(others.allSatisfy { $0.similarity == nil })
  }

  @Test("An image is compared upright", arguments: 1...8) func upright(orientation: Int) throws {
    let made = try Studio().render(
      Fixture.path("orientation/landscape-\(orientation).jpg"), [request("a", 400, quality: 95)])
    #expect(try #require(made.renditions.first?.similarity) > 0.9)
  }

  @Test func `The comparison box is limited`() throws {
    var wrong = request("a", 100, quality: 80)
    wrong.comparedIn = PixelSize(width: 0, height: 100)
    #expect(try Studio().render(Fixture.path("camera-roll/IMG_0001.jpg"), [wrong]).error?.code == .invalidRequest)
  }
}
