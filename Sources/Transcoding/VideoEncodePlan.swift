internal import Foundation
internal import MediaModel

/// The frame size and frame rate of a video for a given bit rate. Pure.
struct VideoEncodePlan: Hashable {
  /// The upright output size, with even sides.
  var size: PixelSize
  /// The part of the output that the video fills; the rest is black.
  var shown: PixelSize
  /// Maximum frames per second.
  var frameRate: Double

  /// Bits per pixel and frame below which the frame size is reduced. x264's rate factor is about 30 then; H.263 needs
  /// twice as many.
  private static let enoughH264 = 0.06
  private static let enoughH263 = 0.12

  /// - Parameters:
  ///   - source: The displayed size.
  ///   - sourceRate: Its frames per second; nil if unknown.
  ///   - bits: Bits per second for the video stream alone.
  init(source: PixelSize, sourceRate: Double?, bits: Double, request: TranscodeRequest) {
    let rate = Self.frameRate(of: sourceRate, maximum: request.maxFrameRate)
    switch request.format {
    case .threeGP(let maximum):
      // The 30 and 15 of H.263 are NTSC rates.
      self.init(
        h263: source, sizes: request.h263Sizes(upTo: maximum), rate: min(rate, maximum == .cif ? 30 : 15), bits: bits)
    case .mp4(let level): self.init(h264: source, level: level, box: request.box, rate: rate, bits: bits)
    case .amr, .aac: self.init(h264: source, level: .level1, box: nil, rate: rate, bits: bits)
    }
  }

  /// The frame rate of a video whose own rate may be unknown or implausible.
  static func frameRate(of source: Double?, maximum: Double) -> Double {
    min(maximum, source.flatMap { $0.isFinite && $0 >= 1 ? $0 : nil } ?? maximum)
  }

  /// The quantiser of the first attempt: what videos of that size usually need, including camera noise. Rate control
  /// corrects small errors.
  ///
  /// - Parameter bytes: Bytes of the video stream.
  func firstQuantizer(isH264: Bool, bytes: Int, seconds: Double) -> Double {
    let pixels = Double(shown.pixelCount) * frameRate * seconds
    let bits = max(1e-6, Double(bytes) * 8 / max(1, pixels))
    let usual = 0.085 * pow(30 / frameRate, 0.5)
    if isH264 { return min(max(26.5 + 6 * log2(usual / bits), 20), 38) }
    return min(max(6 * log2(1.6 / bits), 6), 29)
  }

  private init(h264 source: PixelSize, level: TranscodeRequest.H264Level, box: PixelSize?, rate: Double, bits: Double) {
    // Reduce the size first, then the frame rate, then the size again.
    let steps: [(shortSide: Int, rate: Double)] = [(240, 60), (240, 15), (144, 15), (144, 10), (96, 10)]
    var scale = 1.0
    var size = source
    var frames = rate
    func fits(_ size: PixelSize) -> Bool { level.allows(size) && size.fitsInEitherOrientation(into: box) }
    repeat {
      size = Self.scaled(source, by: scale)
      scale *= 0.96
    } while !fits(size) && scale > 1e-6
    frames = min(frames, level.maxFrameRate(of: size))
    func isEnough() -> Bool { bits / (Double(size.pixelCount) * frames) >= Self.enoughH264 }
    for step in steps where !isEnough() {
      frames = min(frames, step.rate)
      while !isEnough(), min(size.width, size.height) > step.shortSide {
        size = Self.scaled(source, by: scale)
        scale *= 0.92
      }
    }
    self.size = size
    shown = size
    frameRate = frames
  }

  private init(h263 source: PixelSize, sizes: [PixelSize], rate: Double, bits: Double) {
    var frames = rate
    func isEnough(_ size: PixelSize) -> Bool { bits / (Double(size.pixelCount) * frames) >= Self.enoughH263 }
    var size = sizes.first { isEnough($0) }
    if size == nil {
      frames = min(frames, 10)
      size = sizes.first { isEnough($0) } ?? TranscodeRequest.H263Size.sqcif.size
    }
    let whole = size ?? TranscodeRequest.H263Size.sqcif.size
    self.size = whole
    let scale = min(
      Double(whole.width) / Double(max(1, source.width)), Double(whole.height) / Double(max(1, source.height)))
    let fitted = Self.scaled(source, by: scale)
    shown = PixelSize(width: min(fitted.width, whole.width), height: min(fitted.height, whole.height))
    frameRate = frames
  }

  /// Scales to even sides of at least 16, as encoders require.
  private static func scaled(_ size: PixelSize, by scale: Double) -> PixelSize {
    func side(_ length: Int) -> Int { max(16, Int((Double(min(length, 1 << 20)) * scale / 2).rounded()) * 2) }
    return PixelSize(width: side(size.width), height: side(size.height))
  }

  /// The next smaller plan, for a video that did not fit at its worst quality; nil if there is none.
  func smaller(_ request: TranscodeRequest) -> VideoEncodePlan? {
    var plan = self
    if frameRate > 10 {
      plan.frameRate = max(10, frameRate / 2)
      return plan
    }
    if case .threeGP = request.format {
      guard size != TranscodeRequest.H263Size.sqcif.size else {
        plan.frameRate = 5
        return frameRate > 5 ? plan : nil
      }
      let less =
        TranscodeRequest.H263Size.allCases.map(\.size).last { $0.pixelCount < size.pixelCount }
        ?? TranscodeRequest.H263Size.sqcif.size
      let scale = Double(less.width) / Double(size.width)
      plan.size = less
      let fitted = Self.scaled(shown, by: scale)
      plan.shown = PixelSize(width: min(fitted.width, less.width), height: min(fitted.height, less.height))
      return plan
    }
    guard min(size.width, size.height) > 64 else { return nil }
    plan.size = Self.scaled(size, by: 0.7)
    plan.shown = plan.size
    return plan
  }
}
