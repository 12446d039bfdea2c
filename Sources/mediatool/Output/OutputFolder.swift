internal import FileSupport
internal import Glibc
internal import MediaModel

/// The folder for images.
struct OutputFolder: Sendable {
  let path: PathBytes
  /// The identity of the folder, independent of its path.
  let identity: FileIdentity

  /// Creates the folder if necessary, and tries to write to it: a failure now is better than one after an hour.
  init(_ path: PathBytes) throws(Fault) {
    self.path = path
    do throws(FileError) {
      try FileSystem.makeFolder(path, permissions: .shared)
      let probe = path.appending(".mediatool-\(getpid()).tmp".utf8)
      try AtomicFile.write([], to: probe)
      try FileSystem.removeFile(probe)
    } catch {
      throw Fault(.software, "cannot write to the output folder \(DisplayText.visible(path)): \(error.reason)")
    }
    guard let identity = FileIdentity(ofFolder: path) else {
      throw Fault(.software, "the output folder \(DisplayText.visible(path)) disappeared after it was created")
    }
    self.identity = identity
  }

  /// Writes an image as `name`, in which slashes separate folders.
  /// - Returns: The path as written, or why this name cannot be written.
  /// - Throws: An error that would affect every other image, for example a full disk.
  func write(_ bytes: [UInt8], to name: String) throws(Fault) -> Result<PathBytes, MediaFailure> {
    let parts = name.split(separator: "/")
    let file = parts.reduce(path) { $0.appending($1.utf8) }
    do throws(FileError) {
      try OutputFile.write(bytes, to: file)
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
