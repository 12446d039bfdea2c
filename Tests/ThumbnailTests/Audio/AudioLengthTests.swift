internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing

@testable internal import Thumbnails

/// Audio files that are not heard to their end, that have none, or that are very long.
@Suite struct AudioLengthTests {
  let studio: Studio

  init() throws { studio = try Studio() }

  @Test func `The stated duration holds unless more was decoded`() {
    #expect(AudioReader.wholeSamples(heard: 1_000, stated: 8_000, read: 10, of: 20) == 8_000)
    #expect(AudioReader.wholeSamples(heard: 1_000, stated: 0, read: 10, of: 40) == 4_000)
    #expect(AudioReader.wholeSamples(heard: 1_000, stated: 999, read: 10, of: 40) == 4_000)
    #expect(AudioReader.wholeSamples(heard: 1_000, stated: 999, read: 40, of: 40) == 1_000)
    #expect(AudioReader.wholeSamples(heard: 1_000, stated: 1e300, read: -1, of: 0) == AudioEnvelope.longest)
    #expect(AudioReader.wholeSamples(heard: 0, stated: .nan, read: .min, of: .max) == 0)
  }

  @Test func `Truncated audio leaves its end empty`() throws {
    let whole = studio.folder.path("whole.m4a")
    try studio.check(
      studio.ffmpeg.run(
        ["-v", "error", "-f", "lavfi", "-i", "sine=d=8", "-c:a", "aac", "-movflags", "+faststart", whole]))
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: whole)))
    let result = try studio.render(
      studio.folder.write(Array(bytes.prefix(bytes.count / 2)), to: "half.m4a"), [.box(64)])
    #expect(result.error?.code == .truncated)
    #expect((40...60).contains(try #require(result.peaks).count))
    let pixels = try studio.pixels(of: try #require(result.renditions.first))
    #expect((40..<64).allSatisfy { pixels[$0, 32][3] == 0 })
    #expect(pixels[16, 32][3] > 0)
  }

  /// 16-bit samples at 8 kHz, none of them.
  private static let emptyWave: [UInt8] = {
    var bytes = Array("RIFF".utf8) + [36, 0, 0, 0] + Array("WAVEfmt ".utf8)
    bytes += [16, 0, 0, 0, 1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x80, 0x3E, 0, 0, 2, 0, 16, 0]
    bytes += Array("data".utf8) + [0, 0, 0, 0]
    return bytes
  }()

  @Test(arguments: [("empty.amr", Array("#!AMR\n".utf8)), ("empty.wav", emptyWave)])
  func `Audio without duration is a line`(name: String, bytes: [UInt8]) throws {
    let result = try studio.render(studio.folder.write(bytes, to: name), [.box(64)])
    #expect(result.error == nil, "\(String(describing: result.error))")
    #expect(result.peaks == [Float](repeating: 0, count: 100))
    let pixels = try studio.pixels(of: try #require(result.renditions.first))
    #expect(pixels[32, 32][3] > 0)
    #expect(pixels[32, 20][3] == 0)
  }

  /// 288 million samples at 8 kHz, all silent but the first and the last, and no disk.
  @Test func `Ten hours are decoded to the end`() throws {
    let (rate, size) = (8_000, UInt32(8_000 * 36_000 * 2))
    var head = Array("RIFF".utf8) + le(size + 36) + Array("WAVEfmt ".utf8) + le(16)
    head += [1, 0, 1, 0] + le(UInt32(rate)) + le(UInt32(rate * 2)) + [2, 0, 16, 0]
    head += Array("data".utf8) + le(size) + [0, 0x40]
    let path = try studio.folder.write(head, to: "long.wav")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: UInt64(size) + 42)
    try file.seekToEnd()
    try file.write(contentsOf: [0, 0x20])
    try file.close()
    var options = Thumbnailer.Options()
    options.limits.renderSeconds = 600
    let result = try studio.render(path, [.box(64)], options: options)
    #expect(result.error == nil)
    let peaks = try #require(result.peaks)
    #expect(peaks.count == 100)
    #expect(peaks.first == 1)
    #expect(peaks.last == 0.5)
    #expect(peaks.dropFirst().dropLast().allSatisfy { $0 == 0 })
  }

  @Test func `Nothing is decoded without a request`() throws {
    let path = studio.folder.path("noise.flac")
    try studio.check(studio.ffmpeg.run(["-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=5:s=1", path]))
    var options = Thumbnailer.Options()
    options.placeholder = false
    options.peaks = 0
    let result = try studio.render(path, [], options: options)
    #expect(result.error == nil)
    #expect(result.icon == nil)
    #expect(result.renditions.isEmpty)
    #expect(result.peaks == nil)
    #expect(result.bytesRead < (try studio.render(path, [.box(64)])).bytesRead / 2)
  }

  private func le(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}
