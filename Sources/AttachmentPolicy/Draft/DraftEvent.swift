public import MediaModel

/// What an operation did to a draft. Every view of the draft follows from these.
public enum DraftEvent: Hashable, Sendable {
  /// An attachment is in, at that place.
  case added(MediaAttachment.ID, at: Int)
  /// An attachment is out.
  case removed(MediaAttachment.ID)
  /// An attachment has taken another's place.
  case replaced(MediaAttachment.ID, by: MediaAttachment.ID, at: Int)
  /// An attachment stands at another place.
  case moved(MediaAttachment.ID, from: Int, to: Int)
  /// Another part of an attachment is to be sent; nil for all of it.
  case cropped(MediaAttachment.ID, to: PixelRect?)
  /// An upload is in another state.
  case uploadChanged(MediaAttachment.ID, UploadState)
  /// The text is another.
  case textChanged
  /// Nothing was done, for these reasons; an attachment that was to be replaced is still there.
  case refused(MediaAttachment.ID, [RefusalReason])
  /// The draft is full now, or was and something more was offered: the moment to say so (R-TRAY-12).
  case limitReached(limit: Int)
  /// There are free places again.
  case limitLeft
}
