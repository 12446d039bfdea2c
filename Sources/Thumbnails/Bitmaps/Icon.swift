internal import MediaModel

/// Finds the largest image of a Windows icon or cursor: a complete PNG, or a bitmap with a mask.
/// https://learn.microsoft.com/previous-versions/ms997538(v=msdn.10)
enum Icon {
  /// The image that represents the icon.
  enum Content {
    /// A PNG in this range of the file.
    case png(Range<Int>)
    case pixels(BitmapPixels)
  }

  /// Maximum number of images.
  private static let entryLimit = 256

  /// Nil if no image can be read.
  static func content(of file: BitmapBytes, maxPixels: Int) throws(MediaFailure) -> Content? {
    let entries = (0..<min(file.u16(4) ?? 0, entryLimit)).compactMap { Entry(file, at: 6 + $0 * 16) }
    // The largest one; among equals the one with the most colors.
    let best = entries.max { ($0.size.pixelCount, $0.bits) < ($1.size.pixelCount, $1.bits) }
    guard let best else { return nil }
    guard let bitmap = best.bitmap else { return .png(best.range) }
    let (width, height) = (best.size.width, best.size.height)
    guard bitmap.width == width, bitmap.height == height || bitmap.height == 2 * height else {
      return nil
    }
    let pixels = try bitmap.pixels(at: bitmap.headerEnd, rows: height, maxPixels: maxPixels)
    // Alpha takes precedence over the mask, which then only serves old programs.
    if bitmap.height == 2 * height, pixels.isOpaque {
      bitmap.applyMask(at: bitmap.headerEnd + bitmap.rowBytes(bitmap.bits) * height, to: pixels)
    }
    return .pixels(pixels)
  }

  /// An image in the directory.
  private struct Entry {
    let size: PixelSize
    let bits: Int
    let range: Range<Int>
    /// Nil for a PNG.
    let bitmap: DeviceBitmap?

    init?(_ file: BitmapBytes, at entry: Int) {
      guard let width = file.u8(entry), let height = file.u8(entry + 1), let length = file.u32(entry + 8),
        let start = file.u32(entry + 12), start < file.bytes.count
      else { return nil }
      range = start..<start + min(length, file.bytes.count - start)
      if file.slice(start, 8).elementsEqual([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
        // The numbers in IHDR are big-endian. A PNG may be larger than the directory can state.
        guard let columns = file.u32(start + 16), let rows = file.u32(start + 20) else { return nil }
        size = PixelSize(
          width: Int(UInt32(truncatingIfNeeded: columns).byteSwapped),
          height: Int(UInt32(truncatingIfNeeded: rows).byteSwapped))
        guard size.isPositive, size.width <= Int32.max, size.height <= Int32.max else { return nil }
        bits = 32
        bitmap = nil
      } else {
        guard let bitmap = DeviceBitmap(file, at: start) else { return nil }
        size = PixelSize(width: width == 0 ? 256 : width, height: height == 0 ? 256 : height)
        bits = bitmap.bits
        self.bitmap = bitmap
      }
    }
  }
}
