internal import Glibc

/// The cosines of a two-dimensional transform over a thumbnail, taken once for all its planes.
struct CosineBasis {
  private let width: Int
  private let height: Int
  /// Four waves at a time, for each column of pixels.
  private let columns: [[SIMD4<Double>]]
  /// One wave at a time, for each row of pixels.
  private let rows: [[Double]]

  /// Cosines of the waves 0..<`columns` along the width and 0..<`rows` along the height.
  ///
  /// - Parameter phase: Where in a pixel the cosine is taken: 0.5 in its middle (ThumbHash), 0 at its edge (BlurHash).
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

  /// The mean of plane × cosine × cosine for every wave, row by row. First along each row of pixels, then down the columns,
  /// which is a small part of the work of taking every term by itself.
  func terms(of plane: [Double], columns nx: Int, rows ny: Int) -> [Double] {
    var terms = [Double](repeating: 0, count: nx * ny)
    for group in 0..<(nx + 3) / 4 {
      let waves = columns[group]
      for y in 0..<height {
        var sums = SIMD4<Double>.zero
        for x in 0..<width { sums += waves[x] * plane[y * width + x] }
        for i in group * 4..<min(group * 4 + 4, nx) {
          for j in 0..<ny { terms[j * nx + i] += sums[i - group * 4] * rows[j][y] }
        }
      }
    }
    let count = Double(width * height)
    return terms.map { $0 / count }
  }
}
