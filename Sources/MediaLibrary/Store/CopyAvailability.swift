internal import FileSupport
internal import Synchronization

/// Whether the disk of a library's copy is there, asked before each write: what is written into the mount point of a missing disk is hidden once the disk is
/// back. The daily sweep completes the copy.
final class CopyAvailability: Sendable {
  private let folder: PathBytes
  /// The folder in which the marker was seen last. The mount point and the root of a mounted disk are different folders, so the marker is rarely read.
  private let seen = Mutex<FileIdentity?>(nil)

  init(folder: PathBytes) { self.folder = folder }

  /// Whether the folder has the marker of a copy.
  func isThere() -> Bool {
    guard let identity = FileIdentity(ofFolder: folder) else { return false }
    if seen.withLock({ $0 }) == identity { return true }
    guard let marker = try? LibraryMarker.read(in: folder), marker.role == .copy else { return false }
    seen.withLock { $0 = identity }
    return true
  }
}
