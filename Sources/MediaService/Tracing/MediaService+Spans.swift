public import Instrumentation
package import Tracing

/// Spans of swift-distributed-tracing: what a request waits for. No attribute has an owner, a name or an address.
extension MediaService {
  /// The tracer of the settings, or that of `InstrumentationSystem`.
  package var tracer: any Tracer { configuration.tracer ?? InstrumentationSystem.tracer }

  /// Runs a closure in a span, which has the code of an error that it throws.
  func traced<Value>(
    _ name: String, _ attributes: [String: String] = [:], _ body: () async throws -> Value
  ) async throws -> Value {
    try await tracer.withAnySpan(name, ofKind: .internal) { span in
      for (key, value) in attributes { span.attributes[key] = value }
      do { return try await body() } catch {
        span.attributes["error.type"] = ServiceError(mapping: error).code.rawValue
        throw error
      }
    }
  }
}

extension MediaService {
  /// The trace of a request (W3C Trace Context), which is passed on where no tracer does.
  public struct IncomingTrace: Hashable, Sendable {
    /// The field `traceparent`.
    public var parent: String
    /// The field `tracestate`.
    public var state: String?

    /// The trace of a request with these fields.
    public init(parent: String, state: String? = nil) { (self.parent, self.state) = (parent, state) }
  }
}

extension InstrumentationContext {
  private enum Key: InstrumentationContextKey {
    typealias Value = MediaService.IncomingTrace
  }

  /// The trace that a request belongs to, as it was stated.
  public var incomingTrace: MediaService.IncomingTrace? {
    get { self[Key.self] }
    set { self[Key.self] = newValue }
  }
}
