public import MediaModel

/// What was found out about a file that was looked into.
public struct FileResult: Hashable, Sendable {
  /// Its facts.
  public var info: MediaInfo
  /// The digest of its content, when it was made. Two files of one digest share one content: facts, placeholder and renditions.
  public var digest: ContentDigest?
  /// What to show before an image has arrived.
  public var placeholder: Placeholder?
  /// What was put into the store. They replace those of the same names; others of the content stay.
  public var renditions: [StoredRendition]
  /// The engine that did it, and its version: a failure is tried again when this is another one.
  public var engine: String
  /// What was asked for, in the caller's own words, such as `grid,message`; compared with what is asked for next time. At most a few different
  /// ones in a library.
  public var recipe: String

  /// A result of those parts.
  public init(
    info: MediaInfo, digest: ContentDigest? = nil, placeholder: Placeholder? = nil, renditions: [StoredRendition] = [],
    engine: String, recipe: String = ""
  ) {
    (self.info, self.digest, self.placeholder) = (info, digest, placeholder)
    (self.renditions, self.engine, self.recipe) = (renditions, engine, recipe)
  }
}
