/// A file that the user names.
enum OutputFile {
  /// Writes it beside its place, syncs it and moves it there.
  static func write(_ bytes: [UInt8], to path: RawPath) throws(Fault) {
    let name = path.lastComponent
    let folder = path.bytes[..<name.startIndex]
    do throws(AtomicFile.Failure) {
      try AtomicFile.write(
        bytes, to: String(decoding: name, as: UTF8.self), in: folder.isEmpty ? RawPath(".") : RawPath(folder))
    } catch {
      throw Fault(.software, "cannot write \(DisplayText.visible(path)): \(error.reason)")
    }
  }
}
