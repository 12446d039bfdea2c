internal import Foundation
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing
internal import Thumbnails

/// Audio files whose levels are known by construction: 1/4, 1/2, 1 and silence, a quarter each.
@Suite struct WaveformTests {
  private func render(
    _ name: String, _ requests: [RenditionRequest] = [.box(64)], peaks: Int = 16
  ) throws -> ThumbnailResult {
    var options = Thumbnailer.Options()
    options.peaks = peaks
    return try Studio().render(Fixture.path(name), requests, options: options)
  }

  @Test(arguments: [
    ("steps-u8.wav", 0.02), ("steps-s16.wav", 0.005), ("steps-s24.wav", 0.005), ("steps-f32.wav", 0.005),
    ("steps.flac", 0.005), ("steps.mp3", 0.05), ("steps.opus", 0.08), ("steps.3gp", 0.05),
  ])
  func `The peaks match the generated levels`(name: String, tolerance: Double) throws {
    let result = try render("audio/\(name)")
    #expect(result.error == nil)
    let peaks = try #require(result.peaks)
    #expect(peaks.count == 16)
    #expect(peaks.max() == 1)
    // The peaks on either side of a step are skipped, because lossy codecs smear them.
    for (shares, level) in [(0..<3, 0.2525), (5..<7, 0.505), (9..<11, 1), (14..<16, 0)] {
      for share in shares {
        #expect(abs(Double(peaks[share]) - level) <= tolerance, "\(name), share \(share): \(peaks[share])")
      }
    }
  }

  @Test(arguments: ["formats/tone.amr", "audio/voice.awb", "audio/steps.opus", "audio/steps.3gp"])
  func `Voice notes have a waveform`(name: String) throws {
    let result = try render(name)
    #expect(result.error == nil)
    #expect(result.renditions.map(\.from) == [.waveform])
    let peaks = try #require(result.peaks)
    #expect(peaks.count == 16)
    #expect(peaks.max() == 1)
    #expect(Set(peaks).count > 3)
  }

  @Test func `The channels are mixed by their mean`() throws {
    #expect(try render("audio/opposite.wav").peaks == [Float](repeating: 0, count: 16))
    #expect(try render("audio/one-side.wav").peaks?.allSatisfy { $0 > 0.99 } == true)
  }

  @Test(arguments: ["audio/silence.flac", "audio/one-sample.wav"]) func `The shortest audio has a waveform`(
    name: String
  )
    throws
  {
    let result = try render(name)
    #expect(result.error == nil)
    #expect(result.renditions.map(\.from) == [.waveform])
    #expect(result.peaks == [Float](repeating: name.contains("silence") ? 0 : 1, count: 16))
  }

  @Test func `Each waveform fills its box`() throws {
    var requests: [RenditionRequest] = []
    for (width, height) in [(64, 64), (300, 20), (1_440, 1_440)] {
      requests.append(RenditionRequest(name: "\(width)", box: PixelSize(width: width, height: height)))
    }
    requests[1].fit = .cover(.attention)
    let result = try render("audio/steps-s16.wav", requests)
    #expect(result.renditions.map(\.width) == [64, 300, 1_440])
    #expect(result.renditions.map(\.height) == [64, 20, 1_440])
    #expect(result.renditions.allSatisfy { $0.from == .waveform && $0.type == .webp })
    #expect(result.placeholder?.color == "#2277e6")
  }

  @Test(arguments: [RenditionRequest.Format.webp, .png, .avif]) func `The background is transparent`(
    format: RenditionRequest.Format
  ) throws {
    let rendition = try #require(render("audio/steps-s16.wav", [.box(64, format)]).renditions.first)
    let pixels = try Studio().pixels(of: rendition)
    #expect(pixels[1, 1][3] == 0)
    // The loudest quarter, in the middle.
    #expect(pixels[39, 32][3] == 255)
  }

