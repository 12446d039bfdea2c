/// The renditions of one file, and what goes with them.
public struct ThumbnailResult: Hashable, Sendable {
  /// The renditions in the order of the requests, without those that failed.
  public var renditions: [Rendition]
  /// What a view shows until the renditions have loaded.
  public var placeholder: Placeholder?
  /// The position of the poster frame, in seconds from the start of the video.
  public var posterTime: Double?
  /// The number of video frames that were decoded to select the poster.
  public var framesDecoded: Int?
  /// The waveform of an audio file: the peak of each of equal time segments, 0…1, relative to the loudest segment.
  ///
  /// A peak is the largest absolute sample of all channels mixed to mono by their mean. Values are linear, not in
  /// decibels. They are exact to single precision, but a sample at the edge of a segment may count in both. All values
  /// are 0 in silence: when no sample reaches a thousandth of full scale.
  ///
  /// When ``error`` is `timedOut`, the audio was not decoded to its end. The array then has fewer values than
  /// requested, and each still covers the same length of time.
  public var peaks: [Float]?
  /// The icon for a file that has no image.
  public var icon: MediaIcon?
  /// The number of bytes read from the file.
  public var bytesRead: Int
  /// The reason why something is missing. Everything that could be made is present as well.
  public var error: MediaFailure?

  /// By default, nothing was made, and nothing has failed.
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
