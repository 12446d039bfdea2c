internal import CMediaShims
internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing
internal import Thumbnails

/// Signals of high dynamic range on a standard display. What is expected comes from the formulas of ITU-T H.273, ITU-R BT.2100 and BT.2390,
/// worked out in double precision by another program. Images of known light are among the fixtures: `hdr/*.png`.
@Suite struct ToneMapTests {
  private static let signals: [[Double]] = [
    [0, 0, 0], [0.1, 0.1, 0.1], [0.25, 0.25, 0.25], [0.4, 0.4, 0.4], [0.508, 0.508, 0.508], [0.58, 0.58, 0.58],
    [0.65, 0.65, 0.65], [0.7518, 0.7518, 0.7518], [1, 1, 1], [0.45, 0.3, 0.2], [0.2, 0.5, 0.3], [0.3, 0.25, 0.6],
    [0.7, 0.5, 0.4], [0.55, 0.75, 0.6], [0.9, 0.2, 0.2],
  ]

  /// Greys do not depend on the primaries.
  private static let pqGreys: [[UInt8]] = [0, 5, 44, 111, 186, 229, 249, 255, 255].map { [$0, $0, $0] }
  private static let hlgGreys: [[UInt8]] = [0, 16, 61, 107, 139, 165, 194, 230, 255].map { [$0, $0, $0] }

  static let answers: [(transfer: Int, primaries: Int, colors: [[UInt8]])] = [
    (16, 9, pqGreys + [[174, 41, 11], [0, 189, 24], [0, 22, 240], [255, 46, 34], [0, 255, 110], [255, 0, 0]]),
    (16, 12, pqGreys + [[154, 56, 13], [0, 183, 37], [53, 34, 240], [255, 87, 41], [0, 255, 119], [255, 0, 0]]),
    (
      16, 1,
      pqGreys + [[143, 63, 29], [29, 180, 63], [52, 36, 237], [254, 107, 64], [109, 255, 136], [255, 2, 2]]
    ),
    (
      18, 9,
      hlgGreys + [[135, 72, 46], [0, 140, 75], [74, 60, 158], [225, 117, 99], [32, 231, 153], [255, 0, 10]]
    ),
    (
      18, 12,
      hlgGreys + [[122, 76, 47], [0, 136, 77], [79, 63, 158], [213, 130, 103], [120, 228, 157], [252, 0, 10]]
    ),
  ]

  /// Maps pixels of so many channels.
  private func mapped(_ levels: [UInt16], channels: Int, _ options: mediatool_tone_map_options) throws -> [UInt8] {
    let map = try #require(mediatool_tone_map_new(options))
    defer { mediatool_tone_map_free(map) }
    var out = [UInt8](repeating: 0, count: levels.count)
    mediatool_tone_map_pixels(map, levels, &out, levels.count / channels, CInt(channels))
    return out
  }

