public import AttachmentPolicy
public import MediaModel

/// What is told while a message is fitted.
public enum FittingProgress: Hashable, Sendable {
  /// Pictures are tried in sizes and qualities, all of them up to five times: of those that are tried now so many are done.
  case measuring(done: Int, of: Int)
  /// A video or a sound is encoded anew.
  case transcoding(MediaAttachment.ID, TranscodeProgress)
}
