internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

/// The peaks of an audio file, counted once more out of all samples that ffmpeg gives.
@Suite struct PeaksAgainstFFmpegTests {
  private static let fixtures: [String] =
    (Fixture.all(in: "formats/tone.") + Fixture.all(in: "audio/")).map(\.absolutePath)

  private static let corpus: [String] = {
    guard Corpus.isPresent else { return [] }
    let folder = Corpus.path("audio")
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted().map { folder + "/" + $0 }
  }()

  /// Of full scale: rounding in the mix of the channels.
  private static let mixing = 1e-4
  /// Of the loudest: peaks are rounded to thousandths.
  private static let rounding = 5e-4

  /// Files in which nothing can be heard: notes without an audio file, and an MP4 whose only packet is damaged.
  private static let silent = ["tika-testMID.mid", "tika-testMP4_coverArt.m4a"]

  @Test(arguments: fixtures + corpus) func `Every peak is the largest sample of its segment`(path: String) throws {
    let input = try MediaInput(path: path)
    let info = MediaProber().facts(of: input)
    let result = Thumbnailer().render(input, info: info, requests: [])
    let isSilent = Self.silent.contains(URL(fileURLWithPath: path).lastPathComponent)
    try #require((result.peaks == nil) == isSilent, "\(String(describing: result.error))")
    guard let peaks = result.peaks else { return }
    let mono = try samples(path, channels: #require(info.channels))
    // Each stretch of the envelope has a power of two of samples; at most 16,384 of them hold the audio.
    var stretch = 1
    while (mono.count + stretch - 1) / stretch > 16_384 { stretch *= 2 }
    let loudest = mono.max() ?? 0
    try #require(peaks.count == 100)
    guard loudest >= 0.001 else {
      #expect(peaks.allSatisfy { $0 == 0 })
      return
    }
    let tolerance = Self.mixing + Self.rounding * Double(loudest)
    for (index, peak) in peaks.enumerated() {
      let level = Double(peak) * Double(loudest)
      let start = index * mono.count / 100
      let end = max(start + 1, (index + 1) * mono.count / 100)
      let least = mono[start..<end].max() ?? 0
      let maximum = mono[max(0, start - stretch)..<min(mono.count, end + stretch)].max() ?? 0
      #expect(level >= Double(least) - tolerance, "peak \(index)")
      #expect(level <= Double(maximum) + tolerance, "peak \(index)")
    }
  }

  /// The absolute mean of the channels, sample by sample.
  private func samples(_ path: String, channels: Int) throws -> [Float] {
    let ffmpeg = try Tool("ffmpeg", package: "ffmpeg")
    let output = try ffmpeg.run([
      "-v", "error", "-i", path, "-map", "0:a:0", "-f", "f32le", "-ac", "\(channels)", "-",
    ])
    let all = output.bytes.withUnsafeBytes { raw in
      (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: $0 * 4, as: Float.self) }
    }
    return stride(from: 0, to: all.count - channels + 1, by: channels).map { at in
      abs(all[at..<at + channels].reduce(0, +) / Float(channels))
    }
  }
}
