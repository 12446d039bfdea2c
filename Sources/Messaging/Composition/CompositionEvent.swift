public import AttachmentPolicy

/// What an operation did to a message that is written.
public enum CompositionEvent: Hashable, Sendable {
  /// It will go as another type (R-MMS-29, R-MMS-30).
  case typeChanged(from: MessageType, to: MessageType)
  /// Its SMS has another number of segments, more or fewer (R-MMS-20).
  case segmentChanged(from: Int, to: Int)
  /// An image was made smaller to fit.
  case imageResized(MediaAttachment.ID, fromBytes: Int, toBytes: Int)
  /// The subject is as long as it may be; what was beyond that is not in it.
  case subjectLimit(Int)
  /// It has come to the limit, over it, or back (R-MMS-53).
  case sizeStateChanged(from: SizeState, to: SizeState)
  /// An attachment is in.
  case added(MediaAttachment.ID)
  /// An attachment is out; its bytes can be freed (R-MMS-34).
  case removed(MediaAttachment.ID)
  /// An attachment has taken another's place (R-MMS-35).
  case replaced(MediaAttachment.ID, by: MediaAttachment.ID)
  /// An attachment is not taken, for these reasons; nothing else has changed (R-MMS-36).
  case refused(MediaAttachment.ID, [RefusalReason])

  /// For how many seconds an app shows it (A17); nil for what is no notice.
  public var noticeSeconds: Int? {
    switch self {
    case .typeChanged, .segmentChanged, .imageResized: 3
    case .subjectLimit: 2
    case .sizeStateChanged, .added, .removed, .replaced, .refused: nil
    }
  }
}

/// As what a message goes.
public enum MessageType: String, Codable, Sendable {
  /// Text alone, a message for each recipient.
  case sms
  /// Text and media, one message for all.
  case mms
}

/// How a message stands to the limit of its carrier.
public enum SizeState: String, Codable, Sendable {
  /// Smaller.
  case under
  /// Equal: it can be sent (D6.5).
  case atLimit
  /// Larger: it cannot.
  case over
}
