internal import Logging
internal import MMSCodec
internal import MediaLibrary
internal import MediaModel
internal import MessageStore

extension MediaService {
  /// What happened to a PDU of the carrier.
  public struct ReceivedMessage: Sendable {
    /// The message that it is about; nil if there is none, for example because it was deleted.
    public var message: MessageAnswer?
    /// Whether the PDU was a message or its notification, not an answer or a report about one that was sent.
    public var isArrival: Bool
    /// The answers to send to the carrier, such as M-NotifyResp.ind and M-Acknowledge.ind, in order; also what was not confirmed yet of earlier calls.
    public var answers: [CarrierAnswer]
  }

  /// Stores a PDU of the carrier in its thread: a notification, a downloaded message, the answer to a message that was sent, or a report. A PDU that
  /// is stored twice is one message.
  /// - Parameters:
  ///   - octets: The PDU: a downloaded message of at most 8 MiB, of which at most 64 KiB are not bodies of its parts, or another PDU of at most 64 KiB.
  ///   - id: The message whose notification was downloaded. Default nil: the one with the transaction of the download, else a new one.
  /// - Throws: `unavailable` for anything else than such a PDU, `tooLarge`, `quotaExceeded` with too many messages or bytes, `diskFull`.
  public func receiveMessage(
    _ octets: [UInt8], downloaded id: String? = nil, for caller: Caller
  ) async throws(ServiceError) -> ReceivedMessage {
    try caller.require(.write)
    // The erasure of the owner ends a request that has begun before it.
    let work = work.begin(for: caller.owner)
    guard octets.count <= Self.maxMessageBytes else {
      let (size, limit) = HumanNumbers.sizes(octets.count, limit: Self.maxMessageBytes)
      throw ServiceError(
        .tooLarge, "The message is \(size); the limit is \(limit).",
        numbers: ["limit": Self.maxMessageBytes, "actual": octets.count])
    }
    let announced = id.flatMap(Self.storedMessage)
    guard id == nil || announced != nil else { throw .notFound }
    let type = try Self.boundedType(of: octets)
    try await requireRoom()
    let (limits, files) = (configuration.limits, try await libraryBytes(of: caller.owner))
    let isArrival = [.notificationInd, .retrieveConf].contains(type)
    return try await changeMessages(of: caller, creating: isArrival, during: work) { store in
      if isArrival {
        let addition = try store.addition(of: octets, downloaded: announced)
        if addition != .nothing {
          try Self.checkQuota(
            try store.usage(), files: files, adding: octets.count, isNew: addition == .message, limits)
        }
      }
      let id =
        switch type {
        case .retrieveConf: try store.receive(retrieveConf: octets, of: announced)
        case .sendConf: try store.receive(sendConf: octets)
        default: try store.receive(octets)
        }
      let message = try id.map { MessageAnswer(try store.message($0)) }
      return ReceivedMessage(message: message, isArrival: isArrival, answers: try Self.answers(store))
    }
  }

  /// Octets of a PDU without the bodies of its parts: 64 KiB.
  static let maxHeaderBytes = 65_536

  /// The type of a PDU whose headers are within the limit: senders, transactions and names of parts are stored, and are in answers and lists as a whole.
  private static func boundedType(of octets: [UInt8]) throws(ServiceError) -> MMSMessage.MessageType {
    let message: MMSMessage
    do { message = try MMSMessage(decoding: octets) } catch {
      throw ServiceError(.unavailable, "The data is not a multimedia message.", detail: "\(error)")
    }
    // A notification or a report has headers alone.
    let isDownload = message.type == .retrieveConf
    let headers = isDownload ? octets.count - message.parts.reduce(0) { $0 + $1.body.count } : octets.count
    guard headers <= maxHeaderBytes else {
      let (size, limit) = HumanNumbers.sizes(headers, limit: maxHeaderBytes)
      throw ServiceError(
        .tooLarge,
        isDownload
          ? "The headers of a downloaded message and of its parts are \(size); the limit is \(limit)."
          : "The notification or report is \(size); the limit is \(limit).",
        numbers: ["limit": maxHeaderBytes, "actual": headers])
    }
    return message.type
  }

  /// Bytes of an owner's originals, and those that unfinished uploads have reserved.
  func libraryBytes(of owner: String) async throws(ServiceError) -> Int {
    let reserved = uploads.registry.reserved(of: owner).bytes
    return try await ServiceError.mapping {
      try await library.catalogue.counts(in: .owner(owner)).reduce(reserved) { $0 + $1.bytes }
    }
  }

  /// Bytes of an owner's messages. Messages that cannot be read now do not keep files from being uploaded.
  func messageBytes(of owner: String) async -> Int {
    do { return try await messageStores.use(owner, creating: false) { try $0.usage().bytes } ?? 0 } catch {
      logger.warning("the messages of an owner cannot be counted", metadata: ["error": "\(error)"])
      return 0
    }
  }

  /// Fails if there is no room for what an owner receives or sends.
  /// - Parameter isNew: Whether it is another message. Default true.
  static func checkQuota(
    _ usage: MessageStore.Usage, files: Int, adding bytes: Int, isNew: Bool = true, _ limits: Limits
  ) throws(ServiceError) {
    guard !isNew || usage.messages < limits.messages else {
      throw ServiceError(
        .quotaExceeded, "The owner's limit on the number of messages is reached; delete some first.",
        numbers: ["limit": limits.messages, "actual": usage.messages])
    }
    guard bytes <= limits.ownerBytes - files - usage.bytes else {
      throw .ownerIsFull(limit: limits.ownerBytes, actual: files + usage.bytes)
    }
  }
}
