internal import MediaModel

/// Finds the most frequent color of an image. An average is often a color that the image does not contain.
///
/// The visible pixels are counted, weighted by alpha, in 16 × 16 × 16 bins of sRGB. The cube of 2 × 2 × 2 adjacent bins
/// with the greatest count wins, and the result is the mean of its pixels. Overlapping cubes make the result stable: a
/// surface whose levels are within 16 of one another falls wholly into some cube, wherever the bin borders are. Among
/// equal counts the darker cube (red, then green, then blue) wins. Uses only integers.
enum DominantColor {
  private static let bins = 16

  /// The dominant color; white if no pixel is visible.
  static func of(_ image: ReducedImage) -> RenditionRequest.Color {
    /// Red, green and blue times alpha, and alpha, summed per bin.
    var histogram = [SIMD4<Int>](repeating: .zero, count: bins * bins * bins)
    let rgba = image.rgba
    // Not `stride` and ranges, which are slow in a debug build.
    var at = 0
    while at + 3 < rgba.count {
      let pixel = SIMD4(Int(rgba[at]), Int(rgba[at + 1]), Int(rgba[at + 2]), 1)
      histogram[index(pixel.x >> 4, pixel.y >> 4, pixel.z >> 4)] &+= pixel &* Int(rgba[at + 3])
      at += 4
    }
    var best = SIMD4<Int>.zero
    for red in 0..<bins - 1 {
      for green in 0..<bins - 1 {
        for blue in 0..<bins - 1 {
          var sum = SIMD4<Int>.zero
          var corner = 0
          while corner < 8 {
            sum &+= histogram[index(red + (corner >> 2), green + (corner >> 1 & 1), blue + (corner & 1))]
            corner += 1
          }
          if sum.w > best.w { best = sum }
        }
      }
    }
    guard best.w > 0 else { return .white }
    func mean(_ sum: Int) -> UInt8 { UInt8(truncatingIfNeeded: (sum + best.w / 2) / best.w) }
    return RenditionRequest.Color(red: mean(best.x), green: mean(best.y), blue: mean(best.z))
  }

  private static func index(_ red: Int, _ green: Int, _ blue: Int) -> Int { (red * bins + green) * bins + blue }
}
