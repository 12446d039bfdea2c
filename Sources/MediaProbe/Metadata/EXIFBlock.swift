/// A TIFF structure with EXIF: a block from another format, or a whole TIFF file.
struct EXIFBlock {
  /// Maximum bytes to read. JPEG allows 64 KiB; the rest is for formats without their own limit.
  static let byteLimit = 1_048_576

  let reader: ByteReader
  /// Its offset in the file, if it is stored contiguously.
  let fileOffset: Int?
  /// The EXIF directory, where it is a structure of its own (CR3).
  var exif: ByteReader?
  /// The GPS directory, where it is a structure of its own (CR3).
  var gps: ByteReader?

  /// Creates a block from a file, with or without the prefix `Exif\0\0` that JPEG requires and others copy.
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

  /// Creates a block from a file that is itself a TIFF structure.
  init(wholeFile reader: ByteReader) {
    self.reader = reader
    fileOffset = 0
  }

  /// Creates a block whose directories are structures of their own.
  init(_ main: ByteReader, exif: ByteReader?, gps: ByteReader?) {
    reader = main
    fileOffset = nil
    (self.exif, self.gps) = (exif, gps)
  }

  private init(_ reader: ByteReader, fileOffset: Int?) {
    self.reader = reader
    self.fileOffset = fileOffset
  }

  /// The same block in a file of which the one that it was read from is a part.
  func moved(by start: Int) -> EXIFBlock {
    EXIFBlock(reader, fileOffset: fileOffset.map { $0.addingReportingOverflow(start).partialValue })
  }
}
