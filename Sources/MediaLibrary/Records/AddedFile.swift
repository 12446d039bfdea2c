public import FileSupport

/// A file that an app adds to a catalogue itself: an upload, an original in a store.
public struct AddedFile: Sendable {
  /// The absolute path.
  public var path: PathBytes
  /// Time of the last write in seconds since 1970. Orders the file if it has no capture time.
  public var modified: Int
  /// Time of arrival in seconds since 1970. A later capture time is a camera's wrong clock (docs/decisions/0031).
  public var received: Int
  /// The facts of the file. Its renditions must be in the store.
  public var result: FileResult
  /// The owner. Default nil: none.
  public var owner: String?
  /// The owner's collection. Default: the open one, if any.
  public var collection: MediaCollection.Choice

  /// Why the file is quarantined from the beginning: it is in no listing until it is released (R-MYM-26). Default nil: it is not. A known file that
  /// is quarantined stays so in any case.
  public var quarantine: String?
  /// Who quarantines it, for the audit trail: see ``Moderation/Decision/actor``. Default: empty.
  public var quarantineActor = ""

  /// An examined file.
  public init(
    path: PathBytes, modified: Int, received: Int, result: FileResult, owner: String? = nil,
    collection: MediaCollection.Choice = .open
  ) {
    (self.path, self.modified, self.received) = (path, modified, received)
    (self.result, self.owner, self.collection) = (result, owner, collection)
  }
}
