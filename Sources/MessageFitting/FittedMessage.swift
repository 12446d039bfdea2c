public import AttachmentPolicy
internal import MediaModel
public import Messaging

/// A message that fits, with the files that are sent.
public struct FittedMessage: Hashable, Sendable {
  /// The message as it is sent, and what was changed for that.
  public var plan: FitPlan
  /// The bytes of every attachment as it is sent.
  public var files: [MediaAttachment.ID: [UInt8]]

  /// The message as an M-Send.req, at or under the limit when its transaction's name has at most 40 characters.
  public func sendRequest(_ options: SendRequestOptions) throws -> MMSMessage {
    try plan.composition.sendRequest(options) { files[$0.id] ?? [] }
  }
}

/// How fitting ended.
public enum FittingResult: Hashable, Sendable {
  /// At or under the limit.
  case fitted(FittedMessage)
  /// Not to be done; it says what would have to go.
  case refused(FitRefusal)
}
