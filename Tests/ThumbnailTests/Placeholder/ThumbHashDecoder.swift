internal import Foundation
internal import MediaModel
internal import TestSupport

/// Reads a ThumbHash back, as an app does that shows it; written from the format's description, apart from the encoder.
struct ThumbHashDecoder {
  private let bytes: [UInt8]

  init?(base64: String) {
    guard let data = Data(base64Encoded: base64), data.count >= 5 else { return nil }
    bytes = [UInt8](data)
  }

  private var header24: Int { Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16 }
  private var header16: Int { Int(bytes[3]) | Int(bytes[4]) << 8 }
  var hasAlpha: Bool { header24 >> 23 != 0 }
  private var landscape: Bool { header16 >> 15 != 0 }
  private var wavesX: Int { landscape ? (hasAlpha ? 5 : 7) : header16 & 7 }
  private var wavesY: Int { landscape ? header16 & 7 : (hasAlpha ? 5 : 7) }

  /// Width divided by height, as near as 3 bits hold it.
  var aspectRatio: Double { Double(wavesX) / Double(wavesY) }

  private var l: Double { Double(header24 & 63) / 63 }
  private var p: Double { Double(header24 >> 6 & 63) / 31.5 - 1 }
  private var q: Double { Double(header24 >> 12 & 63) / 31.5 - 1 }
  private var a: Double { hasAlpha ? Double(bytes[5] & 15) / 15 : 1 }

  /// The mean color, 0…1.
  var average: (red: Double, green: Double, blue: Double, alpha: Double) {
    let (red, green, blue) = Self.rgb(l, p, q)
    return (red, green, blue, a)
  }

  /// The image, its longer side 32 pixels.
  func image() -> PixelBuffer {
    let width = aspectRatio > 1 ? 32 : Int((32 * aspectRatio).rounded())
    let height = aspectRatio > 1 ? Int((32 / aspectRatio).rounded()) : 32
    var nibbles = bytes.dropFirst(hasAlpha ? 6 : 5).flatMap { [$0 & 15, $0 >> 4] }[...]
    func terms(_ nx: Int, _ ny: Int, _ scale: Double) -> [(x: Int, y: Int, height: Double)] {
      var terms: [(x: Int, y: Int, height: Double)] = []
      for y in 0..<ny {
        for x in 0..<nx where x + y > 0 && x * ny < nx * (ny - y) {
          terms.append((x, y, (Double(nibbles.popFirst() ?? 0) / 7.5 - 1) * scale))
        }
      }
      return terms
    }
    let lTerms = terms(max(3, wavesX), max(3, wavesY), Double(header24 >> 18 & 31) / 31)
    // Color is made a quarter stronger, against what quantising takes away.
    let pTerms = terms(3, 3, Double(header16 >> 3 & 63) / 63 * 1.25)
    let qTerms = terms(3, 3, Double(header16 >> 9 & 63) / 63 * 1.25)
    let aTerms = hasAlpha ? terms(5, 5, Double(bytes[5] >> 4) / 15) : []
    return PixelBuffer(width: width, height: height) { x, y in
      func value(_ mean: Double, _ terms: [(x: Int, y: Int, height: Double)]) -> Double {
        terms.reduce(mean) { sum, term in
          sum + term.height * 2 * cos(.pi / Double(width) * (Double(x) + 0.5) * Double(term.x))
            * cos(.pi / Double(height) * (Double(y) + 0.5) * Double(term.y))
        }
      }
      let (red, green, blue) = Self.rgb(value(l, lTerms), value(p, pTerms), value(q, qTerms))
      return [red, green, blue, min(max(0, value(a, aTerms)), 1)].map { UInt8($0 * 255) }
    }
  }

  private static func rgb(_ l: Double, _ p: Double, _ q: Double) -> (Double, Double, Double) {
    let blue = l - 2 / 3 * p
    let red = (3 * l - blue + q) / 2
    return (min(max(0, red), 1), min(max(0, red - q), 1), min(max(0, blue), 1))
  }
}
