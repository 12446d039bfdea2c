internal import Glibc

/// Encodes ThumbHash: about 25 bytes with a blurred image, its aspect ratio and its transparency.
///
/// The format is Evan Wallace's (github.com/evanw/thumbhash). It has luminance, two color differences and alpha. Each
/// is stored as its mean and the lowest terms of its cosine transform, scaled by the largest of them, in four bits.
enum ThumbHash {
  /// The hash of an image that was reduced to at most 100 pixels a side.
  static func encode(_ image: ReducedImage) -> [UInt8] {
    let planes = Planes(image)
    let (width, height) = (image.width, image.height)
    // Fewer frequencies if alpha is stored too; along the shorter side in proportion to its length.
    let limit = planes.hasAlpha ? 5 : 7
    let longest = max(width, height)
    let wavesX = max(1, rounded(Double(limit * width) / Double(longest)))
    let wavesY = max(1, rounded(Double(limit * height) / Double(longest)))

    let basis = CosineBasis(width: width, height: height, phase: 0.5, columns: 7, rows: 7)
    let l = Terms(planes.l, basis, nx: max(3, wavesX), ny: max(3, wavesY))
    let p = Terms(planes.p, basis, nx: 3, ny: 3)
    let q = Terms(planes.q, basis, nx: 3, ny: 3)
    let landscape = width > height

    let header24 =
      field(63 * l.mean, bits: 6) | field(31.5 + 31.5 * p.mean, bits: 6) << 6
      | field(31.5 + 31.5 * q.mean, bits: 6) << 12 | field(31 * l.scale, bits: 5) << 18
      | (planes.hasAlpha ? 1 << 23 : 0)
    let header16 =
      (landscape ? wavesY : wavesX) | field(63 * p.scale, bits: 6) << 3 | field(63 * q.scale, bits: 6) << 9
      | (landscape ? 1 << 15 : 0)
    var bytes = [header24, header24 >> 8, header24 >> 16, header16, header16 >> 8].map { UInt8(truncatingIfNeeded: $0) }

    var nibbles = l.quantised + p.quantised + q.quantised
    if planes.hasAlpha {
      let a = Terms(planes.a, basis, nx: 5, ny: 5)
      bytes.append(UInt8(truncatingIfNeeded: field(15 * a.mean, bits: 4) | field(15 * a.scale, bits: 4) << 4))
      nibbles += a.quantised
    }
    for at in stride(from: 0, to: nibbles.count, by: 2) {
      bytes.append(nibbles[at] | (at + 1 < nibbles.count ? nibbles[at + 1] << 4 : 0))
    }
    return bytes
  }

  /// Rounds a number to a field of this many bits.
  private static func field(_ value: Double, bits: Int) -> Int { min(max(0, rounded(value)), 1 << bits - 1) }

  /// Rounds half up, and also values within rounding error of a half.
  ///
  /// A symmetric image has many terms of exactly 0, stored as 7.5. The last bit of a sum, which differs between
  /// processors, must not decide between 7 and 8.
  fileprivate static func rounded(_ value: Double) -> Int { Int((value + 0.5 + 1e-6).rounded(.down)) }

  /// The image over its average color as luminance, yellow–blue, red–green, and alpha.
  private struct Planes {
    var l: [Double] = []
    var p: [Double] = []
    var q: [Double] = []
    var a: [Double] = []
    var hasAlpha = false

    init(_ image: ReducedImage) {
      // Not `stride`, which is slow in a debug build.
      let rgba = image.rgba
      var at = 0
      var average = SIMD3<Double>.zero
      var visible = 0.0
      while at + 3 < rgba.count {
        let alpha = Double(rgba[at + 3]) / 255
        average += SIMD3(Double(rgba[at]), Double(rgba[at + 1]), Double(rgba[at + 2])) * (alpha / 255)
        visible += alpha
        if rgba[at + 3] != 255 { hasAlpha = true }
        at += 4
      }
      if visible > 0 { average /= visible }
      for plane in [\Planes.l, \.p, \.q, \.a] { self[keyPath: plane].reserveCapacity(rgba.count / 4) }
      at = 0
      while at + 3 < rgba.count {
        let alpha = Double(rgba[at + 3]) / 255
        let color =
          average * (1 - alpha)
          + SIMD3(Double(rgba[at]), Double(rgba[at + 1]), Double(rgba[at + 2])) * (alpha / 255)
        l.append((color.x + color.y + color.z) / 3)
        p.append((color.x + color.y) / 2 - color.z)
        q.append(color.x - color.y)
        a.append(alpha)
        at += 4
      }
    }
  }

  /// One plane as its mean and the triangle of its lowest terms.
  private struct Terms {
    /// The constant term.
    var mean = 0.0
    /// The largest absolute value of the other terms.
    var scale = 0.0
    /// The other terms as 0…15 between −scale and +scale, row by row.
    var quantised: [UInt8] = []

    init(_ plane: [Double], _ basis: CosineBasis, nx: Int, ny: Int) {
      let terms = basis.terms(of: plane, columns: nx, rows: ny)
      var varying: [Double] = []
      for row in 0..<ny {
        // cx / nx + cy / ny < 1: terms with high frequencies in both directions are omitted.
        var column = 0
        while column * ny < nx * (ny - row) {
          let term = terms[row * nx + column]
          if row == 0, column == 0 { mean = term } else { varying.append(term) }
          column += 1
        }
      }
      scale = varying.reduce(0) { max($0, abs($1)) }
      // A constant plane only has rounding errors, which would be amplified to full scale.
      if scale < 1e-9 { scale = 0 }
      quantised = varying.map {
        scale == 0 ? 0 : UInt8(truncatingIfNeeded: min(max(0, ThumbHash.rounded(15 * (0.5 + 0.5 / scale * $0))), 15))
      }
    }
  }
}
