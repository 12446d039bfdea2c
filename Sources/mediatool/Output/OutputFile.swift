internal import FileSupport
internal import Glibc

/// Writes output files, with the folders above them.
enum OutputFile {
  /// Writes the file at `path`, and replaces an existing one. Missing folders are created.
  static func write(_ bytes: [UInt8], to path: PathBytes) throws(FileError) {
    do throws(FileError) { try AtomicFile.write(bytes, to: path) } catch {
      guard error.code == ENOENT, !path.folder.bytes.isEmpty else { throw error }
      try FileSystem.makeFolder(path.folder, permissions: .shared)
      try AtomicFile.write(bytes, to: path)
    }
  }

  /// Writes a file whose failure fails the run.
  static func writeOrFail(_ bytes: [UInt8], to path: PathBytes) throws(Fault) {
    do throws(FileError) { try write(bytes, to: path) } catch {
      throw Fault(.software, "cannot write \(DisplayText.visible(path)): \(error.reason)")
    }
  }
}

extension FileError {
  /// Why a file cannot be written.
  var reason: String { code == EEXIST ? "it exists and is not a regular file" : description }

  /// Whether only this path cannot be written, because it is too long or occupied by something else.
  var isOfThisPath: Bool {
    [ENAMETOOLONG, ENOTDIR, EISDIR, EEXIST, ELOOP, ENOTEMPTY, EINVAL, EILSEQ].contains(code)
  }
}
