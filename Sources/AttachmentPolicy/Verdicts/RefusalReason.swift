public import MediaModel

/// Why a file may not go. An open set: more reasons may be added, none is ever renamed (docs/design.md §6).
public enum RefusalReason: Hashable, Sendable {
  /// No place is left in the message.
  case tooManyAttachments(limit: Int)
  /// The file has more bytes than one may have.
  case fileTooLarge(limit: Int, actual: Int)
  /// The message would have so many bytes with it.
  case messageTooLarge(limit: Int, actual: Int)
  /// The same is attached already.
  case duplicate(of: MediaAttachment.ID)
  /// Files of its family may not go.
  case kindNotAllowed(MediaKind)
  /// Files of its type may not go.
  case typeNotAllowed(MediaType)
  /// It claims to be something else.
  case typeMismatch(declared: String, actual: MediaType)
  /// It has more pixels than allowed.
  case tooManyPixels(limit: Int, actual: Int)
  /// It lasts too many seconds.
  case tooLong(limit: Double, actual: Double)
  /// It has no bytes.
  case empty
  /// It cannot be read, or is damaged.
  case unreadable(MediaFailure.Code)
  /// Nothing may be attached here.
  case attachmentsDisabled
  /// Nothing is wrong with it; another file of the selection is refused, and they go all or not at all.
  case batchRefused
  /// The part to be sent does not lie inside the image.
  case invalidCrop
  /// A reason of a newer version.
  case other(Code)

  /// The stable name of a reason.
  public struct Code: RawRepresentable, Hashable, Codable, Sendable {
    /// The name in JSON.
    public let rawValue: String
    /// A code of that name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// Its stable name.
  public var code: Code {
    let name =
      switch self {
      case .tooManyAttachments: "tooManyAttachments"
      case .fileTooLarge: "fileTooLarge"
      case .messageTooLarge: "messageTooLarge"
      case .duplicate: "duplicate"
      case .kindNotAllowed: "kindNotAllowed"
      case .typeNotAllowed: "typeNotAllowed"
      case .typeMismatch: "typeMismatch"
      case .tooManyPixels: "tooManyPixels"
      case .tooLong: "tooLong"
      case .empty: "empty"
      case .unreadable: "unreadable"
      case .attachmentsDisabled: "attachmentsDisabled"
      case .batchRefused: "batchRefused"
      case .invalidCrop: "invalidCrop"
      case .other(let code): code.rawValue
      }
    return Code(rawValue: name)
  }
}
