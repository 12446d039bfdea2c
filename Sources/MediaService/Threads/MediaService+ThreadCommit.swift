internal import Crypto
internal import Foundation
internal import MessageFitting
internal import MessageStore
internal import Messaging

extension MediaService {
  /// A request that a client sends to the carrier for a message.
  public struct MessageRequest: Sendable {
    /// Its transaction, which the answer of the carrier has.
    public var transactionID: String
    /// The M-Send.req; nil for an SMS.
    public var pdu: [UInt8]?
    /// The recipient of an SMS.
    public var to: String?
    /// The text of an SMS.
    public var text: String?
    /// Whether the network is to be asked for a status report of an SMS; nil for a multimedia message, whose PDU says so.
    public var requestsDeliveryReport: Bool?
  }

  /// A draft that became a message, with what its client sends to the carrier.
  public struct CommittedMessage: Sendable {
    /// The message as the thread lists it.
    public var message: MessageAnswer
    /// How its files were changed to fit; nil for a message that was committed before.
    public var composed: ComposedMessage?
    /// What is to be sent: one multimedia message, or an SMS for each recipient.
    public var requests: [MessageRequest]
  }

  /// Makes the draft of a thread a message in one step: it is fitted into the carrier's limits, stored with copies of its files, and handed to the client,
  /// who sends it. The answer of the carrier is stored with ``receiveMessage(_:downloaded:for:)`` or ``finish(_:of:with:for:)``.
  /// - Parameters:
  ///   - request: The limits, and what happens to metadata. Its content is ignored.
  ///   - key: The idempotency key, which is stored with the message. A repetition gets the message for as long as answers are kept, unless it was
  ///     deleted. Default nil.
  /// - Throws: `refused` with the blockers if it cannot be sent: the draft stays; `notFound` without a draft; `conflict` if the draft is
  ///   saved meanwhile; `quotaExceeded`.
  public func commitDraft(
    ofThread id: String, _ request: CompositionRequest, of caller: Caller, key: String? = nil
  ) async throws(ServiceError) -> CommittedMessage {
    try caller.require([.read, .write])
    // The erasure of the owner ends a request that has begun before it.
    let work = work.begin(for: caller.owner)
    let thread = try Self.thread(id)
    let requestKey = key.map { Array(SHA256.hash(data: Array("\(thread.rawValue)\n\($0)".utf8))) }
    return try await draftTurns.take(Self.turn(thread, caller)) { () async throws(ServiceError) in
      if let requestKey, let known = try await committedMessage(for: requestKey, of: caller) { return known }
      let draft = try await storedDraft(ofThread: id, of: caller)
      let message = try await current(draft.message, of: caller)
      let originals = try await contents(of: message.attachments, owner: caller.owner)
      let (composed, fitted) = try await fit(message, request, for: caller)
      guard composed.canSend, let fitted else {
        throw ServiceError(
          .refused, "The message cannot be sent. \(composed.blockerSentences.joined(separator: " "))")
      }
      try await requireRoom()
      let (limits, files, bytes) = (configuration.limits, try await libraryBytes(of: caller.owner), composed.bytes)
      let profile = request.profile?.profile ?? CarrierProfile()
      return try await changeMessages(of: caller, during: work) { store in
        try Self.checkQuota(try store.usage(), files: files, adding: bytes, limits)
        let id = try store.send(
          fitted.plan.composition, contents: fitted.files, sources: originals, from: draft.id,
          expecting: draft.message, for: requestKey, under: profile)
        return CommittedMessage(
          message: MessageAnswer(try store.message(id)), composed: composed,
          requests: try store.submissions(of: id).map(MessageRequest.init))
      }
    }
  }

  /// The message that was committed for a key within the time for which answers are kept.
  private func committedMessage(
    for requestKey: [UInt8], of caller: Caller
  ) async throws(ServiceError) -> CommittedMessage? {
    let oldest = Double(now() - configuration.limits.answerLifetime)
    let found = try await readMessages(of: caller) { try $0.message(sentFor: requestKey, since: oldest) }
    guard let found, let id = found else { return nil }
    return try await committedMessage(Self.messageID(id), for: caller)
  }

  /// A message that was committed before, with what is to be sent now.
  /// - Throws: `notFound` for a message that was deleted.
  public func committedMessage(_ id: String, for caller: Caller) async throws(ServiceError) -> CommittedMessage {
    let message = try await self.message(id, of: caller)
    return CommittedMessage(message: message, composed: nil, requests: try await requests(of: id, for: caller))
  }

  /// What is to be sent for a message: after a lost answer, and again after a failure that was temporary. Empty once it is sent.
  /// - Throws: `refused` if a file of it is blocked or malware, or was not found clean yet.
  public func requests(of id: String, for caller: Caller) async throws(ServiceError) -> [MessageRequest] {
    try caller.require(.write)
    let message = try await storedMessage(id, of: caller)
    let requests = try await changeMessages(of: caller) { store in
      try store.submissions(of: message.id).map(MessageRequest.init)
    }
    guard requests.contains(where: { $0.pdu != nil }) else { return requests }
    try await requireDeliverable(message, of: caller)
    return requests
  }

  /// Stores the outcome of a request that has no PDU for an answer: an SMS, and a failure to reach the carrier.
  /// - Parameters:
  ///   - transaction: Of the request. Nothing changes if it does not wait for its outcome.
  ///   - outcome: The reference of the network, or why it does not have the message.
  /// - Returns: The message.
  public func finish(
    _ transaction: String, of id: String, with outcome: MessageOutcome, for caller: Caller
  ) async throws(ServiceError) -> MessageAnswer {
    guard let id = Self.storedMessage(id) else { throw .notFound }
    return try await changeMessages(of: caller) { store in
      _ = try store.message(id)
      try store.finish(transaction, of: id, with: outcome.result)
      return MessageAnswer(try store.message(id))
    }
  }

  /// The outcome of a request.
  public enum MessageOutcome: Sendable {
    /// The network has it, under a reference.
    case accepted(reference: String?)
    /// It may succeed later: there is no connection, or the network is busy.
    case temporaryFailure
    /// The network refuses it.
    case refused

    fileprivate var result: Result<String?, MessageOutbox.Failure> {
      switch self {
      case .accepted(let reference): .success(reference)
      case .temporaryFailure: .failure(.transient(.transient))
      case .refused: .failure(.permanent(.refused))
      }
    }
  }
}

extension MediaService.MessageRequest {
  init(_ submission: MessageStore.Submission) {
    transactionID = submission.transactionID
    switch submission.request {
    case .mms(let octets): pdu = octets
    case .sms(let text, let to, let requestsReport):
      (self.text, self.to, requestsDeliveryReport) = (text, to, requestsReport)
    }
  }
}
