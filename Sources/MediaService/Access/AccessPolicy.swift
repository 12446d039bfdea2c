public import MediaLibrary

extension MediaService {
  /// What a reader may do with an attachment.
  public enum Right: String, Hashable, Sendable, CaseIterable {
    /// See facts and renditions, which never have location or camera (R-MYM-28).
    case view
    /// Read the original, without a location that the owner does not share. Includes ``view``.
    case original
  }

  /// Who wants to read an attachment.
  public enum Reader: Hashable, Sendable {
    /// The holder of a token.
    case caller(Caller)
    /// The holder of a signed URL.
    case address(SignedAddress)
  }

  /// A question to an ``AccessPolicy``.
  public struct AccessQuestion: Hashable, Sendable {
    /// Who wants to read: the `sub` of its token.
    public var subject: String
    /// The attachment that the caller wants to read.
    public var attachment: FileID
    /// Its owner, if any.
    public var owner: String?
    /// What the reader wants to do.
    public var right: Right
  }
}

/// Decides what neither ownership, nor a signed URL, nor a label decides: the callback of an application that has to be asked (R-CHAT-10).
///
/// Asked last. The service asks once for equal questions at a time, remembers an answer for a few seconds, and waits for at most
/// ``MediaService/Limits/accessSeconds``. An error is no answer: the reader gets ``ServiceError/Code/busy``, never the file.
public protocol AccessPolicy: Sendable {
  /// Whether the application lets a reader do this.
  func allows(_ question: MediaService.AccessQuestion) async throws -> Bool
}
