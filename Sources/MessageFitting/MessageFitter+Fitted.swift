public import AttachmentPolicy
public import MMSCodec
internal import MediaModel
public import Messaging

extension MessageFitter {
  /// A message that fits, with the files to send.
  public struct Fitted: Hashable, Sendable {
    /// The message to send, and its changes.
    public var plan: MessageFit.Plan
    /// The content of every attachment as sent.
    public var files: [MediaAttachment.ID: [UInt8]]

    /// Returns the message as an M-Send.req. It is within the limit if the transaction ID has at most 40 characters.
    public func sendRequest(_ options: MessageComposition.SendOptions) throws -> MMSMessage {
      try plan.composition.sendRequest(options) { files[$0.id] ?? [] }
    }
  }

  /// The result of fitting a message.
  public enum Outcome: Hashable, Sendable {
    /// The message is within the limit.
    case fitted(Fitted)
    /// The message cannot fit; the refusal states what to remove.
    case refused(MessageFit.Plan.Refusal)
  }
}
