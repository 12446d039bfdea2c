internal import CMediaShims
internal import CVips
package import MediaModel

extension Thumbnailer {
  /// The library that makes images: libvips.
  package static var engineVersions: [EngineVersion] {
    [EngineVersion(name: "libvips", version: "\(vips_version(0)).\(vips_version(1)).\(vips_version(2))")]
  }

  /// The image formats, by whether the libraries were built with a decoder for them. Starts libvips.
  ///
  /// For what is written, make an image and see.
  package static var imageSupport: [FormatSupport] {
    var error = mediatool_vips_error()
    let isStarted = mediatool_vips_start(&error) == 0
    return Loader.table.map { FormatSupport(name: $0.format, reads: isStarted && $0.loader.isInstalled) }
  }
}
