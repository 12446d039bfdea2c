package import MediaModel

/// How a video has to be turned: the matrix of a track (ISO/IEC 14496-12, 8.3.2) as libav hands it on.
package struct DisplayMatrix: Hashable, Sendable {
  /// Degrees clockwise: 0, 90, 180 or 270, the nearest to what the matrix says.
  package let rotation: Int
  /// Whether the image is mirrored left to right after it has been turned, as front cameras do.
  package let isMirrored: Bool

  /// nil for a matrix that turns nothing: fewer than nine numbers, or a flat one.
  package init?(_ matrix: [Int32]) {
    guard matrix.count >= 9 else { return nil }
    // 16.16 fixed point; x' = a·x + c·y, y' = b·x + d·y.
    let (a, b, c, d) = (Double(matrix[0]), Double(matrix[1]), Double(matrix[3]), Double(matrix[4]))
    let determinant = a * d - b * c
    guard determinant != 0 else { return nil }
    isMirrored = determinant < 0
    // With the mirror undone, the first column is the cosine and the sine of the angle. The angle comes in quarters, so the
    // larger of the two decides.
    let (cosine, sine) = (isMirrored ? -a : a, b)
    if abs(cosine) >= abs(sine) {
      rotation = cosine > 0 ? 0 : 180
    } else {
      rotation = sine > 0 ? 90 : 270
    }
  }

  /// The same as an EXIF orientation.
  package var orientation: Orientation {
    switch (rotation, isMirrored) {
    case (90, false): .right
    case (180, false): .down
    case (270, false): .left
    case (0, true): .upMirrored
    case (90, true): .leftMirrored
    case (180, true): .downMirrored
    case (270, true): .rightMirrored
    default: .up
    }
  }
}
