public import FileSupport
public import MediaModel

/// The files that a listing covers: those that match all properties that are set.
///
/// These scopes are one range of an index, with or without times: all files, an owner, some kinds, an owner's files of some kinds, a collection,
/// a folder. For other combinations the catalogue walks one of these ranges, a collection or else a folder if there is one, and skips files
/// that do not match one by one.
public struct CatalogueScope: Hashable, Sendable {
  /// The owner of the files. Default nil: files with any owner or none.
  public var owner: String?
  /// The collection of ``owner`` to which the files belong; without an owner no file matches.
  public var collection: String?
  /// The kinds of the files. Default nil: all kinds, and files of unknown kind.
  public var kinds: Set<MediaKind>?
  /// The folder in which the files are, without its subfolders.
  public var folder: PathBytes?
  /// The times of the files (``CatalogueFile/time``) in seconds since 1970. Default nil: all times.
  public var times: Range<Int>?

  /// A scope with these properties; without any, every file.
  public init(
    owner: String? = nil, collection: String? = nil, kinds: Set<MediaKind>? = nil, folder: PathBytes? = nil,
    times: Range<Int>? = nil
  ) {
    (self.owner, self.collection, self.kinds) = (owner, collection, kinds)
    (self.folder, self.times) = (folder, times)
  }

  /// Every file.
  public static let all = CatalogueScope()
  /// Photos and videos, which a tray shows (R-TRAY-2).
  public static let photosAndVideos = CatalogueScope(kinds: [.image, .video])
  /// Files of one kind.
  public static func kind(_ kind: MediaKind) -> CatalogueScope { CatalogueScope(kinds: [kind]) }
  /// Files of one owner.
  public static func owner(_ name: String) -> CatalogueScope { CatalogueScope(owner: name) }
  /// Files of one collection of an owner.
  public static func collection(_ name: String, owner: String) -> CatalogueScope {
    CatalogueScope(owner: owner, collection: name)
  }
  /// Files directly in a folder.
  public static func folder(_ path: PathBytes) -> CatalogueScope { CatalogueScope(folder: path) }

  /// The same scope, limited to these times; nil for all times.
  public func during(_ times: Range<Int>?) -> CatalogueScope {
    var scope = self
    scope.times = times
    return scope
  }
}
