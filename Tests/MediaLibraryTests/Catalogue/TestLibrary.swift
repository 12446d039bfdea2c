internal import FileSupport
internal import MediaModel
internal import TestSupport

@testable internal import MediaLibrary

/// A library in a folder of its own, and words for what a scan would say to it.
struct TestLibrary: Sendable {
  let folder: TemporaryFolder
  let library: Library
  var catalogue: any MediaCatalogue & ScanIndex { library.database }

  init(copy: Bool = false, keepsLocations: Bool = true) throws {
    folder = try TemporaryFolder()
    var options = Library.Options()
    options.keepsLocations = keepsLocations
    options.patience = 1
    if copy { options.copy = PathBytes(folder.path("copy")) }
    library = try Library.open(at: Self.location(in: folder), for: .creating, options: options)
  }

  static func location(in folder: TemporaryFolder) -> LibraryLocation {
    LibraryLocation(data: PathBytes(folder.path("data")), cache: PathBytes(folder.path("cache")))
  }

  /// A file of a walk; the second of its last write identifies its content.
  static func stamp(_ path: String, inode: UInt64, second: Int64 = 1_000, size: Int64 = 5) -> FileStamp {
    FileStamp(
      path: PathBytes(path), device: 7, inode: inode, size: size, modified: second * 1_000_000_000,
      changed: 4_000_000_000_000_000_000)
  }

  static func photo(taken: Int? = nil, at location: (Double, Double)? = nil, type: MediaType = .jpeg) -> MediaInfo {
    var info = MediaInfo(type: type, bytes: 5)
    if let taken {
      info.takenAt = MediaInfo.CaptureTime(secondsSince1970: taken)
      info.takenAtSource = .exif
    }
    if let location { (info.latitude, info.longitude) = location }
    return info
  }

  static func digest(_ number: Int) -> ContentDigest? {
    ContentDigest(bytes: (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 8))) })
  }

  /// The change of a scan for an examined file.
  static func done(
    _ path: String, inode: UInt64, second: Int64 = 1_000, taken: Int? = nil, at location: (Double, Double)? = nil,
    type: MediaType = .jpeg, digest: Int? = nil, renditions: [StoredRendition] = []
  ) -> CatalogueChange {
    .done(
      stamp(path, inode: inode, second: second),
      FileResult(
        info: photo(taken: taken, at: location, type: type), digest: digest.flatMap(Self.digest),
        renditions: renditions,
        engine: "e1", recipe: "facts"))
  }

  func id(_ path: String) throws -> FileID {
    guard let file = try catalogue.file(at: PathBytes(path)) else { throw NotThere(path: path) }
    return file.id
  }

  struct NotThere: Error { let path: String }

  /// All pages of a listing, one after another.
  static func all(
    _ page: (CatalogueFile.Cursor?) throws -> CatalogueFile.Page
  ) throws -> [CatalogueFile] {
    var files: [CatalogueFile] = []
    var cursor: CatalogueFile.Cursor?
    repeat {
      let next = try page(cursor)
      files += next.files
      cursor = next.next
    } while cursor != nil
    return files
  }
}

extension CatalogueFile {
  /// The path as text.
  var path: String { stamp.path.description }
}
