internal import FileSupport

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A file that identifies a folder as a library or as its copy. Without it, the mount point of a missing disk would look like a copy from which
/// everything is missing.
struct LibraryMarker: LibraryRecord, Equatable {
  enum Role: String, Codable {
    case library
    case copy
  }

  /// What the folder is.
  var role: Role
  /// Id of the library, the same in its copy.
  var library: String
  /// Whether the library has had a copy; nil in a copy.
  var hasCopy: Bool?
  /// The greatest id that a file of the library may have been given (``ReservedIDs``); nil in a copy, and where an earlier version wrote the marker.
  var lastID: Int64?

  /// The name of the file.
  static let name = Array("library.json".utf8)

  /// A marker with a random identifier.
  static func new() -> LibraryMarker {
    LibraryMarker(
      role: .library, library: UUID().uuidString.lowercased(), hasCopy: false,
      lastID: ReservedIDs.step)
  }

  /// Whether the library at a location has had a copy.
  static func hasCopy(_ location: LibraryLocation) throws(LibraryError) -> Bool {
    try read(in: location.data)?.hasCopy == true
  }

  /// Whether the library at a location has a copy that cannot be reached: it is open without it, or the folder of the copy has no marker any more, as the
  /// mount point of a missing disk.
  static func isCopyAway(_ copy: PathBytes?, of location: LibraryLocation) throws(LibraryError) -> Bool {
    guard let copy else { return try hasCopy(location) }
    return try read(in: copy) == nil
  }
}

extension Library {
  /// Whether the library has a copy and was opened without it: what is stored is not in it, and what is erased stays there.
  package var isWithoutItsCopy: Bool { options.copy == nil && (try? LibraryMarker.hasCopy(location)) == true }
}
