internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Answers with a JSON body.
enum JSONAnswer {
  /// The bytes of a value: sorted keys, slashes as they are, absent values as absent keys.
  static func encode(_ value: some Encodable) throws -> ByteBuffer {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return ByteBuffer(bytes: try encoder.encode(value))
  }

  /// An answer with a value as its body. Private to its caller, and never cached, unless `headers` say otherwise.
  static func response(
    _ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
  ) throws -> Response {
    var fields = headers
    fields[.contentType] = "application/json"
    if fields[.cacheControl] == nil { fields[.cacheControl] = "private, no-store" }
    return Response(status: status, headers: fields, body: ResponseBody(byteBuffer: try encode(value)))
  }
}