  /// White as 16 bits have it, and as 10 and 12 bits that are shifted up.
  @Test(arguments: answers, [65_535, 1_023 << 6, 4_095 << 4])
  func `Every signal matches the formulas`(
    answer: (transfer: Int, primaries: Int, colors: [[UInt8]]), white: Int
  ) throws {
    let options = mediatool_tone_map_options(
      transfer: CInt(answer.transfer), primaries: CInt(answer.primaries), peak: 0, white: CInt(white))
    // The steps of ten bits are coarser than what is compared here.
    let tolerance = white == 1_023 << 6 ? 3 : 2
    let levels = Self.signals.joined().map { UInt16(($0 * Double(white)).rounded()) }
    let found = try mapped(levels, channels: 3, options)
    for (at, expected) in answer.colors.joined().enumerated() {
      #expect(
        abs(Int(found[at]) - Int(expected)) <= tolerance, "\(Self.signals[at / 3]): \(found[at]), not \(expected)")
    }
  }

  @Test func `A higher peak keeps more highlights`() throws {
    // 1000 and 2000 cd/m² in PQ.
    let levels = [0.7518, 0.8274].flatMap { [UInt16](repeating: UInt16($0 * 65_535), count: 3) }
    func greys(_ peak: Double) throws -> [UInt8] {
      let options = mediatool_tone_map_options(transfer: 16, primaries: 9, peak: peak, white: 0)
      return try mapped(levels, channels: 3, options)
    }
    #expect(try greys(1_000) == [255, 255, 255, 255, 255, 255])
    let high = try greys(2_000)
    #expect(high[0] < 255)
    #expect(high[3] == 255)
  }

  @Test func `Alpha is scaled but not tone mapped`() throws {
    let options = mediatool_tone_map_options(transfer: 18, primaries: 9, peak: 0, white: 1_023 << 6)
    let found = try mapped([0, 0, 0, 512 << 6, 0, 0, 0, 1_023 << 6, 0, 0, 0, 65_535], channels: 4, options)
    #expect(found == [0, 0, 0, 128, 0, 0, 0, 255, 0, 0, 0, 255])
  }

  @Test(arguments: [0, 1, 2, 13, 17, 255, -1])
  func `Other transfer functions are not tone mapped`(transfer: CInt) {
    #expect(!mediatool_tone_map_knows(transfer))
    #expect(
      mediatool_tone_map_new(mediatool_tone_map_options(transfer: transfer, primaries: 9, peak: 0, white: 0)) == nil)
  }

  /// Against the signals as the decoder gives them, ten bits shifted up.
  @Test(arguments: ["pq", "hlg"])
  func `An AVIF is tone mapped`(name: String) throws {
    let studio = try Studio()
    let path = Fixture.path("hdr/\(name).avif")
    let options = mediatool_tone_map_options(
      transfer: name == "pq" ? 16 : 18, primaries: 9, peak: 0, white: 1_023 << 6)
    // Two sizes share one decode.
    let result = try studio.render(path, [.box(160), .box(80)])
    #expect(result.error == nil)
    let image = try studio.pixels(of: #require(result.renditions.first))
    for (x, y) in [(40, 60), (80, 30), (100, 70), (155, 90)] {
      let signal = try studio.check(studio.vips.run(["getpoint", path, "\(x)", "\(y)"])).text
      let levels = signal.split(separator: " ").compactMap {
        UInt16($0.trimmingCharacters(in: .whitespacesAndNewlines))
      }
      try #require(levels.count == 3, "\(signal)")
      let expected = try mapped(levels, channels: 3, options)
      #expect(zip(image[x, y], expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(image[x, y]), \(expected)")
    }
  }

  /// Every frame of a sequence is mapped once, as its first frame is when it is shown alone.
  @Test func `An animation is tone mapped like a still`() throws {
    let studio = try Studio()
    let path = studio.folder.path("clip.avif")
    let source = "color=0x908070:size=120x80:rate=5:duration=1,format=yuv420p10le"
    let tags = "setparams=color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc:range=tv"
    try studio.check(
      studio.ffmpeg.run([
        "-v", "error", "-f", "lavfi", "-i", source, "-vf", tags, "-color_primaries", "bt2020", "-color_trc",
        "smpte2084",
        "-colorspace", "bt2020nc", "-c:v", "libaom-av1", "-cpu-used", "8", "-y", path,
      ]))
    var moving = RenditionRequest.box(60, .webp)
    moving.animated = true
    moving.encoding = .quality(100)
    let renditions = try studio.render(path, [moving, .box(60)]).renditions
    #expect(renditions.map(\.frames) == [5, 1])
    let (frame, still) = try (studio.pixels(of: renditions[0])[30, 20], studio.pixels(of: renditions[1])[30, 20])
    #expect(zip(frame, still).allSatisfy { abs(Int($0) - Int($1)) <= 6 }, "\(frame), \(still)")
    // Unmapped it would be 144, 128, 112.
    #expect(still[0] > 200, "\(still)")
  }
}
