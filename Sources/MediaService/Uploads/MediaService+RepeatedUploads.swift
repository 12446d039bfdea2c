extension MediaService {
  /// Creates an upload once for an idempotency key. A repetition finds the upload as ``resumeUpload(_:for:)`` does, with the bytes that have arrived
  /// since; if it was refused or deleted or has expired, it is created again.
  ///
  /// Upload and key are on the disk when this returns. Call it before the first byte is received: the client of a connection that is lost then finds
  /// the upload by the key.
  /// - Parameters:
  ///   - key: The key, 1…255 bytes.
  ///   - request: Bytes that are equal for repetitions of the request.
  /// - Returns: The upload, and whether this call created it.
  /// - Throws: As ``createUpload(_:for:)``, and as ``resumeUpload(_:for:)`` for a repetition; `refused` for another request with a used key.
  public func createUpload(
    _ new: NewUpload, once key: String, request: [UInt8], for caller: Caller
  ) async throws(ServiceError) -> (upload: Upload, isNew: Bool) {
    try caller.require(.write)
    var created: Upload?
    let answer = try await answered(
      once: key, request: request, for: caller,
      isCurrent: { (answer) async throws(ServiceError) in try await isContinued(answer, for: caller) },
      body: { () async throws(ServiceError) in
        let upload = try await createUpload(new, for: caller)
        created = upload
        // An id alone, without facts: it stays when the facts of the owner's files are removed from answers.
        return RepeatableAnswer(status: 201, headers: [Self.uploadKey: upload.id.rawValue])
      })
    if let created { return (created, true) }
    guard let id = Self.upload(in: answer) else { throw .failed(detail: "the answer of an upload has no id") }
    return (try await resumeUpload(id, for: caller), false)
  }

  /// The name of an upload's id in the answer that is kept for a key.
  private static let uploadKey = "upload"

  private static func upload(in answer: RepeatableAnswer) -> Upload.ID? {
    answer.headers[uploadKey].flatMap(Upload.ID.init(rawValue:))
  }

  /// Whether the upload of an answer is or can become an attachment.
  private func isContinued(_ answer: RepeatableAnswer, for caller: Caller) async throws(ServiceError) -> Bool {
    guard let id = Self.upload(in: answer) else { return false }
    do throws(ServiceError) {
      let state = try await uploads.upload(id, for: caller).state
      return state.isOpen || state == .finished
    } catch {
      guard error.code == .notFound else { throw error }
      return false
    }
  }
}
