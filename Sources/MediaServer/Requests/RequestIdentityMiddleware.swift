internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import MediaService

/// Gives each request an id, which is in its answer and in the log, and takes over the trace that it belongs to.
struct RequestIdentityMiddleware<Context: MediaRequestContext>: RouterMiddleware {
  /// Whether uploads get interim answers.
  let sendsInterimResponses: Bool

  /// `X-Request-ID`
  static var name: HTTPField.Name? { HTTPField.Name("X-Request-ID") }

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let name = Self.name else { return try await next(request, context) }
    let id = request.headers[name].flatMap { Self.isAcceptable($0) ? $0 : nil } ?? Self.random()
    var context = context
    context.sendsInterimResponses = sendsInterimResponses
    context.logger[metadataKey: "request"] = .string(id)
    if let field = HTTPField.Name("traceparent"), let trace = request.headers[field].flatMap(TraceParent.init) {
      context.logger[metadataKey: "trace"] = .string(trace.traceID)
    }
    var response = try await next(request, context)
    response.headers[name] = id
    return response
  }

  /// Ids of others go into our log and into an answer: letters, digits, `-`, `_` and `.`, at most 128.
  static func isAcceptable(_ id: String) -> Bool {
    (1...128).contains(id.utf8.count)
      && id.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  private static func random() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// The `traceparent` of a request (W3C Trace Context, section 3.2).
struct TraceParent {
  /// 32 hexadecimal digits.
  let traceID: String

  init?(_ field: String) {
    let parts = field.split(separator: "-", omittingEmptySubsequences: false)
    func isHex(_ text: Substring, _ count: Int) -> Bool {
      text.utf8.count == count
        && text.utf8.allSatisfy {
          (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
    }
    // A version after 00 may have more parts, and ff is invalid.
    guard parts.count >= 4, isHex(parts[0], 2), parts[0] != "ff", parts[0] != "00" || parts.count == 4,
      isHex(parts[1], 32), isHex(parts[2], 16), isHex(parts[3], 2),
      parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
    else { return nil }
    traceID = String(parts[1])
  }
}
