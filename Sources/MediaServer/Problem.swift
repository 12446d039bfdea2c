internal import AttachmentPolicy
internal import Foundation
public import HTTPTypes
public import Hummingbird
public import MediaService

/// An error as a problem document (RFC 9457): `application/problem+json` with our stable `code` and the numbers of limits, and nothing of our insides.
public struct Problem: Error, HTTPResponseError, Sendable {
  /// The status of the answer.
  public var status: HTTPResponse.Status
  /// What the response states: code, sentence and numbers.
  public var error: ServiceError
  /// Further header fields, such as `Upload-Offset`.
  public var headers: HTTPFields
  /// The `type` of the problem; nil for `about:blank`.
  public var type: String?

  /// A problem with a status of its own.
  public init(_ status: HTTPResponse.Status, _ error: ServiceError, headers: HTTPFields = [:], type: String? = nil) {
    (self.status, self.error, self.headers, self.type) = (status, error, headers, type)
  }

  /// The problem with the status that belongs to the error's code.
  public init(_ error: ServiceError) { self.init(Self.status(of: error.code), error) }

  /// The answer to a request without a valid token.
  public static let unauthorized = Problem(
    .unauthorized, ServiceError(.init(rawValue: "unauthorized"), "This request needs a valid bearer token (a JWT)."),
    headers: [.wwwAuthenticate: "Bearer"])

  /// The answer to a method that a URL does not support, with those that it does (RFC 9110, section 15.5.6).
  static func methodNotAllowed(_ allowed: Set<String>) -> Problem {
    Problem(
      .methodNotAllowed,
      ServiceError(
        .init(rawValue: "methodNotAllowed"),
        "This URL does not support this method; Allow lists those that it supports."),
      headers: [.allow: allowed.sorted().joined(separator: ", ")])
  }

  static func status(of code: ServiceError.Code) -> HTTPResponse.Status {
    switch code {
    case .invalidRequest: .badRequest
    case .notFound: .notFound
    case .gone: .gone
    case .forbidden: .forbidden
    case .conflict, .offsetMismatch, .takenOver, .versionConflict: .conflict
    case .lengthMismatch, .incomplete: .badRequest
    case .preconditionFailed: .preconditionFailed
    case .tooLarge: .contentTooLarge
    case .unsupportedType: .unsupportedMediaType
    case .refused, .checksumMismatch, .unavailable: .unprocessableContent
    case .rateLimited: .tooManyRequests
    case .busy: .serviceUnavailable
    case .quotaExceeded, .diskFull: .init(code: 507, reasonPhrase: "Insufficient Storage")
    default: .internalServerError
    }
  }

  /// Seconds after which the same request may succeed: those of the error, or else a default, for every 429, 503 and 507 states some (docs/uploads.md).
  /// An hour for a quota: somebody has to erase something first.
  private var retryAfter: Int? {
    if let seconds = error.retryAfter { return seconds }
    return switch status.code {
    case 429, 503: 1
    case 507: error.code == .quotaExceeded ? 3_600 : 60
    default: nil
    }
  }

  /// The body of the answer: `application/problem+json` (RFC 9457).
  struct Document: Encodable {
    var type: String?
    var title: String
    var status: Int
    var detail: String
    var code: String
    var limit: Int?
    var actual: Int?
    /// The version that an object has, if a change was made on another one.
    var current: Int?
    /// The offsets of an upload and of a request that do not match, by the names of the specification.
    var expected: Int?
    var provided: Int?
    var verdict: Verdict?
    var blockers: [MediaService.DraftAnswer.Blocker]?

    enum CodingKeys: String, CodingKey {
      case type, title, status, detail, code, limit, actual, current, verdict, blockers
      case expected = "expected-offset"
      case provided = "provided-offset"
    }
  }

  /// The answer with this problem as its body. No cache stores it.
  public func response(from request: Request, context: some RequestContext) throws -> Response {
    let document = Document(
      type: type, title: status.reasonPhrase, status: status.code, detail: error.message, code: error.code.rawValue,
      limit: error.numbers["limit"], actual: error.numbers["actual"], current: error.numbers["current"],
      expected: error.numbers["expected"], provided: error.numbers["provided"],
      verdict: error.verdict, blockers: error.blockers)
    var fields = headers
    fields[.contentType] = "application/problem+json"
    fields[.cacheControl] = "no-store"
    if let seconds = retryAfter { fields[.retryAfter] = "\(seconds)" }
    return Response(
      status: status, headers: fields, body: ResponseBody(byteBuffer: try JSONAnswer.encode(document)))
  }
}
