internal import FileSupport

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// An error that says which operation on which file failed.
protocol FileOperationError: Error {
  /// - Parameter operation: An operation with its path, which completes the sentence "cannot …": `open /library/originals`.
  init(_ error: FileError, _ operation: String)
}

extension FileOperationError {
  /// Calls `body` and converts its error.
  static func mapping<Result: ~Copyable>(
    _ operation: String, _ body: () throws(FileError) -> Result
  ) throws(Self) -> Result {
    do throws(FileError) { return try body() } catch { throw Self(error, operation) }
  }
}

extension LibraryError: FileOperationError {
  /// The reason with the way out as the message, which any user may see; the operation with its path as the detail.
  init(_ error: FileError, _ operation: String) {
    self.init(error.isDiskFull ? .diskFull : .system, Self.sentence(error), detail: "cannot \(operation): \(error)")
  }

  /// One sentence with the way out; `detail` has the path.
  private static func sentence(_ error: FileError) -> String {
    switch error.code {
    case EFBIG: "A file would exceed the file size limit of this process; raise it with `ulimit -f`."
    case ENOSPC, EDQUOT: "The disk is full; free some space and try again."
    case EACCES, EPERM: "Permission denied; check the owner and the permissions of the library's folders."
    case EROFS: "The file system of the library is mounted read-only; mount it for writing."
    case EMFILE, ENFILE: "Too many files are open; raise the limit, for example with `ulimit -n`."
    case EIO: "The disk reports an error; check it, then run `mediatool verify`."
    case EISDIR, EEXIST, ELOOP, ENOTDIR, EINVAL:
      "A file or folder of another kind has this name; move it out of the library's folder."
    default: "The system refused an operation on a file of the library; check the disk, then run `mediatool verify`."
    }
  }
}

extension DraftStore.Failure: FileOperationError {
  init(_ error: FileError, _ operation: String) { self = .system(code: error.code, doing: operation) }
}
