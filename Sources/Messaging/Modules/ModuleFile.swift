public import MediaModel

/// A file of a message as a thread knows it: facts, images that were made of it, and whether it is here at all.
public struct ModuleFile: Hashable, Sendable {
  /// An image that was made of a file, and where it is.
  public struct Image: Hashable, Sendable {
    /// Where: a path, an address, a row. Given on as it is.
    public var reference: String
    /// Out of what it was made.
    public var from: Rendition.Source

    /// An image at that place.
    public init(_ reference: String, from: Rendition.Source) {
      self.reference = reference
      self.from = from
    }
  }

  /// Its name in the message: an attachment's id, a part's Content-ID.
  public var id: String?
  /// The name that it came with: foreign text.
  public var name: String?
  /// What it is, by its content; for one that is not here, what its message says.
  public var info: MediaInfo
  /// thumbnails of it, the one to be shown first of its kind first.
  public var images: [Image] = []
  /// Loudness of an audio file.
  public var peaks: [Float]?
  /// What to show before an image has arrived.
  public var placeholder: Placeholder?
  /// Why no image could be made.
  public var failure: MediaFailure?
  /// Whether it is here, rather than at the operator's.
  public var isDownloaded = true

  /// A file of those facts.
  public init(id: String? = nil, name: String? = nil, info: MediaInfo) {
    self.id = id
    self.name = name
    self.info = info
  }
}

/// A piece of a message.
public enum ModuleContent: Hashable, Sendable {
  /// Text.
  case text(String)
  /// A file.
  case file(ModuleFile)
}
