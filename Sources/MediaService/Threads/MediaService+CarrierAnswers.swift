internal import MessageStore

extension MediaService {
  /// An answer or a read report that a client sends to the carrier.
  public struct CarrierAnswer: Sendable {
    /// The id by which it is confirmed. An answer that is handed out again has the same.
    public var id: String
    /// The encoded PDU (OMA-TS-MMS-ENC), which the client sends to the carrier unchanged.
    public var pdu: [UInt8]
  }

  /// The answers to send to the carrier, the oldest first, at most 100: responses and read reports that no client has confirmed. One that was handed out to a client that
  /// died is still among them.
  public func carrierAnswers(for caller: Caller) async throws(ServiceError) -> [CarrierAnswer] {
    try caller.require(.write)
    return try await readMessages(of: caller) { try Self.answers($0) } ?? []
  }

  /// Removes an answer that was sent to the carrier.
  /// - Throws: `notFound` for one that was confirmed before.
  public func confirmAnswer(_ id: String, for caller: Caller) async throws(ServiceError) {
    guard let number = Int64(id), number > 0, id == "\(number)" else { throw .notFound }
    let wasThere = try await changeMessages(of: caller) { store in
      try store.confirmAnswer(MessageStore.Answer.ID(rawValue: number))
    }
    guard wasThere else { throw .notFound }
  }

  static func answers(_ store: MessageStore) throws(MessageStore.Failure) -> [CarrierAnswer] {
    try store.answers().map { CarrierAnswer(id: "\($0.id.rawValue)", pdu: $0.octets) }
  }
}
