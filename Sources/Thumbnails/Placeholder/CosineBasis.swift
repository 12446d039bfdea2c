internal import Glibc

/// The cosines of a two-dimensional transform of a thumbnail, computed once for all its planes.
struct CosineBasis {
  private let width: Int
  private let height: Int
  /// Four frequencies at a time, for each column of pixels.
  private let columns: [[SIMD4<Double>]]
  /// One frequency at a time, for each row of pixels.
  private let rows: [[Double]]

  /// Computes the frequencies 0..<`columns` along the width and 0..<`rows` along the height.
  ///
  /// - Parameter phase: The position in a pixel at which the cosine is sampled: 0.5 for its centre (ThumbHash), 0 for
  ///   its edge (BlurHash).
  init(width: Int, height: Int, phase: Double, columns: Int, rows: Int) {
    func cosine(_ wave: Int, _ position: Int, _ length: Int) -> Double {
      cos(Double.pi * Double(wave) * (Double(position) + phase) / Double(length))
    }
    self.width = width
    self.height = height
    self.columns = stride(from: 0, to: columns, by: 4).map { wave in
      (0..<width).map { x in
        SIMD4((0..<4).map { cosine(wave + $0, x, width) })
      }
    }
    self.rows = (0..<rows).map { wave in (0..<height).map { cosine(wave, $0, height) } }
  }

  /// The mean of plane × cosine × cosine for every frequency, row by row. The transform is separable: rows first, then
  /// columns, which is much cheaper than computing each term alone.
  func terms(of plane: [Double], columns nx: Int, rows ny: Int) -> [Double] {
    var terms = [Double](repeating: 0, count: nx * ny)
    for group in 0..<(nx + 3) / 4 {
      let waves = columns[group]
      for y in 0..<height {
        let sums = Self.sum(waves, times: plane, from: y * width)
        for i in group * 4..<min(group * 4 + 4, nx) {
          for j in 0..<ny { terms[j * nx + i] += sums[i - group * 4] * rows[j][y] }
        }
      }
    }
    let count = Double(width * height)
    return terms.map { $0 / count }
  }

  /// The sum of each wave times the pixel of its column, in the row that begins there. By pointers, because debug builds, which tests run, spend a
  /// tenth of their time here otherwise.
  private static func sum(_ waves: [SIMD4<Double>], times plane: [Double], from start: Int) -> SIMD4<Double> {
    waves.withUnsafeBufferPointer { waves in
      plane.withUnsafeBufferPointer { plane in
        guard let wave = waves.baseAddress, let pixels = plane.baseAddress, plane.count - start >= waves.count else {
          return .zero
        }
        let row = pixels + start
        var sums = SIMD4<Double>.zero
        var x = 0
        while x < waves.count {
          sums += wave[x] * SIMD4(repeating: row[x])
          x += 1
        }
        return sums
      }
    }
  }
}
