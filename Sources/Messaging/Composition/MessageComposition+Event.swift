public import AttachmentPolicy

extension MessageComposition {
  /// A change of a message that is being composed.
  public enum Event: Hashable, Sendable {
    /// The message type changed (R-MMS-29, R-MMS-30).
    case typeChanged(from: MessageType, to: MessageType)
    /// The number of SMS segments changed (R-MMS-20).
    case segmentChanged(from: Int, to: Int)
    /// An image was reduced in size.
    case imageResized(MediaAttachment.ID, fromBytes: Int, toBytes: Int)
    /// The subject has reached its maximum length; the rest was cut.
    case subjectLimit(Int)
    /// The size reached, exceeded or fell below the limit (R-MMS-53).
    case sizeStateChanged(from: SizeState, to: SizeState)
    /// An attachment was added.
    case added(MediaAttachment.ID)
    /// An attachment was removed; its bytes can be released (R-MMS-34).
    case removed(MediaAttachment.ID)
    /// An attachment replaced another (R-MMS-35).
    case replaced(MediaAttachment.ID, by: MediaAttachment.ID)
    /// An attachment was refused for these reasons; nothing else changed (R-MMS-36).
    case refused(MediaAttachment.ID, [Verdict.Reason])

    /// How many seconds an app displays the event as a notice (A17); nil for events that are not displayed.
    public var noticeSeconds: Int? {
      switch self {
      case .typeChanged, .segmentChanged, .imageResized: 3
      case .subjectLimit: 2
      case .sizeStateChanged, .added, .removed, .replaced, .refused: nil
      }
    }
  }
}

/// Whether a message is sent as SMS or as MMS.
public enum MessageType: String, Codable, Sendable {
  /// Text only, one message per recipient.
  case sms
  /// Text and media, one message for all recipients.
  case mms
}

extension MessageComposition {
  /// The size of a message in relation to its carrier's limit.
  public enum SizeState: String, Codable, Sendable {
    /// Below the limit.
    case under
    /// Equal to the limit: the message can be sent (D6.5).
    case atLimit
    /// Above the limit: the message cannot be sent.
    case over
  }
}
