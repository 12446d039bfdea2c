internal import MessageStore
internal import Messaging

extension MediaService {
  /// Makes the requests of a failed message again, for the recipients who do not have it (R-MMS-40).
  /// - Returns: The message, and what is to be sent.
  /// - Throws: `refused` if it is being sent or was sent, or if a file of it is blocked or malware, or was not found clean yet; `notFound` for a message that
  ///   was not sent by the caller.
  public func resendMessage(_ id: String, for caller: Caller) async throws(ServiceError) -> CommittedMessage {
    try caller.require([.read, .write])
    let message = try await storedMessage(id, of: caller)
    if message.type == .mms, !message.isIncoming { try await requireDeliverable(message, of: caller) }
    try await changeMessages(of: caller) { store in try store.resend(message.id) }
    return try await committedMessage(id, for: caller)
  }

  /// Fails if a file of a message may not leave the service.
  func requireDeliverable(_ message: MessageStore.Message, of caller: Caller) async throws(ServiceError) {
    for part in message.parts where part.path != nil {
      guard try await isHeld(part, of: caller.owner) == false else {
        throw ServiceError(
          .refused, "A file of the message is blocked, or its malware scan has not finished; try again later.")
      }
    }
  }
}
