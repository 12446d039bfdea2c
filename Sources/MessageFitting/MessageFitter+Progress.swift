public import AttachmentPolicy
public import MediaModel

extension MessageFitter {
  /// The progress of fitting a message.
  public enum Progress: Hashable, Sendable {
    /// Images are encoded in several sizes and qualities, in up to five rounds. `done` counts the images of the current
    /// round.
    case measuring(done: Int, of: Int)
    /// A video or an audio file is being transcoded.
    case transcoding(MediaAttachment.ID, TranscodeProgress)
  }
}
