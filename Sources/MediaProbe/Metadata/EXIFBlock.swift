/// A TIFF structure with EXIF in it: a block out of another format, or a whole TIFF file.
struct EXIFBlock {
  /// Blocks are read up to here. JPEG allows 64 KiB; the rest is room for formats without a limit of their own.
  static let byteLimit = 1_048_576

  let reader: ByteReader
  /// Where it begins in the file, when it stands there in one piece.
  let fileOffset: Int?

  /// A block of a file, possibly behind the `Exif\0\0` that JPEG puts before it and others copy.
  init(_ bytes: [UInt8], fileOffset: Int?) {
    let prefix: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0]
    if bytes.count > 6, bytes.starts(with: prefix) {
      reader = ByteReader(Array(bytes.dropFirst(6)))
      self.fileOffset = fileOffset.map { $0 + 6 }
    } else {
      reader = ByteReader(bytes)
      self.fileOffset = fileOffset
    }
  }

  /// A file that is itself a TIFF structure.
  init(wholeFile reader: ByteReader) {
    self.reader = reader
    fileOffset = 0
  }
}
