internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

/// Audio files that were damaged at random, the same ones on every run: each ends in a tile, in peaks, or in a reason.
@Suite(.timeLimit(.minutes(20))) struct HostileAudioTests {
  private static let sources = Fixture.all(in: "audio/") + Fixture.all(in: "formats/tone.")

  @Test(arguments: sources) func `Corrupt audio gives a result`(fixture: Fixture) throws {
    let original = try Fixture.bytes(fixture.path)
    var random = SeededGenerator(seed: UInt64(original.count))
    for round in 0..<12 {
      var bytes = original
      if random.below(4) == 0 { bytes = Array(bytes.prefix(1 + random.below(bytes.count))) }
      for _ in 0...random.below(12) {
        // Headers and tags stand at both ends.
        let near = min(bytes.count, 300)
        let places = [random.below(near), bytes.count - 1 - random.below(near), random.below(bytes.count)]
        bytes[places[random.below(3)]] = [0, 0x7F, 0xFF, UInt8(random.below(256))][random.below(4)]
      }
      let input = try MediaInput(bytes: bytes)
      let info = MediaProber().facts(of: input)
      let result = Thumbnailer().render(input, info: info, requests: [.box(64)])
      let what: Comment = "\(fixture.path), round \(round)"
      #expect(result.renditions.count == 1 || result.error != nil || info.kind != .audio, what)
      #expect(result.renditions.allSatisfy { $0.width <= 64 && $0.height <= 64 && !$0.data.isEmpty }, what)
      if let peaks = result.peaks {
        let counts = result.error?.code == .truncated ? 1...100 : 100...100
        #expect(counts.contains(peaks.count), what)
        #expect(peaks.allSatisfy { (0...1).contains($0) }, what)
      }
      // Every byte is read a few times at most: for the type, the facts, the cover and the audio.
      #expect(input.bytesRead <= bytes.count * 10 + 1_000_000, what)
    }
  }

  private static let corpus: [String] = {
    guard Corpus.isPresent else { return [] }
    let folder = Corpus.path("audio")
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted().map { folder + "/" + $0 }
  }()

  @Test(arguments: corpus) func `Every corpus audio has an image`(path: String) throws {
    let result = try Studio().render(path, [.box(64), .box(16, .jpeg)])
    guard !path.hasSuffix(".mid") else {
      #expect(result.renditions.isEmpty)
      #expect(result.error == nil)
      return
    }
    #expect(result.renditions.count == 2)
    let name = (path as NSString).lastPathComponent
    let hasCover =
      ["tika-testMP4_coverArt.m4a", "media3-bear-id3.mp3"].contains(name) || name.contains("over")
      || name.contains("picture")
    #expect(Set(result.renditions.map(\.from)) == [hasCover ? .cover : .waveform], "\(name)")
  }

  @Test func `NaN samples are ignored`() throws {
    var bytes = try Fixture.bytes("audio/steps-f32.wav")
    let start = bytes.count - 8_000 * 4
    for (index, bits) in [UInt32(0x7FC0_0000), 0xFFFF_FFFF, 0x7F80_0001].enumerated() {
      bytes.replaceSubrange(
        start + index * 4..<start + index * 4 + 4, with: (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) })
    }
    let input = try MediaInput(bytes: bytes)
    let result = Thumbnailer().render(input, info: MediaProber().facts(of: input), requests: [])
    let peaks = try #require(result.peaks)
    try #require(peaks.max() == 1)
    #expect(abs(peaks[10] - 0.2525) < 0.005)
    // An infinite one is the loudest there can be; next to it everything else is silent.
    bytes.replaceSubrange(start..<start + 4, with: [0, 0, 0x80, 0x7F])
    let infinite = try MediaInput(bytes: bytes)
    let second = Thumbnailer().render(infinite, info: MediaProber().facts(of: infinite), requests: [])
    #expect(second.peaks?.first == 1)
    #expect(second.peaks?.allSatisfy { (0...1).contains($0) } == true)
  }
}
