internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import MediaService

/// Gives each request an id, which is in its answer and in the log, and takes over the trace that it belongs to.
struct RequestIdentityMiddleware<Context: MediaRequestContext>: RouterMiddleware {
  /// Whether uploads get interim answers.
  let sendsInterimResponses: Bool

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard let name = RequestID.name else { return try await next(request, context) }
    let id = RequestID.of(request.headers)
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
