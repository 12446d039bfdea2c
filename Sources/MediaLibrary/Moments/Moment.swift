public import MediaModel

/// What a person posted: a photo, a video, audio, or a note without a file (R-MYM-2).
///
/// A file is one kind of content of a moment: several moments of its owner may have the same one. What a person wrote is the moment's own, and a later
/// scan of the file does not change it.
public struct Moment: Hashable, Sendable, Identifiable {
  /// The id of a moment, which is never given again.
  public struct ID: RawRepresentable, Hashable, Comparable, Codable, Sendable {
    /// The number of the row.
    public let rawValue: Int64
    /// An id with this number.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// The order in which moments were added.
    public static func < (one: ID, other: ID) -> Bool { one.rawValue < other.rawValue }
  }

  /// The kind of content.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// An image.
    case photo
    /// A video file.
    case video
    /// An audio file.
    case audio
    /// A text without a file.
    case note
  }

  /// Who may see it.
  public enum Visibility: String, Codable, Sendable, CaseIterable {
    /// Its owner.
    case `private`
    /// Those whom the app takes for friends of its owner.
    case friends
    /// Everyone.
    case `public`
  }

  /// Whether others may see it yet.
  public enum State: String, Codable, Sendable, CaseIterable {
    /// Everyone whom ``Moment/visibility`` names sees it.
    case shown
    /// Only its owner sees it, until a moderator decides.
    case held
  }

  /// The number of the moment in its library, which is never used again.
  public var id: ID
  /// The name of its owner.
  public var owner: String
  /// The kind of content.
  public var kind: Kind
  /// Its file; nil for a note.
  public var file: FileID?
  /// The title, unchanged as it was given.
  public var title: String?
  /// The caption, or the text of a note, unchanged as it was given.
  public var caption: String?
  /// The time of the moment in seconds since 1970. Without ``utcOffset`` it is the local time, as if that were UTC (R-MYM-7).
  public var time: Int
  /// Seconds east of UTC; nil if that is not known.
  public var utcOffset: Int?
  /// The source of ``time``: one of a file's, `file` for its last write, or `user`.
  public var timeSource: MediaInfo.TimeSource
  /// The location, with its source; nil if there is none, or if the reader may not see it (R-MYM-6, R-MYM-28).
  public var location: Location?
  /// Who may see ``location``; the owner's setting when it was added (R-MYM-27).
  public var locationSharing: LocationSharing
  /// Who may see it.
  public var visibility: Visibility
  /// Whether others may see it yet.
  public var state: State
  /// Counts its changes, from 1. A change names the version that it was made on.
  public var version: Int
  /// When it was posted, in seconds since 1970.
  public var created: Int
  /// When it was posted or last changed, held or released, or shown again with its file, in seconds since 1970.
  public var changed: Int
}

extension MediaInfo.TimeSource {
  /// A person gave the time.
  public static let user = MediaInfo.TimeSource(rawValue: "user")
}

extension Moment {
  /// Who sees the locations of what an owner has: its location-sharing setting (R-MYM-27).
  public enum LocationSharing: String, Codable, Sendable, CaseIterable {
    /// No location is stored.
    case none
    /// The owner alone sees locations. The default.
    case `private`
    /// Friends see the locations of moments that they see.
    case friends
  }
}
