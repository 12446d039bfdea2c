internal import MediaModel

/// Selects the reader for an image header. To add a format, add its file and a line.
enum StillReader {
  /// Reads the header; nil if there is no reader for the type. `type` was determined from signatures before.
  static func header(of type: MediaType, _ reader: ByteReader) -> StillHeader? {
    guard let read = format(of: type) else { return nil }
    guard reader.count > 0 else {
      var header = StillHeader()
      header.failure = .emptyFile
      return header
    }
    return read(reader)
  }

  /// Whether a type is one of HEIF: HEIC, AVIF, sequences.
  static func isHEIF(_ type: MediaType) -> Bool {
    [.heic, .heif, .avif, .heicSequence, .heifSequence].contains(type)
  }

  private static func format(of type: MediaType) -> ((ByteReader) -> StillHeader)? {
    switch type {
    case .jpeg: JPEGHeader.read
    case .png: PNGHeader.read
    case .gif: GIFHeader.read
    case .webp: WebPHeader.read
    case .heic, .heif, .avif, .heicSequence, .heifSequence: HEIFHeader.read
    case .tiff: TIFFHeader.read
    case .bmp: BMPHeader.read
    case .svg: SVGHeader.read
    case .jxl: JXLHeader.read
    default:
      switch type.rawValue {
      case "image/x-adobe-dng", "image/x-canon-cr2", "image/x-nikon-nef", "image/x-sony-arw": RawHeader.read
      case "image/x-canon-cr3": CR3Header.read
      case "image/x-fuji-raf": RAFHeader.read
      case "image/x-panasonic-rw2": RW2Header.read
      case "image/jp2", "image/j2c", "image/jpx": JPEG2000Header.read
      case "image/vnd.microsoft.icon", "image/x-win-bitmap": ICOHeader.read
      case "image/vnd.adobe.photoshop": PSDHeader.read
      case "image/x-qoi": QOIHeader.read
      case "image/x-tga": TGAHeader.read
      case "image/vnd.wap.wbmp": WBMPHeader.read
      default: nil
      }
    }
  }
}
