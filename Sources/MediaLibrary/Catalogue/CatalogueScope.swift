public import FileSupport
public import MediaModel

/// Which files a listing is about: those for which all that is set holds.
///
/// One of these alone is one range of an index, whatever the times: all files, an owner, some kinds, an owner's files of some kinds, a collection,
/// a folder. Of other combinations the narrowest of these is gone through, and what does not fit is passed over row by row: a collection
/// first, then a folder.
public struct CatalogueScope: Hashable, Sendable {
  /// Whose files; nil for everybody's and nobody's. The default.
  public var owner: String?
  /// Only files of this collection of ``owner``; without an owner there are none.
  public var collection: String?
  /// Only files of these kinds; nil for all, and for files whose kind is not known. The default.
  public var kinds: Set<MediaKind>?
  /// Only files directly in this folder.
  public var folder: PathBytes?
  /// Only files of these times (``CatalogueFile/time``): seconds since 1970; nil for all. The default.
  public var times: Range<Int>?

  /// A scope of these parts; of none of them, every file.
  public init(
    owner: String? = nil, collection: String? = nil, kinds: Set<MediaKind>? = nil, folder: PathBytes? = nil,
    times: Range<Int>? = nil
  ) {
    (self.owner, self.collection, self.kinds) = (owner, collection, kinds)
    (self.folder, self.times) = (folder, times)
  }

  /// Every file.
  public static let all = CatalogueScope()
  /// Photos and videos: what a tray shows (R-TRAY-2).
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

  /// The same, but of these times alone; nil for all times.
  public func during(_ times: Range<Int>?) -> CatalogueScope {
    var scope = self
    scope.times = times
    return scope
  }
}
