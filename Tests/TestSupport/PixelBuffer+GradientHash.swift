extension PixelBuffer {
  /// 64 bits of layout: the image as 9 × 8 mean brightnesses, each compared with its right neighbour. Two encodings of an image
  /// differ in a few bits, two images in about half.
  public var gradientHash: UInt64 {
    var hash: UInt64 = 0
    for row in 0..<8 {
      let means = (0..<9).map { brightness(column: $0, row: row) }
      for column in 0..<8 { hash = hash << 1 | (means[column + 1] > means[column] ? 1 : 0) }
    }
    return hash
  }

  /// Mean luma (BT.601, over black) of one of 9 × 8 cells, times 1000; a cell has at least one pixel.
  private func brightness(column: Int, row: Int) -> Int {
    let (left, top) = (column * width / 9, row * height / 8)
    let columns = left..<max(left + 1, (column + 1) * width / 9)
    let rows = top..<max(top + 1, (row + 1) * height / 8)
    var sum = 0
    for y in rows {
      for x in columns {
        let at = (y * width + x) * 4
        let luma = 299 * Int(rgba[at]) + 587 * Int(rgba[at + 1]) + 114 * Int(rgba[at + 2])
        sum += luma * Int(rgba[at + 3]) / 255
      }
    }
    return sum / (rows.count * columns.count)
  }
}