  @Test func `The background of a JPEG is the requested color`() throws {
    var request = RenditionRequest.box(64, .jpeg)
    request.background = RenditionRequest.Color(red: 0x12, green: 0x12, blue: 0x12)
    let pixels = try Studio().pixels(of: try #require(render("audio/steps-s16.wav", [request]).renditions.first))
    #expect(pixels[1, 1].prefix(3).allSatisfy { abs(Int($0) - 0x12) <= 3 })
  }

  @Test func `The same audio gives the same bytes`() throws {
    let requests = [RenditionRequest.box(128, .webp), .box(99, .png)]
    #expect(try render("audio/steps.opus", requests) == render("audio/steps.opus", requests))
  }

  @Test func `The waveform does not depend on the requested peaks`() throws {
    let with = try render("audio/steps-s16.wav")
    let without = try render("audio/steps-s16.wav", peaks: 0)
    #expect(without.peaks == nil)
    #expect(with.renditions == without.renditions)
    #expect(try render("audio/steps-s16.wav", peaks: .max).peaks?.count == Thumbnailer.Options.maxPeaks)
    #expect(try render("audio/steps-s16.wav", peaks: -1).peaks == nil)
  }

  @Test func `An invalid request is refused`() throws {
    var cropped = RenditionRequest.box(64)
    cropped.crop = PixelRect(x: 0, y: 0, width: 8, height: 8)
    #expect(try render("audio/steps-s16.wav", [cropped]).error?.code == .invalidRequest)
    #expect(try render("audio/steps-s16.wav", [.box(16_383)]).error?.code == .tooManyPixels)
    #expect(try render("audio/steps-s16.wav", [.box(0)]).error?.code == .invalidRequest)
  }

  @Test func `Truncated audio has a waveform and an error`() throws {
    let result = try render("broken/cut.mp3")
    #expect(result.renditions.map(\.from) == [.waveform])
    #expect(result.error?.code == .truncated)
  }

  @Test func `Undecodable audio has an icon and an error`() throws {
    // MACE 3:1, which is not among the decoders that are allowed: the name of the codec in an otherwise whole file.
    var bytes = try Fixture.bytes("formats/alac.m4a")
    let alac = Array("alac".utf8)
    for at in bytes.indices.dropLast(3) where Array(bytes[at..<at + 4]) == alac {
      bytes.replaceSubrange(at..<at + 4, with: Array("MAC3".utf8))
    }
    let input = try MediaInput(bytes: bytes)
    let result = Thumbnailer().render(input, info: MediaProber().facts(of: input), requests: [.box(64)])
    #expect(result.renditions.isEmpty)
    #expect(result.error?.code == .unsupported)
    #expect(result.icon == .audio)
    #expect(result.peaks == nil)
  }

  @Test func `A passed deadline gives only an error`() throws {
    var options = Thumbnailer.Options()
    options.limits.renderSeconds = 0
    let result = try Studio().render(Fixture.path("audio/steps-s16.wav"), [.box(64)], options: options)
    #expect(result.error?.code == .timedOut)
    #expect(result.renditions.isEmpty)
    #expect(result.peaks == nil)
  }

  /// Nearly three hours of silence at 192 kHz: two billion samples, which take no disk, and any machine far longer than its first samples.
  @Test func `A deadline keeps the decoded part of the waveform`() throws {
    let folder = try TemporaryFolder()
    let (rate, seconds) = (192_000, 10_000)
    let size = UInt32(rate * seconds * 2)
    var header = Array("RIFF".utf8) + le(size + 36) + Array("WAVEfmt ".utf8) + le(16)
    header += [1, 0, 1, 0] + le(UInt32(rate)) + le(UInt32(rate * 2)) + [2, 0, 16, 0] + Array("data".utf8) + le(size)
    // One loud sample at the beginning, so that the rest is not all silence.
    let path = try folder.write(header + [0, 0x40], to: "long.wav")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.truncate(atOffset: UInt64(size) + 44)
    try file.close()
    var options = Thumbnailer.Options()
    var result = ThumbnailResult()
    // Slow machines need more time before anything is heard at all. A deadline is tried where half of it was too short for that.
    for deadline in [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4] {
      options.limits.renderSeconds = deadline
      result = try Studio().render(path, [.box(64)], options: options)
      #expect(result.error?.code == .timedOut)
      if !result.renditions.isEmpty { break }
    }
    let peaks = try #require(result.peaks)
    #expect((1..<100).contains(peaks.count))
    #expect(peaks.first == 1)
    #expect(peaks.dropFirst().allSatisfy { $0 == 0 })
    if let rendition = result.renditions.first {
      let pixels = try Studio().pixels(of: rendition)
      #expect((0..<64).allSatisfy { pixels[63, $0][3] == 0 && pixels[60, $0][3] == 0 })
    }
  }

  private func le(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}
