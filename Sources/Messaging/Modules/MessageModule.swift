internal import MMSCodec
public import MediaModel

/// What a thread shows for one item of a message: a text, an image, an audio file. It is the same for incoming and
/// outgoing messages, in the order of composition.
///
/// The property names are the JSON keys of `mediatool modules` (docs/design.md §7).
public struct MessageModule: Hashable, Codable, Sendable {
  /// What a thread displays for one element of a message.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// Text with links.
    case text
    /// A thumbnail.
    case image
    /// A poster frame, the name and the duration.
    case video
    /// An icon, cover or waveform, with the name and the duration.
    case audio
    /// A vCard.
    case contact
    /// A calendar entry: iCalendar.
    case calendar
    /// Any other file.
    case other
  }

  /// The display state of a module.
  public enum State: String, Codable, Sendable, CaseIterable {
    /// The module can be displayed completely.
    case ready
    /// An icon is displayed because there is no image; ``MessageModule/reason`` states why.
    case placeholder
    /// An icon is displayed because the file is damaged (R-MMS-63).
    case corrupted
    /// An icon is displayed because a thumbnail would be too expensive; the file can be opened.
    case tooLarge
    /// An icon is displayed because the file has not been downloaded (R-MMS-46).
    case notDownloaded
  }

  /// The action of a tap (R-MMS-31, R-MMS-44).
  public enum Action: String, Codable, Sendable {
    /// Play a video or an audio file.
    case play
    /// Show the image in full size, or open the file.
    case view
    /// Save the file, because the app cannot open it.
    case save
    /// Download the message from the carrier (R-MMS-46).
    case download
  }

  /// What the module displays, and so which of the other properties are set.
  public var kind: Kind
  /// Whether an image or an icon is displayed, and which.
  public var state = State.ready
  /// The reason why there is no image: `noImage`, or a failure code.
  public var reason: String?

  /// The text; nil for files.
  public var text: String?
  /// The links in the text, in order (R-MMS-22, R-MMS-23, R-MMS-24).
  public var links: [LinkDetector.Link]?

  /// The identifier of the file in its message: an attachment's id or a part's Content-ID.
  public var id: String?
  /// The type that the content has; nil for texts.
  public var type: MediaType?
  /// The size in bytes.
  public var bytes: Int?
  /// The size for display: `12 B`, `4.8 kB`, `153 MB` (A12).
  public var size: String?
  /// A safe file name with extension, for display and saving. It is unique in the message (R-MMS-62).
  public var filename: String?
  /// Whether to show the name; false for images (R-MMS-42, D6.1).
  public var showsName = false
  /// Width in upright pixels.
  public var width: Int?
  /// Height in upright pixels.
  public var height: Int?
  /// Duration in seconds.
  public var duration: Double?

  /// Reference to the thumbnail of an image or a page.
  public var thumbnail: String?
  /// Reference to the poster frame of a video (R-MMS-43).
  public var poster: String?
  /// Reference to the cover of an audio file.
  public var cover: String?
  /// Reference to the waveform image of an audio file.
  public var waveform: String?
  /// Reference to the file itself.
  public var media: String?
  /// The waveform peaks of an audio file, 0…1.
  public var peaks: [Float]?
  /// What to show until the image has loaded.
  public var placeholder: Placeholder?
  /// The icon if there is no image; always present for audio files (R-MMS-41).
  public var icon: MediaIcon?

  /// The action of a tap; nil for a text.
  public var action: Action?
  /// The accessibility label, in English.
  public var label = ""

  /// Whether it represents a message that has not been downloaded.
  var isWholeMessage: Bool { state == .notDownloaded && type == MMSMessage.mediaType }

  /// Creates an empty module.
  init(kind: Kind) { self.kind = kind }
}
