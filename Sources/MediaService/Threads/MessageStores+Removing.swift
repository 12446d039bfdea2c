internal import FileSupport
internal import Foundation

/// How the folder of a store is removed, so that nobody opens what is left if that fails or is interrupted.
extension MessageStores {
  /// Names of folders that are being removed: the name of the store, `-` and a UUID follow.
  private static let removedPrefix = Array(".erased-".utf8)
  /// Names of folders without content, each for a store that is to be removed.
  private static let markPrefix = Array(".erase-".utf8)

  /// The folder that is there while a store is to be removed.
  static func mark(of place: PathBytes, in folder: PathBytes) -> PathBytes {
    folder.appending(markPrefix + Array(place.name))
  }

  /// Removes a store, its mark, and what earlier removals of it left.
  /// - Throws: If any of them is still there.
  static func remove(_ place: PathBytes, from folder: PathBytes) throws {
    let note = mark(of: place, in: folder)
    if try exists(place) {
      // Without a mark, for example on a full disk, it is the new name that keeps the owner from opening it.
      if (try? FileManager.default.createDirectory(atPath: note.text, withIntermediateDirectories: true)) != nil {
        try? FileSystem.syncFolder(folder)
      }
      // Under another name first: a process that dies in between leaves nothing that an owner could open.
      let grave = removedName(of: place) + Array(UUID().uuidString.utf8)
      try FileSystem.move(place, to: folder.appending(grave))
      try FileSystem.syncFolder(folder)
    }
    if try exists(note) { try FileManager.default.removeItem(atPath: note.text) }
    guard try exists(folder) else { return }
    let prefix = removedName(of: place)
    var failure: (any Error)?
    for name in try FileSystem.names(in: folder) where name.starts(with: prefix) {
      // One that stays does not keep the others.
      do { try FileManager.default.removeItem(atPath: folder.appending(name).text) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// What the names of a store's folders begin with while they are being removed.
  private static func removedName(of place: PathBytes) -> [UInt8] {
    removedPrefix + Array(place.name) + Array("-".utf8)
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
        } else if name.starts(with: removedPrefix), try exists(folder.appending(name)) {
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
