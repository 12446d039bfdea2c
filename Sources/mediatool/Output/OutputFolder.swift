internal import ArgumentParser
internal import FileSupport
internal import Glibc
internal import MediaModel

/// The folder into which images are written. Nothing is written outside of it: no link in it is followed.
struct OutputFolder: Sendable {
  let path: PathBytes
  private let handle: FolderHandle
  /// Whether it was created although nobody named it.
  private let isUnasked: Bool

  /// The identity of the folder, independent of its path.
  var identity: FileIdentity { handle.identity }

  /// Creates the folder if necessary, and tries to write to it: a failure now is better than one after an hour.
  /// - Parameter isAskedFor: Whether the user named it; see ``removeIfUnasked()``.
  init(_ path: PathBytes, isAskedFor: Bool = true) throws(Fault) {
    self.path = path
    do throws(FileError) {
      let exists = FileIdentity(ofFolder: path) != nil
      isUnasked = !isAskedFor && !exists
      if !exists { try FileSystem.makeFolder(path, permissions: .shared) }
      handle = try FolderHandle.openForWriting(path)
      let probe = Array(".mediatool-\(getpid()).tmp".utf8)[...]
      try AtomicFile.write([], named: probe, in: handle)
      try handle.removeFile(probe)
    } catch {
      throw Fault(.software, "cannot write to the output folder \(DisplayText.visible(path)): \(error.reason)")
    }
  }

  /// Checks what was given for `--output`.
  static func checkName(_ path: PathBytes?) throws {
    guard let path else { return }
    if path.bytes.isEmpty || path.hasNUL {
      throw ValidationError("--output takes a folder name that is not empty and contains no NUL byte.")
    }
    if path.isStandardInput {
      throw ValidationError("--output takes a folder here, not standard output; write ./- for a folder called -.")
    }
  }

  /// Removes a folder that was created without being named and in which nothing was written.
  func removeIfUnasked() { if isUnasked { _ = try? FileSystem.removeEmptyFolder(path) } }

  /// Writes an image as `name`, in which slashes separate folders.
  /// - Returns: The path as written, or why this name cannot be written.
  /// - Throws: An error that would affect every other image, for example a full disk.
  func write(_ bytes: [UInt8], to name: String) throws(Fault) -> Result<PathBytes, MediaFailure> {
    let parts = name.split(separator: "/").map { Array($0.utf8)[...] }
    let file = parts.reduce(path) { $0.appending($1) }
    do throws(FileError) {
      var folder = handle
      for part in parts.dropLast() { folder = try folder.makeFolder(part) }
      try AtomicFile.write(bytes, named: parts.last ?? [], in: folder)
      return .success(file)
    } catch {
      if error.isOfThisPath {
        return .failure(
          MediaFailure(.unwritable, "The image cannot be written: \(error.reason)."))
      }
      throw Fault(.software, "cannot write \(DisplayText.visible(file)): \(error.reason)")
    }
  }
}
