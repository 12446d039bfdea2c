extension MMSField {
  /// A value of one octet. An open set, so that a token of a later version is kept and encoded again.
  public protocol Token: RawRepresentable, Hashable, Sendable where RawValue == UInt8 {
    /// The token of that octet, 0x80…0xFF.
    init(rawValue: UInt8)
  }
}

extension MMSMessage {
  /// X-Mms-Priority (OMA-TS-MMS-ENC §7.3.33).
  public struct Priority: MMSField.Token {
    /// The octet on the wire.
    public let rawValue: UInt8
    /// The token of that octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Low (0x80 of X-Mms-Priority).
    public static let low = Priority(rawValue: 0x80)
    /// Normal, also when absent.
    public static let normal = Priority(rawValue: 0x81)
    /// High (0x82 of X-Mms-Priority).
    public static let high = Priority(rawValue: 0x82)
  }

  /// X-Mms-Sender-Visibility.
  public struct SenderVisibility: MMSField.Token {
    /// The octet on the wire.
    public let rawValue: UInt8
    /// The token of that octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The sender is not to be shown to recipients.
    public static let hide = SenderVisibility(rawValue: 0x80)
    /// The sender is shown, even if the network would hide it.
    public static let show = SenderVisibility(rawValue: 0x81)
  }

  /// X-Mms-Status: the status of a message at a recipient.
  public struct Status: MMSField.Token {
    /// The octet on the wire.
    public let rawValue: UInt8
    /// The token of that octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It expired before it was fetched.
    public static let expired = Status(rawValue: 0x80)
    /// It was fetched.
    public static let retrieved = Status(rawValue: 0x81)
    /// It was refused.
    public static let rejected = Status(rawValue: 0x82)
    /// It will be fetched later.
    public static let deferred = Status(rawValue: 0x83)
    /// The client cannot read the PDU.
    public static let unrecognised = Status(rawValue: 0x84)
    /// The status is not known.
    public static let indeterminate = Status(rawValue: 0x85)
    /// It was forwarded without being fetched.
    public static let forwarded = Status(rawValue: 0x86)
    /// The recipient cannot be reached.
    public static let unreachable = Status(rawValue: 0x87)
  }

  /// X-Mms-Read-Status.
  public struct ReadStatus: MMSField.Token {
    /// The octet on the wire.
    public let rawValue: UInt8
    /// The token of that octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The recipient displayed the message (0x80 of X-Mms-Read-Status).
    public static let read = ReadStatus(rawValue: 0x80)
    /// It was deleted without being read.
    public static let deletedUnread = ReadStatus(rawValue: 0x81)
  }

  /// X-Mms-Reply-Charging: who pays for the answer.
  public struct ReplyCharging: MMSField.Token {
    /// The octet on the wire.
    public let rawValue: UInt8
    /// The token of that octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The sender wants to pay.
    public static let requested = ReplyCharging(rawValue: 0x80)
    /// The sender wants to pay for text alone.
    public static let requestedTextOnly = ReplyCharging(rawValue: 0x81)
    /// The sender pays.
    public static let accepted = ReplyCharging(rawValue: 0x82)
    /// The sender pays for text alone.
    public static let acceptedTextOnly = ReplyCharging(rawValue: 0x83)
  }

  /// X-Mms-MM-State: the state of a message in a mailbox.
  public struct MailboxState: MMSField.Token {
    /// The octet on the wire.
    public let rawValue: UInt8
    /// The token of that octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A draft that was uploaded (0x80 of X-Mms-MM-State).
    public static let draft = MailboxState(rawValue: 0x80)
    /// A message that the user sent (0x81 of X-Mms-MM-State).
    public static let sent = MailboxState(rawValue: 0x81)
    /// A received message that was not retrieved yet (0x82 of X-Mms-MM-State).
    public static let new = MailboxState(rawValue: 0x82)
    /// Fetched.
    public static let retrieved = MailboxState(rawValue: 0x83)
    /// A message that the user forwarded (0x84 of X-Mms-MM-State).
    public static let forwarded = MailboxState(rawValue: 0x84)
  }

  /// X-Mms-Recommended-Retrieval-Mode.
  public struct RetrievalMode: MMSField.Token {
    /// The octet on the wire.
    public let rawValue: UInt8
    /// The token of that octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The user should decide when to download.
    public static let manual = RetrievalMode(rawValue: 0x80)
  }

  /// X-Mms-Content-Class (OMA-TS-MMS-CONF): the size and the kinds of the content.
  public struct ContentClass: MMSField.Token {
    /// The octet on the wire.
    public let rawValue: UInt8
    /// The token of that octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Text alone.
    public static let text = ContentClass(rawValue: 0x80)
    /// Images of 160 × 120.
    public static let imageBasic = ContentClass(rawValue: 0x81)
    /// Images of 640 × 480.
    public static let imageRich = ContentClass(rawValue: 0x82)
    /// Short video.
    public static let videoBasic = ContentClass(rawValue: 0x83)
    /// Longer video.
    public static let videoRich = ContentClass(rawValue: 0x84)
    /// Images of megapixels.
    public static let megapixel = ContentClass(rawValue: 0x85)
    /// Other content, small.
    public static let contentBasic = ContentClass(rawValue: 0x86)
    /// Other content.
    public static let contentRich = ContentClass(rawValue: 0x87)
  }

  /// X-Mms-Cancel-Status.
  public struct CancelStatus: MMSField.Token {
    /// The octet on the wire.
    public let rawValue: UInt8
    /// The token of that octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The request to cancel was received.
    public static let received = CancelStatus(rawValue: 0x80)
    /// The request could not be decoded.
    public static let corrupted = CancelStatus(rawValue: 0x81)
  }

  /// X-Mms-Message-Class: one of four tokens, or a text that a carrier has defined.
  public enum MessageClass: Hashable, Sendable {
    /// The octet of an assigned class, 0x80 to 0x83.
    case token(UInt8)
    /// The name of a class that a carrier has defined.
    case text(TextString)

    /// From a person; also when absent.
    public static let personal = MessageClass.token(0x80)
    /// Advertising (0x81 of X-Mms-Message-Class).
    public static let advertisement = MessageClass.token(0x81)
    /// Information that the recipient has requested.
    public static let informational = MessageClass.token(0x82)
    /// Made by a machine, such as a read report of MMS 1.0.
    public static let auto = MessageClass.token(0x83)
  }
}
