internal import CMediaShims
internal import CVips
package import MediaModel

extension Thumbnailer {
  /// The version of libvips, which renders images, and the revision of our own rules.
  package static var engineVersions: [EngineVersion] {
    [
      EngineVersion(name: RenditionRevision.name, version: "\(RenditionRevision.current)"),
      EngineVersion(name: "libvips", version: "\(vips_version(0)).\(vips_version(1)).\(vips_version(2))"),
    ]
  }

  /// The image formats, and whether the libraries were built with a decoder for each. Starts libvips.
  ///
  /// Whether a format can be written shows only in encoding an image.
  package static var imageSupport: [FormatSupport] {
    var error = mediatool_vips_error()
    let isStarted = mediatool_vips_start(&error) == 0
    return Loader.table.map { FormatSupport(name: $0.format, reads: isStarted && $0.loader.isInstalled) }
  }
}
