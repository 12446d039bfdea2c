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
    var trace = InstrumentationContext.current ?? .topLevel
    tracer.extract(request.headers, into: &trace, using: FieldExtractor())
    if let name = HTTPField.Name("traceparent"), let parent = request.headers[name], TraceParent(parent) != nil {
      let state = HTTPField.Name("tracestate").flatMap { request.headers[$0] }
      trace.incomingTrace = .init(parent: parent, state: state)
    }
    let span = tracer.startAnySpan(request.method.rawValue, context: trace, ofKind: .server)
    defer { span.end() }
    span.attributes["http.request.method"] = request.method.rawValue
    span.attributes["url.path"] = request.uri.path
    span.attributes["url.scheme"] = request.head.scheme ?? "http"
    let response = try await InstrumentationContext.withValue(span.context) { try await next(request, context) }
    // The router has found its route meanwhile.
    if let route = context.endpointPath, route != "NotFound" {
      span.operationName = "\(request.method.rawValue) \(route)"
      span.attributes["http.route"] = route
    }
    let status = response.status.code
    span.attributes["http.response.status_code"] = Int64(status)
    if status >= 500 {
      span.attributes["error.type"] = "\(status)"
      span.setStatus(SpanStatus(code: .error))
    }
    return response
  }

  /// Reads the fields of a request.
  private struct FieldExtractor: Extractor {
    func extract(key: String, from fields: HTTPFields) -> String? { HTTPField.Name(key).flatMap { fields[$0] } }
  }
}
