internal import HTTPTypes
internal import MediaService

/// Errors of uploads as each protocol states them.
enum UploadProblem {
  private static let types = "https://iana.org/assignments/http-problem-types#"

  /// The problem of an error, with the header fields and types that the protocol of the request demands.
  static func problem(_ error: any Error, _ form: UploadProtocol) -> Problem {
    if let problem = error as? Problem { return with(problem, form, nil) }
    let error = ServiceError(mapping: error)
    var problem = Problem(error)
    problem.headers[.uploadOffset] = error.numbers["expected"].map { "\($0)" }
    switch error.code {
    case .offsetMismatch:
      if case .ietf = form { problem.type = types + "mismatching-upload-offset" }
    case .lengthMismatch:
      if case .ietf = form { problem.type = types + "inconsistent-upload-length" }
    case .checksumMismatch:
      problem.status = form == .tus ? .init(code: 460, reasonPhrase: "Checksum Mismatch") : .badRequest
    default: break
    }
    return with(problem, form, error)
  }

  /// Whether an upload has ended with an error. One that states the offset at which it continues has not.
  static func hasEnded(_ error: ServiceError) -> Bool {
    guard error.numbers["expected"] == nil else { return false }
    return error.verdict != nil || [.gone, .checksumMismatch, .tooLarge, .lengthMismatch].contains(error.code)
  }

  private static func with(_ problem: Problem, _ form: UploadProtocol, _ error: ServiceError?) -> Problem {
    var problem = problem
    switch form {
    case .tus: problem.headers[.tusResumable] = UploadProtocol.tusVersion
    case .ietf(let interop):
      guard let error else { break }
      // `Upload-Complete: ?1` in a refusal says: do not resume. `?0`: continue at the stated offset.
      let hasEnded = Self.hasEnded(error)
      if hasEnded || error.numbers["expected"] != nil {
        let field = interop.completeness(hasEnded)
        problem.headers[field.name] = field.value
      }
    case .plain: break
    }
    return problem
  }
}
