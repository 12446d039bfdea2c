extension Moment {
  /// A moment to add. What is nil comes from its file.
  public struct New: Sendable {
    /// Where a new moment gets its location from.
    public enum LocationChoice: Hashable, Sendable {
      /// The location that the library stores for its file; none for a note.
      case ofFile
      /// This one; nil for none.
      case given(Location?)
    }

    /// The name of its owner.
    public var owner: String
    /// Its file, which must be the owner's or nobody's, and becomes the owner's. Default nil: a note.
    public var file: FileID?
    /// The title. Default nil: that of the file, if any.
    public var title: String?
    /// The caption, or the text of a note. Default nil: that of the file, if any.
    public var caption: String?
    /// The time in seconds since 1970. Default nil: that of the file, or ``posted``.
    public var time: Int?
    /// Seconds east of UTC, in whole minutes, if ``time`` is given. Default nil: not known.
    public var utcOffset: Int?
    /// The location. Not stored while the owner's setting is ``Moment/LocationSharing/none``. Default: that of the file.
    public var location = LocationChoice.ofFile
    /// Who may see it. Default: the owner.
    public var visibility = Visibility.private
    /// Whether others may see it yet. Default: yes.
    public var state = State.shown
    /// Why its owner alone sees it until a moderator releases it, for the audit trail. Default nil: as ``state`` says.
    public var hold: Moderation.Decision?
    /// When it is posted, in seconds since 1970.
    public var posted: Int
    /// The trips of the owner to which it is added, at the end. Default nil: the owner's open trip, if any (R-MYM-18).
    public var trips: [Trip.ID]?

    /// A photo, a video or audio.
    public init(owner: String, file: FileID, posted: Int) {
      (self.owner, self.file, self.posted) = (owner, file, posted)
    }

    /// A moment without a file, whose caption is this text.
    public init(owner: String, note text: String, posted: Int) {
      (self.owner, caption, self.posted) = (owner, text, posted)
    }
  }

  /// A change of one property. Several are made together, or none (R-MYM-13).
  public enum Change: Hashable, Sendable {
    /// The title; nil removes it.
    case title(String?)
    /// The caption; nil removes it.
    case caption(String?)
    /// The time in seconds since 1970, and seconds east of UTC if they are known.
    case time(Int, utcOffset: Int?)
    /// The location; nil removes it. Not stored while the owner's setting is ``Moment/LocationSharing/none``.
    case location(Location?)
    /// Who may see it.
    case visibility(Visibility)
    /// Whether others may see it yet.
    case state(State)
    /// Its owner alone sees it until a moderator releases it; the audit trail has the decision.
    case hold(Moderation.Decision)
  }
}
