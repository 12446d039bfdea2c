internal import FoundationEssentials
internal import MediaModel

/// Computes the three placeholders of an image: ThumbHash, BlurHash and the dominant color.
enum PlaceholderMaker {
  /// Computes the placeholder of an image of any size; nil if the pixels are not `width × height × 4` bytes.
  ///
  /// Transparent parts have no weight in the dominant color and take the image's average color in the BlurHash. A
  /// wholly transparent image has a transparent ThumbHash. In the other two it is white, as on
  /// `RenditionRequest.Color.white`.
  ///
  /// - Parameters:
  ///   - rgba: Rows of straight (not premultiplied) 8-bit sRGB pixels, red first.
  ///   - size: Width and height, at least 1 × 1.
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
