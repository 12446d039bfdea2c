public import MediaModel

extension MessageModule {
  /// A file of a message: its facts, its thumbnails, and whether it is downloaded.
  public struct File: Hashable, Sendable {
    /// A thumbnail of a file and where it is stored.
    public struct Image: Hashable, Sendable {
      /// The path, address or row of the thumbnail, passed through unchanged.
      public var reference: String
      /// What the thumbnail was made from.
      public var from: Rendition.Source

      /// Creates a reference to a thumbnail.
      public init(_ reference: String, from: Rendition.Source) {
        self.reference = reference
        self.from = from
      }
    }

    /// The identifier in the message: an attachment's id or a part's Content-ID.
    public var id: String?
    /// The original name. It is untrusted text.
    public var name: String?
    /// The facts determined from the content; for a file that is not downloaded, those declared in its message.
    public var info: MediaInfo
    /// Thumbnails; the first one of its kind is displayed.
    public var images: [Image] = []
    /// The path or address of the file itself, passed through unchanged.
    public var media: String?
    /// The waveform peaks of an audio file.
    public var peaks: [Float]?
    /// What to show until the thumbnail has loaded.
    public var placeholder: Placeholder?
    /// The reason why there is no thumbnail.
    public var failure: MediaFailure?
    /// Whether the file is downloaded rather than at the carrier.
    public var isDownloaded = true

    /// A downloaded file without a thumbnail.
    public init(id: String? = nil, name: String? = nil, info: MediaInfo) {
      self.id = id
      self.name = name
      self.info = info
    }
  }

  /// An item of a message.
  public enum Content: Hashable, Sendable {
    /// A text. Links that its markup gives are in addition to those that are detected: see ``init(_:)``.
    case text(String, links: [LinkDetector.Link] = [])
    /// An attachment, or a part of a received message.
    case file(File)
  }
}
