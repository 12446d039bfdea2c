internal import CMediaShims
internal import CVips
internal import MediaModel
internal import MediaProbe

extension ImageSource {
  /// Decodes the image with one of our own readers.
  ///
  /// - Parameter strict: Whether to refuse an image whose last the image ends before its last row.
  borrowing func read(
    _ loader: Loader.OwnLoader, input: borrowing MediaInput, strict: Bool, maxPixels: Int
  ) throws(MediaFailure) -> Image {
    let handle = input.handle
    let content = try withBytes { (bytes) throws(MediaFailure) -> Icon.Content? in
      let file = BitmapBytes(bytes: bytes) { mediatool_input_timed_out(handle) }
      return switch loader {
      case .bitmap: try Self.masked(file, maxPixels: maxPixels).map(Icon.Content.pixels)
      case .icon: try Icon.content(of: file, maxPixels: maxPixels)
      case .wirelessBitmap: try WirelessBitmap.pixels(of: file, maxPixels: maxPixels).map(Icon.Content.pixels)
      }
    }
    switch content {
    case .pixels(let pixels):
      if strict, pixels.isCut {
        throw MediaFailure(.corrupt, "The image cannot be decoded.", detail: "the image ends before its last row")
      }
      return try pixels.image()
    case .png(let range):
      let options = mediatool_load_options(
        loader: .png, shrink: 1, scale: 1, page: 0, pages: 1, subpage: -1, thumbnail: false, strict: strict)
      return try ImageSource(input, range: range).open(options)
    case nil where loader == .bitmap: return try decode(codec: "bmp", maxPixels: maxPixels)
    case nil: throw MediaFailure(.corrupt, "The image cannot be decoded.")
    }
  }

  /// The pixels of a BMP with masks; nil for any other.
  private static func masked(_ file: BitmapBytes, maxPixels: Int) throws(MediaFailure) -> BitmapPixels? {
    guard let bitmap = DeviceBitmap(file, at: 14), bitmap.hasMasks, let offset = file.u32(10) else { return nil }
    return try bitmap.pixels(at: offset, rows: bitmap.height, maxPixels: maxPixels)
  }
}
