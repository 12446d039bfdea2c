/// Whether a file with the marks of a camera raw has an image of its own.
///
/// Of a camera raw only an embedded preview is shown, because its image is sensor data. Anybody can write the marks of a raw into a TIFF; other
/// programs then show its image, and not the preview that was added. Such a file is a TIFF.
extension TIFFSignatures {
  /// Maximum number of directories that are read; cameras write at most a dozen.
  private static let directoryLimit = 32

  /// For CR2, whose first directory has the preview, an old-style JPEG (http://lclevy.free.fr/cr2/).
  static func hasImageFirst(_ reader: ByteReader) -> Bool {
    guard let first = firstDirectory(reader) else { return false }
    return isImage(first) && first.integer(259) != 6
  }

  /// For raws whose directories are marked: a first directory that is not marked as a preview, or another image of full resolution. JPEGs of other
  /// directories are previews.
  static func hasImage(_ reader: ByteReader) -> Bool {
    guard let first = firstDirectory(reader) else { return false }
    if isImage(first) { return true }
    let pages = first.structure.chain(limit: directoryLimit).offsets.dropFirst()
    let below = first.integers(330, limit: directoryLimit) ?? []
    return (pages + below).contains { offset in
      first.structure.directory(at: offset).map { isImage($0) && !isJPEG($0) } ?? false
    }
  }

  private static func firstDirectory(_ reader: ByteReader) -> TIFFDirectory? {
    TIFFStructure(reader).flatMap { $0.directory(at: $0.firstDirectory) }
  }

  /// Whether it has pixels in full resolution in a color space that every reader of TIFF knows: no color filter array (32803), no linear sensor
  /// data (34892), no mask and no depth map.
  private static func isImage(_ directory: TIFFDirectory) -> Bool {
    guard !TIFFHeader.isReduced(directory), directory.entry(273) != nil || directory.entry(324) != nil else {
      return false
    }
    switch directory.integer(262) {
    case 0, 1, 2, 3, 5, 6, 8, 9, 10: return true
    // Readers guess the color space from the number of samples.
    case nil: return [1, 5, 8, 32_773, 32_946].contains(directory.integer(259) ?? 1)
    default: return false
    }
  }

  private static func isJPEG(_ directory: TIFFDirectory) -> Bool { [6, 7].contains(directory.integer(259)) }
}
