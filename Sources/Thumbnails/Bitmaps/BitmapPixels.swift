internal import CMediaShims
internal import CVips
internal import MediaModel

/// Straight 8-bit RGBA pixels that are filled row by row; what is not filled is transparent.
final class BitmapPixels {
  /// 256 MiB: what one decoder of libavcodec may have too (`mediatool_av_start`).
  private static let maxBytes = 1 << 28

  /// What libvips has for a side (`VIPS_MAX_COORD`).
  private static let longestSide = 10_000_000

  let width: Int
  let height: Int
  /// `width × height × 4` bytes, which live as long as this object, or the image that takes them over.
  let rgba: UnsafeMutableBufferPointer<UInt8>
  /// Whether the file ended before the last row.
  var isCut = false
  private let memory: UnsafeMutableRawPointer
  private var isOwned = true

  /// - Throws: `tooManyPixels`, `outOfMemory`.
  init(width: Int, height: Int, maxPixels: Int) throws(MediaFailure) {
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, count <= maxPixels else {
      throw MediaFailure(.tooManyPixels, "The image has more than \(maxPixels) pixels.")
    }
    guard max(width, height) <= Self.longestSide else {
      throw MediaFailure(.tooManyPixels, "A side of the image is longer than \(Self.longestSide) pixels.")
    }
    // Memory that is never written costs nothing: a header may promise what the file does not have.
    guard count <= Self.maxBytes / 4, let memory = g_try_malloc0(gsize(count * 4)) else {
      throw .outOfMemory()
    }
    self.width = width
    self.height = height
    self.memory = memory
    rgba = UnsafeMutableBufferPointer(start: memory.assumingMemoryBound(to: UInt8.self), count: count * 4)
  }

  deinit { if isOwned { g_free(memory) } }

  /// Whether no pixel lets anything through.
  var isOpaque: Bool { stride(from: 3, to: rgba.count, by: 4).allSatisfy { rgba[$0] == 255 } }

  /// Whether no pixel shows anything.
  var isInvisible: Bool { stride(from: 3, to: rgba.count, by: 4).allSatisfy { rgba[$0] == 0 } }

  /// The pixels as an image, which takes over the memory; without alpha when none is transparent.
  func image() throws(MediaFailure) -> Image {
    let opaque = isOpaque
    isOwned = false
    let image = try Image.make {
      mediatool_vips_from_rgba(memory, CInt(width), CInt(height), CInt(height), nil, $0, $1)
    }
    return opaque ? try image.flattened(on: .white) : image
  }
}
