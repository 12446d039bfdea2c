extension Moderation {
  /// An entry of the audit trail. It has no content, no name of a file, and no name of a reader.
  public struct AuditEntry: Hashable, Sendable, Identifiable {
    /// What was done. An open set.
    public struct Action: RawRepresentable, Hashable, Sendable {
      /// The stable name.
      public let rawValue: String
      /// The action with this name.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// A file content was blocked.
      public static let block = Action(rawValue: "block")
      /// The block of a file content was removed.
      public static let unblock = Action(rawValue: "unblock")
      /// Images that look like one were blocked.
      public static let blockImage = Action(rawValue: "blockImage")
      /// The block of images that look like one was removed.
      public static let unblockImage = Action(rawValue: "unblockImage")
      /// A file was quarantined.
      public static let quarantine = Action(rawValue: "quarantine")
      /// A file, a moment or a trip was released.
      public static let release = Action(rawValue: "release")
      /// A file, a moment or a trip was protected.
      public static let protect = Action(rawValue: "protect")
      /// The protection of a file, a moment or a trip was ended.
      public static let unprotect = Action(rawValue: "unprotect")
      /// A moment or a trip was held: its owner alone sees it.
      public static let hold = Action(rawValue: "hold")
      /// The reports about a file, a moment or a trip were discarded.
      public static let dismiss = Action(rawValue: "dismiss")
      /// A file content that no scanner could look at was accepted.
      public static let accept = Action(rawValue: "accept")
      /// A scanner found malware in a file content.
      public static let infected = Action(rawValue: "infected")
      /// A scanner finds malware in a file content no more.
      public static let cleared = Action(rawValue: "cleared")
    }

    /// The number of the entry; later ones have greater numbers.
    public var id: Int64
    /// When, in seconds since 1970.
    public var time: Int
    /// Who: see ``Moderation/Decision/actor``.
    public var actor: String
    /// What was done.
    public var action: Action
    /// The digest of the content that it is about; nil if it is about a file alone.
    public var content: ContentDigest?
    /// The id of the file that it is about; nil if it is about a file content. The file may have been erased since.
    public var file: FileID?
    /// The moment that it is about; nil if it is about a file, a content or an image. It may have been erased since.
    public var moment: Moment.ID?
    /// The trip that it is about; nil if it is about something else. It may have been erased since.
    public var trip: Trip.ID?
    /// The reason, if one was given. It is erased with the file, the moment, the trip, the last file of the content, or an owner who has the content: a free text may be
    /// about the owner.
    public var reason: String?
    /// How the image looks that it is about; nil if it is about a content or a file.
    public var image: ImageHash?
  }

  /// A page of the audit trail.
  public struct AuditPage: Sendable {
    /// The decisions of this page, most recent first.
    public var entries: [AuditEntry]
    /// The cursor of the next page; nil on the last page.
    public var next: CatalogueFile.Cursor?
  }
}
