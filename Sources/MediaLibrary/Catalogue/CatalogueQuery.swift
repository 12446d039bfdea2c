public import MediaModel

extension CatalogueFile {
  /// The position in a listing where a page ended. Stays valid when files are added or removed. An opaque string that may be sent to clients.
  public struct Cursor: RawRepresentable, Hashable, Codable, Sendable {
    /// What a client sends back. Its form may change between versions; do not parse it.
    public let rawValue: String
    /// A cursor with the string of an earlier one.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// A page of a listing.
  public struct Page: Sendable {
    /// The files, in the order of the listing.
    public var files: [CatalogueFile]
    /// The cursor of the next page; nil on the last page.
    public var next: Cursor?
    /// Files of which the catalogue's row is damaged: they are not in ``files``. ``Library/repair(_:)`` repairs them.
    public var damaged: [FileID] = []
  }

  /// The number of files with one state, kind and failure code.
  public struct Count: Hashable, Sendable {
    /// Whether these files are done, have failed, have vanished, or are quarantined.
    public var state: State
    /// The kind; nil if it is not known.
    public var kind: MediaKind?
    /// The failure code, if the state is failed.
    public var failure: MediaFailure.Code?
    /// Number of files.
    public var files: Int
    /// Sum of the sizes in bytes.
    public var bytes: Int
  }
}
