internal import FileSupport
internal import MediaModel
internal import TestSupport

@testable internal import MediaLibrary

/// A library with files that owners may post.
struct MomentWorld {
  let test: TestLibrary
  var library: Library { test.library }
  var moments: Moments { test.library.moments }

  init(copy: Bool = false) throws { test = try TestLibrary(copy: copy) }

  /// A photo in a scanned folder.
  func photo(
    _ name: String, taken: Int = 1_000, at location: (Double, Double)? = nil, type: MediaType = .jpeg
  ) throws -> FileID {
    let path = "/r/\(name).jpg"
    try test.catalogue.apply([
      TestLibrary.done(
        path, inode: name.utf8.reduce(5_381) { $0 &* 33 &+ UInt64($1) }, taken: taken, at: location, type: type)
    ])
    return try test.id(path)
  }

  /// A photo whose bytes the library owns.
  func upload(_ content: String, owner: String, at location: (Double, Double)? = nil) throws -> FileID {
    let source = test.folder.path("upload")
    try test.folder.write(Array(content.utf8), to: "upload")
    let stamp = try library.keepOriginal(at: PathBytes(source), owner: owner)
    return try test.catalogue.add([
      AddedFile(
        path: stamp.path, modified: 1_000, received: 1_000,
        result: FileResult(
          info: TestLibrary.photo(taken: 1_000, at: location), digest: nil, renditions: [], engine: "e", recipe: "facts"
        ),
        owner: owner)
    ])[0]
  }

  /// A note of an owner, in no trip.
  @discardableResult
  func note(
    _ text: String, of owner: String, at time: Int = 1_000, location: Location? = nil,
    visibility: Moment.Visibility = .private
  ) throws -> Moment.ID {
    var new = Moment.New(owner: owner, note: text, posted: time)
    (new.time, new.location, new.visibility, new.trips) = (time, .given(location), visibility, [])
    return try moments.add([new])[0]
  }

  /// All pages of a listing.
  static func all(_ page: (CatalogueFile.Cursor?) throws -> Moment.Page) throws -> [Moment] {
    var found: [Moment] = []
    var cursor: CatalogueFile.Cursor?
    repeat {
      let next = try page(cursor)
      found += next.moments
      cursor = next.next
    } while cursor != nil
    return found
  }

  /// Everything that an audience sees of owners, a few at a time.
  func all(_ scope: Moment.Scope, limit: Int = 3) throws -> [Moment] {
    try Self.all { try moments.newest(scope, after: $0, limit: limit) }
  }

  static func place(_ latitude: Double, _ longitude: Double) -> Location? {
    Location(latitude: latitude, longitude: longitude, source: .device)
  }
}
