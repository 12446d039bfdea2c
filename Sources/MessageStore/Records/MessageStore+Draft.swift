public import AttachmentPolicy
public import FileSupport
public import Messaging

extension MessageStore {
  /// An unsent message as it was saved: recipients, subject, texts, attachments and their files.
  public struct Draft: Hashable, Sendable, Identifiable {
    /// The number of a draft, which is never used again.
    public struct ID: RawRepresentable, Hashable, Codable, Sendable {
      /// The number of the row.
      public let rawValue: Int64
      /// A draft with this number.
      public init(rawValue: Int64) { self.rawValue = rawValue }
    }

    /// The number of the draft.
    public let id: ID
    /// The thread that it is in; nil for a new message.
    public let thread: Thread.ID?
    /// When it was saved, in seconds since 1970.
    public let time: Double
    /// The message to continue with.
    public let message: MessageComposition
    /// Where the store keeps the bytes of each attachment.
    public let files: [MediaAttachment.ID: PathBytes]
  }

  /// Where a draft is saved.
  public enum DraftDestination: Hashable, Sendable {
    /// In a thread, instead of the draft that is there.
    case thread(Thread.ID)
    /// In the thread with these people, which is created if there is none; instead of the draft that is there.
    case participants([String])
    /// Instead of this draft, where it is.
    case draft(Draft.ID)
    /// As one more new message, which has no thread yet.
    case new
  }
}
