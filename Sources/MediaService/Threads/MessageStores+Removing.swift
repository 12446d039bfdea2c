internal import FileSupport
internal import Foundation

/// How the folder of a store is removed, so that nobody opens what is left if that fails or is interrupted.
extension MessageStores {
  /// Names of folders that are being removed.
  private static let removedPrefix = Array(".erased-".utf8)
  /// Names of folders without content, each for a store that is to be removed.
  private static let markPrefix = Array(".erase-".utf8)

  /// The folder that is there while a store is to be removed.
  static func mark(of place: PathBytes, in folder: PathBytes) -> PathBytes {
    folder.appending(markPrefix + Array(place.name))
  }

  /// Removes a store, and its mark.
  static func remove(_ place: PathBytes, from folder: PathBytes) throws {
    let note = mark(of: place, in: folder)
    var grave: PathBytes?
    if try exists(place) {
      try FileManager.default.createDirectory(atPath: note.text, withIntermediateDirectories: true)
      try FileSystem.syncFolder(folder)
      // Under another name first: a process that dies in between leaves nothing that an owner could open.
      let name = folder.appending(removedPrefix + Array(UUID().uuidString.utf8))
      try FileSystem.move(place, to: name)
      try FileSystem.syncFolder(folder)
      grave = name
    }
    if try exists(note) { try FileManager.default.removeItem(atPath: note.text) }
    if let grave { try FileManager.default.removeItem(atPath: grave.text) }
  }

  /// Removes what removals left that were interrupted or failed.
  /// - Returns: Why some of it could not be removed.
  static func sweep(_ folder: PathBytes) -> [String] {
    let names: [[UInt8]]
    do { names = try exists(folder) ? FileSystem.names(in: folder) : [] } catch { return ["\(error)"] }
    var failures: [String] = []
    for name in names {
      do {
        if name.starts(with: markPrefix) {
          try remove(folder.appending(name.dropFirst(markPrefix.count)), from: folder)
        } else if name.starts(with: removedPrefix) {
          try FileManager.default.removeItem(atPath: folder.appending(name).text)
        }
      } catch {
        failures.append("\(error)")
      }
    }
    return failures
  }

  /// Whether a path exists. Fails if that cannot be read, for example without the permission.
  static func exists(_ path: PathBytes) throws -> Bool {
    do throws(FileError) {
      _ = try FileStatus(at: path)
      return true
    } catch {
      guard error.isNotFound else { throw error }
      return false
    }
  }
}
