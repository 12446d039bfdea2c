internal import Foundation
internal import GRDB
internal import Logging
internal import MediaEngine
public import MediaLibrary

/// An answer that is repeated for the same idempotency key.
public struct RepeatableAnswer: Hashable, Codable, Sendable {
  /// The status, 200…299.
  public var status: Int
  /// The header fields by name.
  public var headers: [String: String]
  /// The bytes of the response body, which is sent again unchanged.
  public var body: [UInt8]
  /// The attachment that the answer is about: it is removed with it. Default nil.
  public var attachment: FileID?

  /// An answer with these parts.
  public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}

/// The keys whose first request is being answered.
final class RunningKeys: Sendable {
  struct Key: Hashable, Sendable {
    let owner: String
    let key: String
  }

  private let running = Locked<Set<Key>>([])

  /// Whether nobody answers the key; it is the caller's then, until ``end(_:)``.
  func begin(_ key: Key) -> Bool { running.withLock { $0.insert(key).inserted } }

  func end(_ key: Key) { _ = running.withLock { $0.remove(key) } }
}

extension MediaService {
  /// Answers a request that creates something once: the same key of the same owner gets the same answer, for as long as answers are kept
  /// (draft-ietf-httpapi-idempotency-key-header). Only successes are kept; after an error, the key may be used again. A success is answered also if it
  /// cannot be kept, for example on a full disk.
  /// - Parameters:
  ///   - key: The key, 1…255 bytes.
  ///   - request: Bytes that are equal for repetitions of the request: its method, path and what describes its body.
  /// - Throws: `conflict` while the first request runs, `refused` for another request with a used key; what `body` throws.
  public func answered(
    once key: String, request: [UInt8], for caller: Caller,
    _ body: () async throws(ServiceError) -> RepeatableAnswer
  ) async throws(ServiceError) -> RepeatableAnswer {
    try await answered(
      once: key, request: request, for: caller, isCurrent: { (_) async throws(ServiceError) in true }, body: body)
  }

  /// Answers a request that creates something once, as ``answered(once:request:for:_:)`` does.
  /// - Parameter isCurrent: Whether a kept answer still holds; if not, the request is answered again, and the new answer is kept.
  func answered(
    once key: String, request: [UInt8], for caller: Caller,
    isCurrent: (RepeatableAnswer) async throws(ServiceError) -> Bool,
    body: () async throws(ServiceError) -> RepeatableAnswer
  ) async throws(ServiceError) -> RepeatableAnswer {
    try Self.checkName(key, of: "Idempotency-Key")
    let running = RunningKeys.Key(owner: caller.owner, key: key)
    guard repetitions.begin(running) else {
      throw ServiceError(
        .conflict, "The first request with this idempotency key is still running; try again later.", retryAfter: 1)
    }
    defer { repetitions.end(running) }
    let work = work.begin(for: caller.owner)
    if let known = try await known(running) {
      guard known.request == request else {
        throw ServiceError(.refused, "The idempotency key was used for another request; use a new key.")
      }
      if try await isCurrent(known.answer) { return known.answer }
    }
    let answer = try await body()
    await keep(answer, to: request, as: running, during: work)
    return answer
  }

  /// Stores an answer to be repeated. A failure is logged: what was created stays, and its client gets the answer.
  private func keep(
    _ answer: RepeatableAnswer, to request: [UInt8], as key: RunningKeys.Key, during work: OwnerWork.Token
  ) async {
    let (database, now) = (database, now())
    // A client that leaves does not interrupt it: it repeats the request.
    let storing = Task {
      let data = try JSONEncoder().encode(answer)
      try await database.write { db in
        // What was erased meanwhile is in no answer that is kept.
        if work.isEnded { return }
        if let file = answer.attachment, try AttachmentRecord.read(file, db).isErased { return }
        try db.execute(
          sql:
            "INSERT OR REPLACE INTO idempotency (owner, key, request, created, attachment, answer) VALUES (?, ?, ?, ?, ?, ?)",
          arguments: [key.owner, key.key, Data(request), now, answer.attachment?.rawValue, data])
      }
    }
    do { try await storing.value } catch {
      logger.error("the answer for an idempotency key was not stored", metadata: ["error": "\(error)"])
    }
  }

  private func known(
    _ key: RunningKeys.Key
  ) async throws(ServiceError) -> (request: [UInt8], answer: RepeatableAnswer)? {
    let oldest = now() - configuration.limits.answerLifetime
    return try await ServiceError.mapping {
      try await database.read { db in
        let row = try Row.fetchOne(
          db, sql: "SELECT request, answer FROM idempotency WHERE owner = ? AND key = ? AND created >= ?",
          arguments: [key.owner, key.key, oldest])
        guard let row, let data = row["answer"] as Data? else { return nil }
        return ([UInt8](row["request"] as Data), try JSONDecoder().decode(RepeatableAnswer.self, from: data))
      }
    }
  }
}
