internal import FileSupport

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Says of a folder what it is and to which library it belongs: a file beside the catalogue, and one in the copy. Without it the mount point of a disk
/// that is not there would be taken for a copy in which everything is missing.
struct LibraryMarker: Codable, Equatable {
  enum Role: String, Codable {
    case library
    case copy
  }

  /// What the folder is.
  var role: Role
  /// The library, the same in its copy.
  var library: String
  /// Whether the library has had a copy; nil in a copy.
  var hasCopy: Bool?

  /// The name of the file.
  static let name = Array("library.json".utf8)

  /// A marker for a library that has none.
  static func new() -> LibraryMarker {
    LibraryMarker(role: .library, library: UUID().uuidString.lowercased(), hasCopy: false)
  }

  /// The marker of a folder; nil when there is none that can be read.
  static func read(in folder: PathBytes) throws(LibraryError) -> LibraryMarker? {
    guard let bytes = try StoreFiles.start(of: folder.appending(name), count: 4_096) else { return nil }
    return try? JSONDecoder().decode(LibraryMarker.self, from: Data(bytes))
  }

  /// Puts the marker into a folder that is there: beside, sync, rename.
  func write(in folder: PathBytes) throws(LibraryError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let bytes = try? encoder.encode(self) else {
      throw LibraryError(.system, "library.json cannot be encoded.", detail: "\(folder)")
    }
    let path = folder.appending(Self.name)
    try StoreFiles.mapping("write \(path)") { () throws(FileError) in
      try AtomicFile.write(Array(bytes) + [0x0A], to: path, permissions: .userOnly)
    }
  }
}
