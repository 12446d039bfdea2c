internal import Glibc

/// Encodes BlurHash: the lowest frequencies of an image as a short text, 28 characters for 4 × 3 components.
///
/// The format is Wolt's (github.com/woltapp/blurhash, Algorithm.md); constants and rounding are those of its C encoder.
enum BlurHash {
  /// Encodes an image; alpha is ignored.
  ///
  /// - Parameters:
  ///   - columns: Components along the width, 1…9.
  ///   - rows: Components along the height, 1…9.
  static func encode(_ image: ReducedImage, columns: Int, rows: Int) -> String {
    let columns = min(max(1, columns), 9)
    let rows = min(max(1, rows), 9)
    let basis = CosineBasis(width: image.width, height: image.height, phase: 0, columns: columns, rows: rows)
    let planes = (0..<3).map { channel in
      // Not `stride`, which is slow in a debug build.
      let plane = (0..<image.rgba.count / 4).map { linear[Int(image.rgba[$0 * 4 + channel])] }
      return basis.terms(of: plane, columns: columns, rows: rows)
    }
    // Every component except the constant one counts twice.
    let varying = (1..<columns * rows).map { term in planes.map { $0[term] * 2 } }

    var text = digits(columns - 1 + (rows - 1) * 9, count: 1)
    let largest = varying.joined().reduce(0) { max($0, abs($1)) }
    let maximum = min(max(0, Int((largest * 166 - 0.5).rounded(.down))), 82)
    text += digits(varying.isEmpty ? 0 : maximum, count: 1)
    text += digits(planes.reduce(0) { $0 << 8 | srgb($1[0]) }, count: 4)
    for term in varying {
      text += digits(term.reduce(0) { $0 * 19 + level($1, of: Double(maximum + 1) / 166) }, count: 2)
    }
    return text
  }

  /// Quantises an amplitude to 0…18, finer around 9, which is zero.
  private static func level(_ value: Double, of maximum: Double) -> Int {
    let root = (abs(value) / maximum).squareRoot()
    let level = (value < 0 ? -root : root) * 9 + 9.5
    return Int(min(max(0, level), 18))
  }

  private static let alphabet = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")

  /// A number in base 83, most significant digit first.
  private static func digits(_ value: Int, count: Int) -> String {
    var value = value
    var text: [Character] = []
    for _ in 0..<count {
      text.append(alphabet[value % 83])
      value /= 83
    }
    return String(text.reversed())
  }

  /// Linear light of each sRGB level (IEC 61966-2-1), 0…1.
  private static let linear: [Double] = (0...255).map {
    let value = Double($0) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  /// The sRGB level for linear light.
  private static func srgb(_ light: Double) -> Int {
    let light = min(max(0, light), 1)
    return Int((light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055) * 255 + 0.5)
  }
}
