internal import CMediaShims
internal import MediaModel

extension Thumbnailer {
  /// Starts libvips without its modules.
  package static func start() {
    var error = mediatool_vips_error()
    _ = mediatool_vips_start(&error)
  }

  /// Loads modules and files that would otherwise be loaded on first use. Renders no image, because libvips would start
  /// threads.
  package static func openModules() {
    var error = mediatool_vips_error()
    guard mediatool_vips_start(&error) == 0 else { return }
    for module in [MEDIATOOL_MODULE_HEIF, MEDIATOOL_MODULE_JXL, MEDIATOOL_MODULE_POPPLER] {
      mediatool_vips_need(module)
    }
    mediatool_prepare_drawing()
  }
}
