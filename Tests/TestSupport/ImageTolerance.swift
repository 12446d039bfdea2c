/// How far two images may be apart and still count as the same. `ComparatorTests` proves what each set lets through.
public struct ImageTolerance: Sendable {
  /// Least PSNR in dB.
  public var psnr: Double
  /// Greatest difference of one channel of one pixel.
  public var distance: Int
  /// Greatest mean difference of a channel.
  public var cast: Double
  /// Greatest mean difference of a channel over 8 × 8 pixels.
  public var block: Double
  /// Greatest shift along either axis in pixels.
  public var shift: Double
  /// Greatest departure from the neighbourhood's range.
  public var overshoot: Int
  /// Greatest number of differing bits of 64.
  public var hash: Int

  /// The same pixels by another way of computing them: two resamplers, two color engines, before any lossy encoding.
  /// 40 dB is what the project promises against `vipsthumbnail`; 0.75 levels refuses a cast of a single level; a tenth of a pixel
  /// is a fifth of the classic half-pixel fault.
  public static let resampled = ImageTolerance(
    psnr: 40, distance: 48, cast: 0.75, block: 2.5, shift: 0.1, overshoot: 12, hash: 3)

  /// The same image after a lossy encoder of ordinary quality. Noise may be larger, not its mean.
  public static let encoded = ImageTolerance(
    psnr: 30, distance: 96, cast: 0.75, block: 4, shift: 0.1, overshoot: 40, hash: 5)
}

extension ImageComparison {
  /// One sentence for each measure that goes beyond the tolerance; empty when the images count as the same.
  public func faults(beyond tolerance: ImageTolerance) -> [String] {
    var faults: [String] = []
    func check(_ name: String, _ value: Double, _ limit: Double) {
      if !(value <= limit) { faults.append("\(name) \(value) is over \(limit)") }
    }
    if !(psnr >= tolerance.psnr) { faults.append("PSNR \(psnr) is under \(tolerance.psnr)") }
    check("distance", Double(maximumDistance), Double(tolerance.distance))
    for (name, value) in zip(["red", "green", "blue", "alpha"], meanDifference) {
      check("\(name) cast", abs(value), tolerance.cast)
    }
    check("block", worstBlockDifference, tolerance.block)
    check("horizontal shift", abs(shiftX), tolerance.shift)
    check("vertical shift", abs(shiftY), tolerance.shift)
    check("overshoot", Double(overshoot), Double(tolerance.overshoot))
    check("hash", Double(gradientHashDistance), Double(tolerance.hash))
    return faults
  }
}
