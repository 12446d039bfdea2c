internal import CMediaShims
internal import CVips
internal import MediaModel

/// An owned libvips image: a lazy pipeline that computes pixels on demand.
///
/// libvips images are immutable and reference-counted. Operations therefore borrow their input and return a new image
/// that retains what it needs.
struct Image: ~Copyable {
  private let image: UnsafeMutablePointer<VipsImage>

  /// Takes ownership of one reference.
  init(taking image: UnsafeMutablePointer<VipsImage>) { self.image = image }

  deinit { g_object_unref(image) }

  var width: Int { Int(vips_image_get_width(image)) }
  /// Height of one frame.
  var height: Int { Int(mediatool_vips_page_height(image)) }
  var frames: Int { max(1, Int(vips_image_get_height(image)) / max(1, height)) }
  var size: PixelSize { PixelSize(width: width, height: height) }
  var hasAlpha: Bool { mediatool_vips_has_alpha(image) }
  var hasProfile: Bool { mediatool_vips_has_profile(image) }

  /// Sets the orientation to apply, whatever the file's metadata state.
  mutating func set(orientation: MediaInfo.Orientation) {
    mediatool_vips_set_orientation(image, CInt(orientation.rawValue))
  }

  /// Drops a profile that is equivalent to sRGB.
  mutating func dropProfile() { mediatool_vips_drop_profile(image) }

  /// Tone-maps an HDR signal to 8-bit sRGB.
  borrowing func toneMapped(_ range: HDRSignal) throws(MediaFailure) -> Image {
    try Image.make { mediatool_vips_tone_map(image, range.shim, $0, $1) }
  }

  /// Divides the colors by alpha, for an image whose colors are multiplied by it.
  borrowing func unpremultiplied() throws(MediaFailure) -> Image {
    try Image.make { mediatool_vips_unpremultiply(image, $0, $1) }
  }

  /// Reduces by averaging `factor` × `factor` pixels.
  borrowing func shrunk(by factor: Int) throws(MediaFailure) -> Image {
    try Image.make { mediatool_vips_shrink(image, CInt(factor), $0, $1) }
  }

  /// Decodes all pixels into memory, for several uses.
  borrowing func inMemory() throws(MediaFailure) -> Image {
    try Image.make { mediatool_vips_copy_to_memory(image, $0, $1) }
  }

  /// Crops to a rectangle of stored pixels, which must be inside the image.
  borrowing func cropped(to rect: PixelRect) throws(MediaFailure) -> Image {
    try Image.make {
      mediatool_vips_extract(image, CInt(rect.x), CInt(rect.y), CInt(rect.width), CInt(rect.height), $0, $1)
    }
  }

  /// Resizes into the box: upright, 8-bit, in the requested color space.
  ///
  /// - Parameter size: The exact output size. By default it follows from the request and keeps the aspect ratio.
  borrowing func resized(
    for request: RenditionRequest, exactly size: PixelSize? = nil
  ) throws(MediaFailure) -> Image {
    let box = size ?? request.box
    let options = mediatool_resize_options(
      width: CInt(clamping: box.width), height: CInt(clamping: box.height), force: size != nil,
      crop: request.fit.interesting, upscale: request.allowsUpscaling,
      wide_gamut: request.colorSpace == .p3 && hasProfile)
    return try Image.make { mediatool_vips_resize(image, options, $0, $1) }
  }

  /// Composites transparent parts onto a color.
  borrowing func flattened(on color: RenditionRequest.Color) throws(MediaFailure) -> Image {
    try Image.make {
      mediatool_vips_flatten(image, CInt(color.red), CInt(color.green), CInt(color.blue), $0, $1)
    }
  }

  /// Encodes the image in a format.
  borrowing func encoded(
    as format: RenditionRequest.Format, quality: Int, chroma: RenditionRequest.Chroma?, effort: Int,
    keepingProfile: Bool
  ) throws(MediaFailure) -> [UInt8] {
    let options = mediatool_save_options(
      format: format.shim, quality: CInt(quality), effort: CInt(effort), keep_profile: keepingProfile,
      subsample: chroma.shim)
    do throws(MediaFailure) {
      return try Image.bytes { mediatool_vips_save(image, options, $0, $1, $2) }
    } catch {
      // The pixels are already in memory, so the file is not at fault.
      throw MediaFailure(.unsupported, "The image cannot be written as \(format.rawValue).", detail: error.detail)
    }
  }

  /// Straight 8-bit RGBA of the first frame.
  ///
  /// - Parameter convertingProfile: Whether to convert from its profile to sRGB. Pixels that are already converted do
  ///   not need it.
  borrowing func rgba(convertingProfile: Bool) throws(MediaFailure) -> [UInt8] {
    try Image.bytes { mediatool_vips_rgba(image, convertingProfile, $0, $1, $2) }
  }

  /// Calls a closure with the C image, which must not escape.
  borrowing func withImage<R: ~Copyable>(
    _ body: (UnsafeMutablePointer<VipsImage>) throws(MediaFailure) -> R
  ) throws(MediaFailure) -> R { try body(image) }

  /// Runs a C operation that creates an image.
  static func make(
    _ operation: (
      UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>, UnsafeMutablePointer<mediatool_vips_error>
    ) -> CInt
  ) throws(MediaFailure) -> Image {
    var image: UnsafeMutablePointer<VipsImage>?
    var error = mediatool_vips_error()
    let status = operation(&image, &error)
    guard status == 0, let image else { throw .vips(error) }
    return Image(taking: image)
  }

  private static func bytes(
    _ operation: (
      UnsafeMutablePointer<UnsafeMutableRawPointer?>, UnsafeMutablePointer<Int>,
      UnsafeMutablePointer<mediatool_vips_error>
    ) -> CInt
  ) throws(MediaFailure) -> [UInt8] {
    var bytes: UnsafeMutableRawPointer?
    var length = 0
    var error = mediatool_vips_error()
    let status = operation(&bytes, &length, &error)
    guard status == 0, let bytes else { throw .vips(error) }
    defer { g_free(bytes) }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: length))
  }
}

extension RenditionRequest.Fit {
  fileprivate var interesting: VipsInteresting {
    switch self {
    case .contain: VIPS_INTERESTING_NONE
    case .cover(.centre): VIPS_INTERESTING_CENTRE
    case .cover(.attention): VIPS_INTERESTING_ATTENTION
    case .cover(.entropy): VIPS_INTERESTING_ENTROPY
    }
  }
}

extension RenditionRequest.Format {
  fileprivate var shim: mediatool_format {
    switch self {
    case .webp, .automatic: MEDIATOOL_SAVE_WEBP
    case .jpeg: MEDIATOOL_SAVE_JPEG
    case .png: MEDIATOOL_SAVE_PNG
    case .avif: MEDIATOOL_SAVE_AVIF
    }
  }
}

extension RenditionRequest.Chroma? {
  fileprivate var shim: VipsForeignSubsample {
    switch self {
    case nil: VIPS_FOREIGN_SUBSAMPLE_AUTO
    case .full: VIPS_FOREIGN_SUBSAMPLE_OFF
    case .halved: VIPS_FOREIGN_SUBSAMPLE_ON
    }
  }
}
