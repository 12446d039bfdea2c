/// An image file directory of a TIFF (TIFF 6.0, section 2).
struct TIFFDirectory {
  /// All of it, with the offset of the next one.
  let range: Range<Int>
  let entries: [TIFFEntry]
  /// The offset of the next page; 0 for the last one.
  let next: Int
}

/// A tag with its value.
struct TIFFEntry {
  let tag: Int
  let type: Int
  /// Number of values.
  let count: Int
  /// The offset of the entry.
  let place: Int
  /// Where the values are; nil for an unknown type, and outside the file.
  let value: Range<Int>?

  /// Whether the values are in the entry itself, because they have at most four bytes.
  var isInline: Bool { value.map { $0.count <= 4 } ?? true }

  /// Whether the values are numbers, not text or octets of any meaning.
  var isNumeric: Bool { type != 2 && type != 7 }

  /// The bytes of some values of a type; nil for an unknown type.
  static func bytes(of type: Int, _ count: Int) -> Int? {
    let sizes = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
    guard sizes.indices.contains(type), sizes[type] > 0 else { return nil }
    return sizes[type] * count
  }
}

/// Tags with a meaning for the stripper (TIFF 6.0, its technical notes, and Exif).
enum TIFFTag: Int {
  case newSubfileType = 254
  case subfileType = 255
  case imageWidth = 256
  case imageLength = 257
  case compression = 259
  case photometricInterpretation = 262
  case stripOffsets = 273
  case stripByteCounts = 279
  case tileOffsets = 324
  case tileByteCounts = 325
  case subIFDs = 330
  case jpegTables = 347
  case exif = 34_665
  case iccProfile = 34_675
  case gps = 34_853
  case interoperability = 40_965

  /// Tags that decoding and display need: layout, compression, colors with their profile, resolution, orientation.
  static let kept: Set<Int> = Set([
    254, 255, 256, 257, 258, 259, 262, 263, 264, 265, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283, 284, 290, 291,
    292, 293, 296, 297, 301, 317, 318, 319, 320, 321, 322, 323, 324, 325, 332, 334, 336, 338, 339, 340, 341, 342, 347,
    529, 530, 531, 532, 34_675,
  ])

  /// Tags that state what a page is.
  static let subfileTypes: Set<Int> = [newSubfileType.rawValue, subfileType.rawValue]

  /// Tags whose values are offsets of other directories.
  static let directories: Set<Int> = [
    subIFDs.rawValue, exif.rawValue, gps.rawValue, interoperability.rawValue,
  ]

  /// Color spaces that the kept tags describe: not the sensor data of camera raws.
  static let colors: Set<Int> = [0, 1, 2, 3, 4, 5, 6, 8, 9, 10]

  static let jpeg = 7

  /// Compressions whose data has no metadata, and JPEG, whose segments are overwritten: none, CCITT, LZW, deflate, PackBits, LZMA, Zstandard.
  static let compressions: Set<Int> = [1, 2, 3, 4, 5, jpeg, 8, 32_773, 32_946, 34_925, 50_000]
}
