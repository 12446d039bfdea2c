internal import CMediaShims
internal import CVips
internal import MediaModel

/// The luma plane of an image: 8 bits per sample, upright and on white.
struct LumaPlane {
  private let samples: [UInt8]
  private let size: PixelSize

  /// The luma of pixels in memory.
  init(of image: borrowing Image) throws(MediaFailure) {
    let size = image.size
    samples = try image.withImage { (image) throws(MediaFailure) in
      try Self.samples(size) {
        mediatool_vips_luma(image, CInt(clamping: size.width), CInt(clamping: size.height), $0, $1)
      }
    }
    self.size = size
  }

  /// The structural similarity of this image and an encoded file of it, which is enlarged if smaller. Nil for formats
  /// that are not compared.
  func similarity(to rendition: Rendition) throws(MediaFailure) -> Double? {
    let loaders: [MediaType: VipsLoader] = [.jpeg: .jpeg, .png: .png, .webp: .webp]
    guard let loader = loaders[rendition.type], rendition.frames == 1 else { return nil }
    let others = try Self.samples(size) { luma, error in
      rendition.data.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return -1 }
        return mediatool_vips_luma_of_file(
          start, bytes.count, loader, CInt(clamping: size.width), CInt(clamping: size.height), luma, error)
      }
    }
    let value = mediatool_similarity(samples, others, CInt(clamping: size.width), CInt(clamping: size.height))
    guard value >= -1 else { throw .outOfMemory() }
    // Rounding must not give more than 1.
    return min(1, value)
  }

  private static func samples(
    _ size: PixelSize,
    _ operation: (
      UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, UnsafeMutablePointer<mediatool_vips_error>
    ) -> CInt
  ) throws(MediaFailure) -> [UInt8] {
    var luma: UnsafeMutablePointer<UInt8>?
    var error = mediatool_vips_error()
    guard operation(&luma, &error) == 0, let luma else { throw .vips(error) }
    defer { g_free(luma) }
    return [UInt8](UnsafeBufferPointer(start: luma, count: size.pixelCount))
  }
}
