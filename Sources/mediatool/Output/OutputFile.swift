internal import FileSupport
internal import Glibc

/// Writes what the user asked for, with the folders above it.
enum OutputFile {
  /// Puts the bytes into the file at `path`, in place of what is there. Missing folders are made.
  static func write(_ bytes: [UInt8], to path: PathBytes) throws(FileError) {
    do throws(FileError) { try AtomicFile.write(bytes, to: path) } catch {
      guard error.code == ENOENT, !path.folder.bytes.isEmpty else { throw error }
      try FileSystem.makeFolder(path.folder, permissions: .shared)
      try AtomicFile.write(bytes, to: path)
    }
  }

  /// The same for a file without which the run has not done what was asked of it.
  static func writeOrFail(_ bytes: [UInt8], to path: PathBytes) throws(Fault) {
    do throws(FileError) { try write(bytes, to: path) } catch {
      throw Fault(.software, "cannot write \(DisplayText.visible(path)): \(error.reason)")
    }
  }
}

extension FileError {
  /// Why a file cannot be written.
  var reason: String { code == EEXIST ? "what stands there is not a regular file" : description }

  /// Whether only this path cannot be written: it is too long, or something else stands in its place. Others can.
  var isOfThisPath: Bool {
    [ENAMETOOLONG, ENOTDIR, EISDIR, EEXIST, ELOOP, ENOTEMPTY, EINVAL, EILSEQ].contains(code)
  }
}
