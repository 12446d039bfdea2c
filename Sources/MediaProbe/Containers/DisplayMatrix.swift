package import MediaModel

/// The rotation and mirroring of a video: the matrix of a track (ISO/IEC 14496-12, 8.3.2) as libav provides it.
package struct DisplayMatrix: Hashable, Sendable {
  /// Clockwise rotation in degrees, rounded to 0, 90, 180 or 270.
  package let rotation: Int
  /// Whether the image is mirrored horizontally after the rotation, as front cameras do.
  package let isMirrored: Bool

  /// Nil for an invalid matrix: fewer than nine numbers, or singular.
  package init?(_ matrix: [Int32]) {
    guard matrix.count >= 9 else { return nil }
    // 16.16 fixed point; x' = a·x + c·y, y' = b·x + d·y.
    let (a, b, c, d) = (Double(matrix[0]), Double(matrix[1]), Double(matrix[3]), Double(matrix[4]))
    let determinant = a * d - b * c
    guard determinant != 0 else { return nil }
    isMirrored = determinant < 0
    // After undoing the mirroring, the first column is the cosine and the sine of the angle. Angles are multiples of
    // 90°, so the larger of the two decides.
    let (cosine, sine) = (isMirrored ? -a : a, b)
    if abs(cosine) >= abs(sine) {
      rotation = cosine > 0 ? 0 : 180
    } else {
      rotation = sine > 0 ? 90 : 270
    }
  }

  /// The equivalent EXIF orientation.
  package var orientation: MediaInfo.Orientation {
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
