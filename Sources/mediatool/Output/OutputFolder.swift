internal import FileSupport
internal import Glibc
internal import MediaModel

/// The folder into which images are written.
struct OutputFolder: Sendable {
  let path: PathBytes
  /// Which folder it is, by whatever path it is reached.
  let identity: FileIdentity

  /// Makes the folder where it is missing, and tries whether something can be written there: better now than after an hour.
  init(_ path: PathBytes) throws(Fault) {
    self.path = path
    do throws(AtomicFile.Failure) {
      try AtomicFile.makeFolder(path)
      let probe = ".mediatool-\(getpid()).tmp"
      try AtomicFile.write([], to: probe, in: path)
      _ = path.appending(Array(probe.utf8)).withCString { unlink($0) }
    } catch {
      throw Fault(.software, "cannot write into the output folder \(DisplayText.visible(path)): \(error.reason)")
    }
    guard let identity = FileIdentity(ofFolder: path) else {
      throw Fault(.software, "cannot find the output folder \(DisplayText.visible(path)) again")
    }
    self.identity = identity
  }

  /// Writes an image under `name`, in which slashes separate folders.
  /// - Returns: The path as written, or why this name cannot be written.
  /// - Throws: When no other could be, either: the disk is full, for example.
  func write(_ bytes: [UInt8], to name: String) throws(Fault) -> Result<PathBytes, MediaFailure> {
    let parts = name.split(separator: "/")
    let target = parts.dropLast().reduce(path) { $0.appending($1.utf8) }
    let fileName = String(parts.last ?? "")
    do throws(AtomicFile.Failure) {
      try AtomicFile.write(bytes, to: fileName, in: target)
      return .success(target.appending(fileName.utf8))
    } catch {
      if error.isOfThisPath {
        return .failure(
          MediaFailure(.unwritable, "The image cannot be written under its name.", detail: error.reason))
      }
      let file = DisplayText.visible(target.appending(fileName.utf8))
      throw Fault(.software, "cannot write \(file): \(error.reason)")
    }
  }
}
