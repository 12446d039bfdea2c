public import FileSupport
public import MediaLibrary
public import MediaModel
public import Messaging

extension MessageStore {
  /// A message of a thread, or the notification of one that is still at the carrier.
  public struct Message: Hashable, Sendable, Identifiable {
    /// The number of a message, which is never used again.
    public struct ID: RawRepresentable, Hashable, Codable, Sendable {
      /// The number of the row.
      public let rawValue: Int64
      /// A message with this number.
      public init(rawValue: Int64) { self.rawValue = rawValue }
    }

    /// The number of the message. A downloaded message keeps that of its notification (R-MMS-51).
    public let id: ID
    /// The id of the thread that lists the message.
    public let thread: Thread.ID
    /// SMS or MMS.
    public let type: MessageType
    /// When it was sent or arrived, in seconds since 1970.
    public let time: Double
    /// The address of the sender; nil for an outgoing message, and if the sender is hidden.
    public let sender: String?
    /// The subject; nil for none.
    public let subject: String?
    /// Whether the user has not displayed it yet.
    public let isUnread: Bool
    /// The texts and files in the order of display; those that a notification announces have no path.
    public let parts: [Part]
    /// The state of sending with the recipients and their reports; nil for an incoming message.
    public let sending: MessageSending?
    /// The state of the download; nil for an outgoing message and for an SMS.
    public let retrieval: MessageRetrieval?
    /// Where the next page begins after this message.
    public let cursor: Cursor

    /// Whether it is from somebody else.
    public var isIncoming: Bool { sending == nil }

    /// Whether it is a downloaded multimedia message without parts and without a subject, which another download does not change (R-MMS-63).
    public var isInvalidEmpty: Bool {
      retrieval?.state == .received && parts.isEmpty && (subject ?? "").isEmpty
    }

    /// The texts, joined by line breaks.
    public var text: String { parts.compactMap(\.text).joined(separator: "\n") }

    /// The content for `MessageModule.modules(of:links:)`.
    /// - Parameter file: Returns the facts and thumbnails of a file, for example from an engine. By default the declared ones.
    public func content(
      file: (Part) -> MessageModule.File = { MessageModule.File($0) }
    ) -> [MessageModule.Content] {
      parts.map { part in part.text.map { .text($0) } ?? .file(file(part)) }
    }
  }

  /// A text or a file of a message.
  public struct Part: Hashable, Sendable {
    /// The text; nil for a file.
    public let text: String?
    /// The name that the sender gave the file. It is untrusted text, and no path.
    public let name: String?
    /// The declared type.
    public let type: MediaType
    /// The Content-ID of a received file, or the id of an attachment.
    public let contentID: String?
    /// Size in bytes.
    public let bytes: Int
    /// The file in the store, never to be written to; nil for a text, and for a file that is still at the carrier.
    public let path: PathBytes?
    /// The digest of the file; nil without a path.
    public let digest: ContentDigest?
    /// The digest of the file that this one was made of, such as the photo before it was reduced; nil if it is that file, or if the app did not state it.
    public let source: ContentDigest?
  }
}

extension MessageModule.File {
  /// Creates a file from the declaration of a part, without thumbnails.
  public init(_ part: MessageStore.Part) {
    self.init(id: part.contentID, name: part.name, info: MediaInfo(type: part.type, bytes: part.bytes))
    isDownloaded = part.path != nil
  }
}
