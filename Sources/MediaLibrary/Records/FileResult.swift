public import MediaModel

/// The result of examining a file.
public struct FileResult: Hashable, Sendable {
  /// What a prober found in the file, or why it found nothing.
  public var info: MediaInfo
  /// The digest of the content, if it was computed. Files with equal digests share facts, placeholder and renditions.
  public var digest: ContentDigest?
  /// The placeholder to show until an image is loaded.
  public var placeholder: Placeholder?
  /// The renditions that were put into the store. They replace those of the same name; other renditions of the content stay.
  ///
  /// One that was made from the file's own preview although the image can be decoded is a draft: it is kept, and the next
  /// scan that requests renditions replaces it.
  public var renditions: [StoredRendition]
  /// The engine with its version; a failure is tried again when it changes.
  public var engine: String
  /// What was requested, in the caller's own notation, such as `grid,message`; compared at the next scan. A library holds at most a few different
  /// ones.
  public var recipe: String

  /// A result with these parts.
  public init(
    info: MediaInfo, digest: ContentDigest? = nil, placeholder: Placeholder? = nil, renditions: [StoredRendition] = [],
    engine: String, recipe: String = ""
  ) {
    (self.info, self.digest, self.placeholder) = (info, digest, placeholder)
    (self.renditions, self.engine, self.recipe) = (renditions, engine, recipe)
  }
}
