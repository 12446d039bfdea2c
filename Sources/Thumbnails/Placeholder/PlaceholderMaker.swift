internal import FoundationEssentials
internal import MediaModel

/// Makes the three placeholders of one image: ThumbHash, BlurHash and the dominant colour.
enum PlaceholderMaker {
  /// The placeholder of an image of any size; nil when the pixels are not `width × height × 4` bytes.
  ///
  /// Transparent parts do not count: they take the image's own average colour in the BlurHash and have no weight in the
  /// dominant colour. A wholly transparent image has a transparent ThumbHash and is white in the other two, as it is on
  /// `RenditionRequest.Color.white`.
  ///
  /// - Parameters:
  ///   - rgba: Rows of straight (not premultiplied) 8-bit sRGB pixels, red first.
  ///   - size: Columns and rows, at least 1 × 1.
  static func placeholder(rgba: [UInt8], size: PixelSize) -> Placeholder? {
    guard let image = ReducedImage(rgba: rgba, size: size) else { return nil }
    let flat = image.flattened()
    return Placeholder(
      thumbhash: Data(ThumbHash.encode(image)).base64EncodedString(),
      blurhash: BlurHash.encode(flat, columns: 4, rows: 3),
      color: hexadecimal(DominantColor.of(image)))
  }

  private static func hexadecimal(_ color: RenditionRequest.Color) -> String {
    [color.red, color.green, color.blue].reduce(into: "#") { text, level in
      text += level < 16 ? "0" : ""
      text += String(level, radix: 16)
    }
  }
}
