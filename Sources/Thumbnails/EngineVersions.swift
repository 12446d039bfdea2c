internal import CMediaShims
internal import CVips
public import MediaProbe

extension Thumbnailer {
  /// The library that makes pictures: libvips.
  public static var engineVersions: [EngineVersion] {
    [EngineVersion(name: "libvips", version: "\(vips_version(0)).\(vips_version(1)).\(vips_version(2))")]
  }

  /// The picture formats, by whether libvips was built with a loader for them. Starts libvips.
  ///
  /// A loader says nothing of the codecs below it: for what is written, make a picture and see.
  public static var pictureSupport: [FormatSupport] {
    var error = mediatool_vips_error()
    let started = mediatool_vips_start(&error) == 0
    return loaders.map { name, loader in
      FormatSupport(name: name, reads: started && vips_type_find("VipsForeignLoad", loader) != 0)
    } + stills.map { name, codec in FormatSupport(name: name, reads: mediatool_still_has_decoder(codec)) }
  }

  /// Usual name, and libavcodec's.
  private static let stills = [("BMP", "bmp"), ("QOI", "qoi"), ("TGA", "targa"), ("PSD", "psd")]

  /// Usual name, and the nickname of libvips' loader.
  private static let loaders = [
    ("JPEG", "jpegload"), ("PNG", "pngload"), ("GIF", "gifload"), ("WebP", "webpload"), ("HEIC, AVIF", "heifload"),
    ("TIFF", "tiffload"), ("SVG", "svgload"), ("JPEG XL", "jxlload"), ("JPEG 2000", "jp2kload"),
  ]
}
