internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import MediaModel
internal import TestSupport

@testable internal import MediaLibrary

/// A library with a copy in which a history happens.
struct HistoryLibrary {
  let library: Library
  /// The folder of the library, its copy, and the files that are uploaded.
  let folder: String

  init(in folder: String) throws {
    self.folder = folder
    var options = Library.Options()
    (options.copy, options.patience) = (PathBytes(folder + "/copy"), 1)
    library = try Library.open(
      at: LibraryLocation(folder: PathBytes(folder + "/library")), for: .creating, options: options)
  }

  static func bytes(_ content: Int) -> [UInt8] { Array("Quokkaoriginal \(content)".utf8) }
  static func digest(_ content: Int) -> ContentDigest { DirectoryStore.digest(bytes(content)) }
  static func rendition(_ content: Int) -> [UInt8] { Array("Wombatrendition \(content)".utf8) }
  /// The ThumbHash of an image, of two that do not look alike.
  static func thumbhash(_ image: Int) -> String {
    ["CfcJFwCUeHhPiIdliEd4WHmXdwjIh4AO", "YhgOXZC0Z3iQhnh4eKeHh3+V+H6K"][image]
  }
  static func hash(_ image: Int) -> Moderation.ImageHash {
    Moderation.ImageHash(thumbhash: thumbhash(image)) ?? Moderation.ImageHash(bits: UInt64(image))
  }

  // MARK: What people named

  func path(_ file: HistoryFile) -> PathBytes {
    library.pathOfOriginal(Self.digest(file.content), owner: file.owner) ?? PathBytes("/")
  }

  func id(_ file: HistoryFile) throws -> FileID? { try library.catalogue.file(at: path(file))?.id }

  func ids(_ files: [HistoryFile]) throws -> [FileID] { try files.compactMap { try id($0) } }

  /// The moments that an audience sees.
  func moments(_ audience: Moment.Scope.Audience) throws -> [Moment] {
    let scope = Moment.Scope(owners: HistoryModel.owners, audience: audience)
    return try MomentWorld.all { try library.moments.newest(scope, after: $0, limit: 50) }
  }

  func moment(_ name: Int) throws -> Moment? { try moments(.owner).first { $0.title == "t\(name)" } }

  func moments(_ names: [Int]) throws -> [Moment.ID] {
    let all = try moments(.owner)
    return names.compactMap { name in all.first { $0.title == "t\(name)" }?.id }
  }

  func trips() throws -> [Trip] {
    try HistoryModel.owners.flatMap { try library.moments.trips(of: [$0], after: nil, limit: 500).trips }
  }

  func trip(_ name: Int) throws -> Trip? { try trips().first { $0.title == "T\(name)" } }

  static func key(of owner: String) -> DraftStore.Key { .unthreaded("draft of \(owner)") }

  static func location(_ number: Int) -> Location? {
    number == 0 ? nil : MomentWorld.place(Double(number), 7)
  }
}
