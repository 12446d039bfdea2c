internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MediaModel
internal import MediaService
internal import NIOCore

/// Reads JSON bodies of requests, within bounds.
enum JSONBody {
  /// Bytes of a body that are read. 256 KiB is a text of a hundred pages.
  static let limit = 262_144

  /// The value of a body.
  ///
  /// The decoder gives up at 512 nested values, so that a bomb of brackets costs nothing.
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - limit: Bytes that are read. Default ``limit``.
  /// - Throws: ``Problem``: 413 for a larger body, 415 for another type than JSON, 400 for one that is not as documented.
  static func decode<Value: Decodable>(
    _ type: Value.Type, from request: Request, limit: Int = limit
  ) async throws -> Value {
    try decode(type, from: try await bytes(of: request, limit: limit), request)
  }

  /// The value of a body; nil for an empty one.
  static func decodeIfPresent<Value: Decodable>(
    _ type: Value.Type, from request: Request, limit: Int = limit
  ) async throws -> Value? {
    let bytes = try await bytes(of: request, limit: limit)
    return bytes.isEmpty ? nil : try decode(type, from: bytes, request)
  }

  /// The value of a body that was read.
  static func decode<Value: Decodable>(
    _ type: Value.Type, from bytes: [UInt8], _ request: Request
  ) throws -> Value {
    if let stated = request.headers[.contentType], !isJSON(stated) {
      throw Problem(ServiceError(.unsupportedType, "The body of this request must be application/json."))
    }
    do { return try JSONDecoder().decode(type, from: Data(bytes)) } catch {
      throw Problem(
        ServiceError(
          .invalidRequest,
          "The body does not match the schema in /openapi.json: \(reason(error, in: Data(bytes)))."))
    }
  }

  /// The bytes of a body.
  /// - Throws: ``Problem`` 413 for a larger one.
  static func bytes(of request: Request, limit: Int = limit) async throws -> [UInt8] {
    func tooLarge(_ actual: Int) -> Problem {
      Problem(
        ServiceError(
          .tooLarge, "The JSON body is larger than the limit of \(HumanNumbers.limit(limit)).",
          numbers: ["limit": limit, "actual": actual]))
    }
    if let stated = request.headers[.contentLength].flatMap({ Int($0) }), stated > limit { throw tooLarge(stated) }
    var bytes: [UInt8] = []
    for try await part in request.body {
      guard bytes.count + part.readableBytes <= limit else { throw tooLarge(bytes.count + part.readableBytes) }
      bytes += part.readableBytesView
    }
    return bytes
  }

  private static func isJSON(_ type: String) -> Bool {
    let name = type.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
    return name == "application/json" || name.hasPrefix("application/") && name.hasSuffix("+json")
  }

  /// Where JSON is wrong, without the insides of the decoder: a clause without its full stop.
  static func reason(_ error: any Error, in json: Data) -> String {
    func path(_ context: DecodingError.Context) -> String {
      let keys = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
      return keys.isEmpty ? "the value" : "`\(keys.joined(separator: "."))`"
    }
    func stated(_ context: DecodingError.Context) -> String {
      context.debugDescription.hasSuffix(".") ? String(context.debugDescription.dropLast()) : context.debugDescription
    }
    // The error of the parser and that of a type that refuses the whole value look the same.
    guard (try? JSONDecoder().decode(AnyJSON.self, from: json)) != nil else { return "it is not JSON" }
    return switch error {
    case DecodingError.keyNotFound(let key, _): "`\(key.stringValue)` is missing"
    case DecodingError.typeMismatch(_, let context): "\(path(context)) has the wrong type"
    case DecodingError.valueNotFound(_, let context): "\(path(context)) must not be null"
    case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty: stated(context)
    case DecodingError.dataCorrupted(let context): "\(path(context)) is invalid: \(stated(context))"
    default: "it cannot be decoded"
    }
  }

  /// Any JSON value; nothing of it is kept.
  private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) {}
  }
}

extension Request {
  /// A parameter of the query, decoded; nil if it is absent. The first one counts.
  func parameter(_ name: String) -> String? { uri.queryParameters[Substring(name)].map { String($0) } }

  /// The number of the version in `If-Match`; nil for none and for `*`.
  /// - Throws: ``Problem`` 412 for a tag that no version has.
  func expectedVersion() throws -> Int? {
    guard let tag = headers[.ifMatch], tag != "*" else { return nil }
    guard tag.hasPrefix("\""), tag.hasSuffix("\""), let version = Int(tag.dropFirst().dropLast()),
      tag == "\"\(version)\""
    else {
      throw Problem(
        ServiceError(
          .preconditionFailed,
          "If-Match must be the current ETag of the object, such as \"3\" with its quotation marks."))
    }
    return version
  }
}
