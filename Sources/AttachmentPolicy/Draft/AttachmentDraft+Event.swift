public import MediaModel

extension AttachmentDraft {
  /// A change of a draft, or a refused change. Events are sufficient to update every view of the draft.
  public enum Event: Hashable, Sendable {
    /// An attachment was added at that index.
    case added(MediaAttachment.ID, at: Int)
    /// An attachment was removed; those after it move up by one index.
    case removed(MediaAttachment.ID)
    /// An attachment replaced another at that index.
    case replaced(MediaAttachment.ID, by: MediaAttachment.ID, at: Int)
    /// An attachment moved to another index.
    case moved(MediaAttachment.ID, from: Int, to: Int)
    /// The crop of an attachment changed; nil for no crop.
    case cropped(MediaAttachment.ID, to: PixelRect?)
    /// The alternative text of an attachment changed.
    case altTextChanged(MediaAttachment.ID)
    /// An upload started, made progress, ended, failed, or is to be started again: its state now.
    case uploadChanged(MediaAttachment.ID, UploadState)
    /// ``AttachmentDraft/text`` was replaced by another one.
    case textChanged
    /// A change was refused for these reasons. On a refused replacement, the old attachment stays.
    case refused(MediaAttachment.ID, [Verdict.Reason])
    /// The draft has become full, or was full when more was added. Show the limit to the user (R-TRAY-12).
    case limitReached(limit: Int)
    /// The draft is no longer full.
    case limitLeft
  }
}
