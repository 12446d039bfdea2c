/// Everything that was made of one file.
public struct ThumbnailResult: Hashable, Sendable {
  /// In the order of the requests; a rendition that failed is not among them.
  public var renditions: [Rendition]
  /// What to show before they arrive.
  public var placeholder: Placeholder?
  /// The moment of a video that the poster shows, in seconds from its beginning.
  public var posterTime: Double?
  /// Frames of a video that were decoded to find the poster.
  public var framesDecoded: Int?
  /// The loudness of an audio file over its whole length, in shares of equal length: the largest absolute sample of each, all channels mixed
  /// into one (their mean), the loudest share 1.
  ///
  /// Relative, so that a quiet recording has an image too; linear, not in decibels; exact to single precision, but that a sample next to
  /// the edge of a share may count in both. All 0 in silence: when no sample reaches a thousandth of full scale. When ``error`` is `timedOut` the
  /// audio was not heard to its end, and only the shares of the part that was heard are there: fewer numbers than asked for, each still
  /// standing for as much of the whole.
  public var peaks: [Float]?
  /// What stands for a file that has no image.
  public var icon: MediaIcon?
  /// Bytes read of the file.
  public var bytesRead: Int
  /// What went wrong; whatever could be made stands beside it.
  public var error: MediaFailure?

  /// A result of those parts.
  public init(
    renditions: [Rendition] = [], placeholder: Placeholder? = nil, posterTime: Double? = nil, framesDecoded: Int? = nil,
    peaks: [Float]? = nil, icon: MediaIcon? = nil, bytesRead: Int = 0, error: MediaFailure? = nil
  ) {
    self.renditions = renditions
    self.placeholder = placeholder
    self.posterTime = posterTime
    self.framesDecoded = framesDecoded
    self.peaks = peaks
    self.icon = icon
    self.bytesRead = bytesRead
    self.error = error
  }
}
