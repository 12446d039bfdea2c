internal import CMediaShims
internal import CVips
internal import MediaModel

/// A buffer of straight 8-bit RGBA pixels that is filled row by row; the rest is transparent.
final class BitmapPixels {
  /// 256 MiB, the limit of a libavcodec decoder as well (`mediatool_av_start`).
  private static let maxBytes = 1 << 28

  /// libvips' maximum for a side (`VIPS_MAX_COORD`).
  private static let longestSide = 10_000_000

  let width: Int
  let height: Int
  /// `width × height × 4` bytes, which this object owns until an image takes them over.
  let rgba: UnsafeMutableBufferPointer<UInt8>
  /// Whether the file ended before the last row.
  var isCut = false
  private let memory: UnsafeMutableRawPointer
  private var isOwned = true

  /// - Throws: `tooManyPixels`, `outOfMemory`.
  init(width: Int, height: Int, maxPixels: Int) throws(MediaFailure) {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, count <= maxPixels else {
      throw MediaFailure(
        .tooManyPixels,
        "The image has more than \(maxPixels.grouped) pixels (\(HumanNumbers.dimensions(width, height))).")
    }
    guard max(width, height) <= Self.longestSide else {
      throw MediaFailure(
        .tooManyPixels,
        "The image is too large (\(HumanNumbers.dimensions(width, height))); the limit is \(Self.longestSide.grouped) pixels per side."
      )
    }
    // Untouched memory costs nothing, so a header may declare more than the file has.
    guard count <= Self.maxBytes / 4, let memory = g_try_malloc0(gsize(count * 4)) else {
      throw .outOfMemory()
    }
    self.width = width
    self.height = height
    self.memory = memory
    rgba = UnsafeMutableBufferPointer(start: memory.assumingMemoryBound(to: UInt8.self), count: count * 4)
  }

  deinit { if isOwned { g_free(memory) } }

  /// Whether all pixels are opaque.
  var isOpaque: Bool { stride(from: 3, to: rgba.count, by: 4).allSatisfy { rgba[$0] == 255 } }

  /// Whether all pixels are fully transparent.
  var isInvisible: Bool { stride(from: 3, to: rgba.count, by: 4).allSatisfy { rgba[$0] == 0 } }

  /// Converts the buffer to an image, which takes over the memory. Without alpha if all pixels are opaque.
  func image() throws(MediaFailure) -> Image {
    let opaque = isOpaque
    isOwned = false
    let image = try Image.make {
      mediatool_vips_from_rgba(memory, CInt(width), CInt(height), CInt(height), nil, $0, $1)
    }
    return opaque ? try image.flattened(on: .white) : image
  }
}
