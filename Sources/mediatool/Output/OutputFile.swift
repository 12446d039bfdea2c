internal import FileSupport
internal import Glibc

/// Writes output files, with the folders above them.
enum OutputFile {
  /// Puts the bytes into the file at `path`, in place of what is there; writes them through a FIFO or a character device. Missing folders
  /// are created.
  static func write(_ bytes: [UInt8], to path: PathBytes) throws(FileError) {
    if let stream = try FileSystem.openStream(path) {
      defer { FileSystem.release(stream) }
      return try FileSystem.append(bytes, to: stream)
    }
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
  var reason: String {
    switch code {
    case EEXIST: "a symbolic link or a block device is at this path and is not replaced; name another file"
    case EISDIR: "a folder is at this path; name a file in it"
    case ENXIO: "it is a socket, or a pipe that no process reads"
    case ENOTDIR: "one of the folders in its path is a file or a symbolic link"
    default: description
    }
  }

  /// Whether only this path cannot be written, because it is too long or occupied by something else.
  var isOfThisPath: Bool {
    [ENAMETOOLONG, ENOTDIR, EISDIR, EEXIST, ELOOP, ENOTEMPTY, EINVAL, EILSEQ].contains(code)
  }
}
