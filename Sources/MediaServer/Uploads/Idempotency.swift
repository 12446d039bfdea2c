internal import Crypto
internal import FileSupport
internal import HTTPTypes
internal import Hummingbird
internal import MediaLibrary
internal import MediaService
internal import NIOCore

/// The field `Idempotency-Key` of requests that create something.
enum Idempotency {
  /// Answers a request once for its key, and repeats the answer afterwards; without a key, simply answers.
  /// - Parameter name: What distinguishes the request from others with the same head, such as a file name or the digest of its body.
  static func respond(
    to request: Request, _ caller: Caller, _ service: MediaService, name: String? = nil,
    _ body: () async throws -> Response
  ) async throws -> Response {
    try await respond(to: request, caller, service, name: name, repeating: nil, body)
  }

  /// Answers a request once for its key as ``respond(to:_:_:name:_:)`` does.
  /// - Parameter rebuild: Makes the answer to a repetition from the status and the address of what was created, which is empty if there was none; nothing
  ///   else is kept then. With nil the whole answer is kept.
  static func respond(
    to request: Request, _ caller: Caller, _ service: MediaService, name: String? = nil,
    repeating rebuild: ((HTTPResponse.Status, String) async throws -> Response)?, _ body: () async throws -> Response
  ) async throws -> Response {
    guard let key = Self.key(of: request) else { return try await body() }
    let keepsBody = rebuild == nil
    var fresh: Response?
    var failure: (any Error)?
    do {
      let answer = try await service.answered(
        once: key, request: description(of: request, name: name), for: caller
      ) { () async throws(ServiceError) in
        do {
          let response = try await body()
          fresh = response
          return try await repeatable(response, keepsBody: keepsBody)
        } catch {
          // A problem document says more than the error of the service.
          failure = error
          throw ServiceError(mapping: error)
        }
      }
      if let fresh { return fresh }
      guard let rebuild else { return response(answer) }
      return try await rebuild(
        HTTPResponse.Status(code: answer.status), answer.headers[HTTPField.Name.location.rawName] ?? "")
    } catch {
      throw failure ?? error
    }
  }

  /// Creates a resumable upload once for the key of a request: a repetition finds it, with the bytes that have arrived since. Without a key, simply
  /// creates it.
  static func createUpload(
    _ new: MediaService.NewUpload, by request: Request, _ caller: Caller, _ service: MediaService, name: String?
  ) async throws(ServiceError) -> (upload: Upload, isNew: Bool) {
    guard let key = Self.key(of: request) else { return (try await service.createUpload(new, for: caller), true) }
    // The answer that is kept is another one than that of a file in one request.
    return try await service.createUpload(
      new, once: key, request: Array("resumable\n".utf8) + description(of: request, name: name), for: caller)
  }

  /// What is equal for repetitions of a request.
  private static func description(of request: Request, name: String?) -> [UInt8] {
    var parts = [
      request.method.rawValue, request.uri.path, request.headers.mediaType ?? "",
      request.headers[.contentLength] ?? "", request.headers[.uploadLength] ?? "", name ?? "",
      request.headers[.uploadDraft] ?? "",
    ]
    // Only if it is given, so that a key stored by an earlier version is still that of a request without one.
    if let digest = request.headers[.reprDigest] { parts.append(digest) }
    return Array(parts.joined(separator: "\n").utf8)
  }

  /// The name of a request that is distinguished from others by its body.
  static func digest(of body: [UInt8]) -> String { Hexadecimal.encode(SHA256.hash(data: body)) }

  /// The key of a request: a string of RFC 9651, or text without quotes.
  static func key(of request: Request) -> String? {
    guard let field = request.headers[.idempotencyKey] else { return nil }
    return field.count >= 2 && field.hasPrefix("\"") && field.hasSuffix("\"")
      ? String(field.dropFirst().dropLast()) : field
  }

  private static func repeatable(_ response: Response, keepsBody: Bool) async throws -> RepeatableAnswer {
    guard keepsBody else {
      var answer = RepeatableAnswer(status: response.status.code)
      answer.headers[HTTPField.Name.location.rawName] = response.headers[.location]
      return answer
    }
    let writer = CollectedBody()
    try await response.body.write(writer)
    let fields = Dictionary(response.headers.map { ($0.name.rawName, $0.value) }) { first, _ in first }
    var answer = RepeatableAnswer(status: response.status.code, headers: fields, body: writer.bytes)
    let address = response.headers[.location] ?? ""
    if address.hasPrefix("/v1/attachments/"), let number = Int64(address.dropFirst(16)) {
      answer.attachment = FileID(rawValue: number)
    }
    return answer
  }

  private static func response(_ answer: RepeatableAnswer) -> Response {
    var fields: HTTPFields = [:]
    for (name, value) in answer.headers {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    return Response(
      status: HTTPResponse.Status(code: answer.status), headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
  }
}

/// Keeps the body of an answer. For one task.
private final class CollectedBody: ResponseBodyWriter {
  private(set) var bytes: [UInt8] = []

  func write(_ buffer: ByteBuffer) async throws { bytes += buffer.readableBytesView }

  func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
