internal import MediaModel
internal import MessageStore
public import Messaging

extension MediaService {
  /// A message of a thread.
  public struct MessageAnswer: Encodable, Sendable {
    /// A recipient of an outgoing message, with the state of its delivery.
    public struct Recipient: Encodable, Sendable {
      /// A phone number or an e-mail address, as the sender wrote it.
      public var address: String
      /// `pending`, `inFlight`, `accepted` or `failed`.
      public var submission: String
      /// Why it failed.
      public var error: String?
      /// Whether it was delivered.
      public var delivery: MessageSending.Delivery
      /// Whether it was read.
      public var reading: MessageSending.Reading
    }

    /// The id: `m` and a number.
    public var id: String
    /// The id of its thread.
    public var thread: String
    /// SMS or MMS.
    public var type: MessageType
    /// `incoming` or `outgoing`.
    public var direction: String
    /// When it was sent or arrived, in seconds since 1970.
    public var time: Int
    /// The address of the sender; nil for an outgoing message, and if the sender is hidden.
    public var from: String?
    /// The subject; nil for none.
    public var subject: String?
    /// Whether the owner has not displayed it yet; false for sent messages.
    public var unread: Bool
    /// The state of sending, or that of the download; `received` for an SMS.
    public var state: String
    /// Why it waits or has failed.
    public var error: String?
    /// The address at the carrier of a message that is not downloaded.
    public var location: String?
    /// When the carrier deletes a message that is not downloaded, in seconds since 1970.
    public var expires: Int?
    /// The recipients of an outgoing message.
    public var recipients: [Recipient]?
    /// Whether `modules` have beginnings of its texts, as pages of messages have; nil if they have all of them.
    public var truncated: Bool?
    /// Its texts and files as a thread shows them. Files have the type that the sender declares; the modules of the message have their facts.
    public var modules: [MessageModule]

    init(_ message: MessageStore.Message) {
      let id = MediaService.messageID(message.id)
      (self.id, thread, type) = (id, "\(message.thread.rawValue)", message.type)
      (time, from, subject, unread) = (message.time.wholeSeconds, message.sender, message.subject, message.isUnread)
      direction = message.isIncoming ? "incoming" : "outgoing"
      state = message.sending?.state.rawValue ?? message.retrieval?.state.rawValue ?? "received"
      error = message.sending?.error?.rawValue ?? message.retrieval?.error?.rawValue
      if let retrieval = message.retrieval, retrieval.state != .received {
        location = retrieval.notification.contentLocation
        expires = retrieval.notification.expiresAt.flatMap { Int(exactly: $0.rounded()) }
      }
      recipients = message.sending?.recipients.map(Recipient.init)
      if message.parts.contains(where: { part in part.text.map { $0.utf8.count < part.bytes } ?? false }) {
        truncated = true
      }
      var number = 0
      let content = message.content { part in
        number += 1
        return MessageModule.File(part, at: number, of: id)
      }
      modules = MessageModule.modules(of: content)
    }
  }

  /// Messages of a thread with the cursor of the next page.
  public struct MessagePage: Encodable, Sendable {
    /// The messages, the newest first.
    public var messages: [MessageAnswer] = []
    /// Where the next page begins; nil for the last one.
    public var next: String?
  }

  /// The id of a stored message in the interface: a number alone is an attachment.
  static func messageID(_ id: MessageStore.Message.ID) -> String { "m\(id.rawValue)" }

  /// The message that an id names; nil for any other text.
  static func storedMessage(_ text: String) -> MessageStore.Message.ID? {
    guard text.hasPrefix("m"), let number = Int64(text.dropFirst()), number > 0, text == "m\(number)" else {
      return nil
    }
    return MessageStore.Message.ID(rawValue: number)
  }

  /// The thread that an id names.
  /// - Throws: ``ServiceError/notFound`` for any other text.
  static func thread(_ text: String) throws(ServiceError) -> MessageStore.Thread.ID {
    guard let number = Int64(text), number > 0, text == "\(number)" else { throw .notFound }
    return MessageStore.Thread.ID(rawValue: number)
  }
}

extension MediaService.MessageAnswer.Recipient {
  init(_ recipient: MessageSending.Recipient) {
    (address, delivery, reading) = (recipient.address, recipient.delivery, recipient.reading)
    switch recipient.submission {
    case .pending: submission = "pending"
    case .inFlight: submission = "inFlight"
    case .accepted: submission = "accepted"
    case .failed(let code): (submission, error) = ("failed", code.rawValue)
    }
  }
}

extension MessageModule.File {
  /// The file of a part with its address.
  /// - Parameter number: Its number among the files of the message, from 1.
  init(_ part: MessageStore.Part, at number: Int, of message: String) {
    self.init(part)
    guard part.path != nil else { return }
    let address = "/v1/messages/\(message)/parts/\(number)"
    media = address
    if [.image, .video, .audio, .document].contains(part.type.kind) {
      let source: Rendition.Source = part.type.kind == .audio ? .waveform : .image
      images = [Image("\(address)/renditions/message.webp", from: source)]
    }
  }
}
