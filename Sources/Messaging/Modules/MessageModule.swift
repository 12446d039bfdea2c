public import MediaModel

/// What a thread shows for one piece of a message: a text, an image, an audio file; the same for incoming and outgoing, in the order in which it was composed.
///
/// The property names are the JSON keys of `mediatool modules` (docs/design.md §7).
public struct MessageModule: Hashable, Codable, Sendable {
  /// What it is.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// Text with links.
    case text
    /// The image itself.
    case image
    /// A frame of the video, its name, its length.
    case video
    /// An icon, cover or waveform, the name, the length.
    case audio
    /// A vCard.
    case contact
    /// A date: iCalendar.
    case calendar
    /// Anything else.
    case other
  }

  /// What can be shown of it.
  public enum State: String, Codable, Sendable, CaseIterable {
    /// All of it.
    case ready
    /// An icon in the place of an image that there is none of; ``MessageModule/reason`` says why.
    case placeholder
    /// An icon, because it is damaged (R-MMS-63).
    case corrupted
    /// An icon, because making an image would cost too much; it can be opened.
    case tooLarge
    /// An icon, because it is still at the operator's (R-MMS-46).
    case notDownloaded
  }

  /// What a tap does (R-MMS-31, R-MMS-44).
  public enum Action: String, Codable, Sendable {
    /// Plays it.
    case play
    /// Shows it large, or opens it.
    case view
    /// Saves it: nothing here can open it.
    case save
    /// Fetches it from the operator (R-MMS-46).
    case download
  }

  /// What it is.
  public var kind: Kind
  /// What can be shown of it.
  public var state = State.ready
  /// Why there is no image: `noImage`, or the code of the failure.
  public var reason: String?

  /// The text; of text modules alone.
  public var text: String?
  /// The links in the text, in its order (R-MMS-22, R-MMS-23, R-MMS-24).
  public var links: [TextLink]?

  /// The name of the file in its message: an attachment's id, a part's Content-ID.
  public var id: String?
  /// Its type.
  public var type: MediaType?
  /// Its size.
  public var bytes: Int?
  /// Its size for people: `n B`, `n.n KB`, `n.n MB` (A12).
  public var size: String?
  /// Its name, safe to be shown and saved under, with the extension; none other in the message is alike (R-MMS-62).
  public var filename: String?
  /// Whether the name is shown: not for images (R-MMS-42, D6.1).
  public var showsName = false
  /// Columns, upright.
  public var width: Int?
  /// Rows, upright.
  public var height: Int?
  /// Seconds.
  public var duration: Double?

  /// Where a small upright image of an image or of a page is.
  public var thumbnail: String?
  /// Where a frame of a video is (R-MMS-43).
  public var poster: String?
  /// Where the cover of an audio file is.
  public var cover: String?
  /// Where the waveform of an audio file is.
  public var waveform: String?
  /// The loudness of an audio file over its length, 0…1.
  public var peaks: [Float]?
  /// What to show before the image has arrived.
  public var placeholder: Placeholder?
  /// What stands for it when there is no image; of audio files always (R-MMS-41).
  public var icon: MediaIcon?

  /// What a tap does; nothing on a text.
  public var action: Action?
  /// What a screen reader says, in English.
  public var label = ""

  /// Whether it stands for a message of which nothing is here yet.
  var isWholeMessage: Bool { state == .notDownloaded && type == MMSMessage.mediaType }

  /// A module of that kind without anything in it.
  init(kind: Kind) { self.kind = kind }
}
