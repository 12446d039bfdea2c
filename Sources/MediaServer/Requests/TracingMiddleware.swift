internal import HTTPTypes
internal import Hummingbird
internal import Instrumentation
internal import MediaService
internal import Tracing

/// Puts each request into a span, by OpenTelemetry's semantic conventions for HTTP servers. The query, which has signatures, is in no attribute.
///
/// The trace that the request states (W3C Trace Context) is that of its spans, if the tracer reads it; in any case it is passed on to callbacks.
struct TracingMiddleware<Context: MediaRequestContext>: RouterMiddleware {
  let tracer: any Tracer

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    let span = RequestSpan(request.head, path: request.uri.path, tracer)
    defer { span.span.end() }
    let response = try await InstrumentationContext.withValue(span.span.context) { try await next(request, context) }
    // The router has found its route meanwhile.
    span.answered(response.status.code, route: context.endpointPath)
    return response
  }
}

/// What tracing records of a request: method, path, route and status.
struct RequestSpan {
  let span: any Tracing.Span
  private let method: String

  /// Begins it.
  /// - Parameter path: That of the request, without its query.
  init(_ head: HTTPRequest, path: String, _ tracer: any Tracer) {
    method = head.method.rawValue
    var trace = InstrumentationContext.current ?? .topLevel
    tracer.extract(head.headerFields, into: &trace, using: FieldExtractor())
    if let name = HTTPField.Name("traceparent"), let parent = head.headerFields[name], TraceParent(parent) != nil {
      let state = HTTPField.Name("tracestate").flatMap { head.headerFields[$0] }
      trace.incomingTrace = .init(parent: parent, state: state)
    }
    span = tracer.startAnySpan(method, context: trace, ofKind: .server)
    span.attributes["http.request.method"] = method
    span.attributes["url.path"] = path
    span.attributes["url.scheme"] = head.scheme ?? "http"
  }

  /// Notes the answer.
  /// - Parameter route: The path of the route in the router; nil if there is none.
  func answered(_ status: Int, route: String?) {
    if let route, route != "NotFound" {
      span.operationName = "\(method) \(route)"
      span.attributes["http.route"] = route
    }
    span.attributes["http.response.status_code"] = Int64(status)
    if status >= 500 {
      span.attributes["error.type"] = "\(status)"
      span.setStatus(SpanStatus(code: .error))
    }
  }

  /// Reads the fields of a request.
  private struct FieldExtractor: Extractor {
    func extract(key: String, from fields: HTTPFields) -> String? { HTTPField.Name(key).flatMap { fields[$0] } }
  }
}
