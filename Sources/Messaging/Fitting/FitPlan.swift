public import AttachmentPolicy
public import MediaModel

/// A message that fits, and everything that was changed for that.
public struct FitPlan: Hashable, Sendable {
  /// The message with the facts of the files as they are sent.
  public var composition: MessageComposition
  /// Bytes of it as it is sent; of an MMS the whole PDU.
  public var bytes: Int
  /// Bytes that the carrier takes.
  public var limit: Int
  /// In which form each image is sent.
  public var images: [MediaAttachment.ID: FitCandidate]
  /// Files that became others, in the order of the message. What is not in here goes as it is.
  public var changes: [FitChange]
  /// Files of which nothing could be made though something had to be, and why: they go as they are, with their metadata but for those that
  /// are ``bare``.
  public var failures: [MediaAttachment.ID: MediaFailure]
  /// Videos and audio files that go as they are and have no metadata, by ``VideoMetadataStripper``: any more, or as they came.
  public var bare: Set<MediaAttachment.ID> = []
}

/// What became of one file.
public struct FitChange: Hashable, Sendable {
  /// A file, before or after.
  public struct File: Hashable, Codable, Sendable {
    /// Its media type.
    public var type: MediaType
    /// Its bytes.
    public var bytes: Int
    /// Columns, upright.
    public var width: Int?
    /// Rows, upright.
    public var height: Int?
    /// Seconds of a video or an audio file.
    public var duration: Double?

    init(_ info: MediaInfo) {
      type = info.type
      bytes = info.bytes
      width = info.width
      height = info.height
      duration = info.duration
    }
  }

  /// What was done.
  public enum Effect: String, Codable, Sendable, CaseIterable {
    /// Metadata are out; images and audio are the same to the bit.
    case stripped
    /// It was encoded anew, upright and without metadata.
    case recoded
    /// It has fewer pixels.
    case resized
    /// Only the chosen part of it is sent.
    case cropped
    /// What was transparent is white.
    case flattened
    /// Of an animation the first frame is left.
    case firstFrame
    /// A video or an audio file was encoded anew.
    case transcoded
    /// Its end was left out.
    case cut
  }

  /// Which file.
  public var id: MediaAttachment.ID
  /// As it was attached.
  public var from: File
  /// As it is sent.
  public var to: File
  /// What was done.
  public var effects: [Effect]
  /// The quality of a JPEG that was encoded anew.
  public var quality: Int?
  /// How much of an image is still to be seen: see ``FitCandidate/similarity``.
  public var similarity: Double?
}

/// A message that cannot be made to fit, and what would have to go (D6.14).
public struct FitRefusal: Error, Hashable, Sendable {
  /// Bytes that the carrier takes.
  public var limit: Int
  /// Bytes of the message at its smallest: every image in its smallest form.
  public var bytes: Int
  /// Files without which the rest fits; with any one of them left in it would not. In the order of the message.
  public var remove: [MediaAttachment.ID]
  /// Of these, files that the carrier's class does not take at all.
  public var unsupported: [MediaAttachment.ID]
  /// Bytes by which the text alone is too long, when nothing else is left to go; nil when that is not so.
  public var textExcess: Int?
  /// Files of which nothing could be made, and why: they count as they are.
  public var failures: [MediaAttachment.ID: MediaFailure]
}

/// How fitting ended.
public enum FitOutcome: Hashable, Sendable {
  /// At or under the limit.
  case fitted(FitPlan)
  /// Not to be done.
  case refused(FitRefusal)
}
