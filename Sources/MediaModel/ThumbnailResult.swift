/// Everything that was made of one file.
public struct ThumbnailResult: Hashable, Sendable {
  /// In the order of the requests; a rendition that failed is not among them.
  public var renditions: [Rendition]
  /// What to show before they arrive.
  public var placeholder: Placeholder?
  /// Bytes read of the file.
  public var bytesRead: Int
  /// What went wrong; whatever could be made stands beside it.
  public var error: MediaFailure?

  /// A result of those parts.
  public init(
    renditions: [Rendition] = [], placeholder: Placeholder? = nil, bytesRead: Int = 0, error: MediaFailure? = nil
  ) {
    self.renditions = renditions
    self.placeholder = placeholder
    self.bytesRead = bytesRead
    self.error = error
  }
}
