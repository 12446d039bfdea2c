public import AttachmentPolicy
public import MediaModel

/// What is told while a message is fitted.
public enum FittingProgress: Hashable, Sendable {
  /// Images are tried in sizes and qualities, all of them up to five times: of those that are tried now so many are done.
  case measuring(done: Int, of: Int)
  /// A video or an audio file is encoded anew.
  case transcoding(MediaAttachment.ID, TranscodeProgress)
}
