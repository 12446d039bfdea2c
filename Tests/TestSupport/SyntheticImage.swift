/// Images made by arithmetic alone, so that another language can make the same pixels: inputs of published vectors and of
/// comparisons. Whole numbers; division rounds down.
public enum SyntheticImage {
  /// One color.
  public static func flat(
    _ width: Int, _ height: Int, _ red: UInt8, _ green: UInt8, _ blue: UInt8, _ alpha: UInt8 = 255
  )
    -> PixelBuffer
  {
    PixelBuffer(width: width, height: height) { _, _ in [red, green, blue, alpha] }
  }

  /// Red rises to the right, green downwards, blue falls along both: no symmetry.
  public static func slope(_ width: Int, _ height: Int) -> PixelBuffer {
    PixelBuffer(width: width, height: height) { x, y in
      [
        byte(x * 255 / max(1, width - 1)), byte(y * 200 / max(1, height - 1)),
        byte(250 - (x * 3 + y * 5) * 250 / (width * 3 + height * 5)), 255,
      ]
    }
  }

  /// Red and blue fields, 8 pixels wide, the first one red.
  public static func checkers(_ width: Int, _ height: Int) -> PixelBuffer {
    PixelBuffer(width: width, height: height) { x, y in
      (x / 8 + y / 8) % 2 == 0 ? [230, 40, 20, 255] : [10, 60, 200, 255]
    }
  }

  /// Bytes of a linear congruential generator (Numerical Recipes: 1664525, 1013904223), the high byte of each state, alpha too
  /// when asked for.
  public static func noise(_ width: Int, _ height: Int, seed: UInt32, alpha: Bool = false) -> PixelBuffer {
    var state = seed
    func next() -> UInt8 {
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    return PixelBuffer(width: width, height: height) { _, _ in
      let color = [next(), next(), next()]
      return color + [alpha ? next() : 255]
    }
  }

  /// The slope seen through a round hole left of and above the middle, with a soft rim; magenta where it is transparent, which
  /// nobody may see.
  public static func disc(_ width: Int, _ height: Int) -> PixelBuffer {
    let slope = slope(width, height)
    let radius = min(width, height) / 3
    return PixelBuffer(width: width, height: height) { x, y in
      let (dx, dy) = (x - width * 2 / 5, y - height / 3)
      let square = dx * dx + dy * dy
      if square > radius * radius { return [255, 0, 255, 0] }
      let color = slope[x, y]
      return [color[0], color[1], color[2], square > (radius - 3) * (radius - 3) ? 128 : 255]
    }
  }

  private static func byte(_ value: Int) -> UInt8 { UInt8(clamping: value) }
}
