public import FileSupport

/// A file that an app puts into a catalogue itself: an upload, an original in a store.
public struct AddedFile: Sendable {
  /// Where it is: absolute.
  public var path: PathBytes
  /// Seconds since 1970: when it was last written. The time that orders it where it does not say itself when it was taken.
  public var modified: Int
  /// Seconds since 1970: when it came here. No file holds an image that was taken after it (docs/decisions/0031).
  public var received: Int
  /// What was found out about it. Its renditions are in the store.
  public var result: FileResult
  /// Whose it is; nil for nobody's. Default nil.
  public var owner: String?
  /// To which collection of the owner it goes. Default the one that is open, if any.
  public var collection: CollectionChoice

  /// A file that was looked into.
  public init(
    path: PathBytes, modified: Int, received: Int, result: FileResult, owner: String? = nil,
    collection: CollectionChoice = .open
  ) {
    (self.path, self.modified, self.received) = (path, modified, received)
    (self.result, self.owner, self.collection) = (result, owner, collection)
  }
}
