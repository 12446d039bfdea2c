public import MediaModel

extension Verdict {
  /// The reason why a file is refused. The set is open: reasons may be added, and none is ever renamed (docs/design.md
  /// §6).
  public enum Reason: Hashable, Sendable {
    /// The message has its maximum number of attachments.
    case tooManyAttachments(limit: Int)
    /// The file has more bytes than allowed.
    case fileTooLarge(limit: Int, actual: Int)
    /// The message would have more bytes than allowed; `actual` includes the file.
    case messageTooLarge(limit: Int, actual: Int)
    /// The same asset or content is already attached.
    case duplicate(of: MediaAttachment.ID)
    /// ``AttachmentRules/allowedKinds`` does not contain the file's kind.
    case kindNotAllowed(MediaKind)
    /// ``AttachmentRules/allowedTypes`` does not contain the type that the content has.
    case typeNotAllowed(MediaType)
    /// The declared type does not match the content.
    case typeMismatch(declared: String, actual: MediaType)
    /// The image or video has more pixels than allowed.
    case tooManyPixels(limit: Int, actual: Int)
    /// The duration in seconds is longer than allowed.
    case tooLong(limit: Double, actual: Double)
    /// The file has no bytes.
    case empty
    /// The file cannot be read, or is damaged.
    case unreadable(MediaFailure.Code)
    /// The rules allow no attachments at all (``AttachmentRules/allowsAttachments``).
    case attachmentsDisabled
    /// Another file of the selection is refused, and the selection is accepted as a whole or not at all.
    case batchRefused
    /// The crop is not inside the image.
    case invalidCrop
    /// A reason from a newer version.
    case other(Code)

    /// The stable name of a reason.
    public struct Code: RawRepresentable, Hashable, Codable, Sendable {
      /// The name in JSON.
      public let rawValue: String
      /// Creates the code with that name.
      public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The stable name of the reason.
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
}
