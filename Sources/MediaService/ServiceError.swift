public import AttachmentPolicy

/// Why the service does not do what it was asked to.
public struct ServiceError: Error, Hashable, Sendable {
  /// A stable name for the reason. More may be added; none is ever renamed.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The name, in the `code` of an answer.
    public let rawValue: String
    /// A code with this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The request contradicts itself or the interface.
    public static let invalidRequest = Code(rawValue: "invalidRequest")
    /// There is no such thing, or the caller may not know of it: the two have one answer.
    public static let notFound = Code(rawValue: "notFound")
    /// There was such a thing, of this caller, and it has ended: an upload that was refused, expired or deleted.
    public static let gone = Code(rawValue: "gone")
    /// The caller may not do this at all, whatever the object.
    public static let forbidden = Code(rawValue: "forbidden")
    /// The state of the thing is another than the request assumes, such as the offset of an upload.
    public static let conflict = Code(rawValue: "conflict")
    /// The thing has changed since the version that the request names.
    public static let preconditionFailed = Code(rawValue: "preconditionFailed")
    /// The moment or the trip has changed since the version on which the change was made; the number `current` is the version that it has now.
    public static let versionConflict = Code(rawValue: "versionConflict")
    /// The body or the file is larger than allowed.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// The type of the file is not allowed, as its first bytes show.
    public static let unsupportedType = Code(rawValue: "unsupportedType")
    /// The policy refuses the file; ``ServiceError/verdict`` has the reasons.
    public static let refused = Code(rawValue: "refused")
    /// The bytes are not those of the stated digest.
    public static let checksumMismatch = Code(rawValue: "checksumMismatch")
    /// The owner has used its quota.
    public static let quotaExceeded = Code(rawValue: "quotaExceeded")
    /// The caller makes requests too often.
    public static let rateLimited = Code(rawValue: "rateLimited")
    /// The service has too much to do, or is shutting down.
    public static let busy = Code(rawValue: "busy")
    /// The disk has too little room, or a file would exceed the limit of the process.
    public static let diskFull = Code(rawValue: "diskFull")
    /// The file cannot be shown as asked: it has no such rendition, or is damaged.
    public static let unavailable = Code(rawValue: "unavailable")
    /// A fault of the service itself; the log has the reason.
    public static let internalError = Code(rawValue: "internalError")
  }

  /// The stable name of the reason.
  public var code: Code
  /// One sentence that is safe to show to any user, without paths.
  public var message: String
  /// What the administrator's log has in addition.
  public var detail: String?
  /// Numbers that belong to the reason, such as `limit` and `actual`.
  public var numbers: [String: Int]
  /// Seconds after which the same request may succeed.
  public var retryAfter: Int?
  /// The reasons of the policy.
  public var verdict: Verdict?
  /// Why a draft cannot be committed; nil for other errors.
  public var blockers: [MediaService.DraftAnswer.Blocker]?

  /// An error with a message.
  public init(
    _ code: Code, _ message: String, detail: String? = nil, numbers: [String: Int] = [:], retryAfter: Int? = nil,
    verdict: Verdict? = nil
  ) {
    (self.code, self.message, self.detail) = (code, message, detail)
    (self.numbers, self.retryAfter, self.verdict) = (numbers, retryAfter, verdict)
  }

  /// A fault of the service itself.
  /// - Parameter detail: What is wrong, for the log alone.
  package static func failed(detail: String?) -> ServiceError {
    ServiceError(
      .internalError,
      "The service failed; try again later. The server's log has the reason under this X-Request-ID.",
      detail: detail)
  }

  /// What is answered for the unknown and the forbidden alike.
  public static let notFound = ServiceError(
    .notFound, "The resource does not exist, or you are not allowed to read it.")
}
