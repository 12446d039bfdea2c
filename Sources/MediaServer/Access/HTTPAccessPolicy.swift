internal import AsyncHTTPClient
internal import Foundation
internal import Instrumentation
internal import MediaLibrary
public import MediaService
internal import NIOCore
internal import NIOHTTP1
public import Tracing

/// Asks an application over HTTP who may read an attachment, at one configured address.
///
/// docs/keys.md documents the callback. The question is `GET URL?subject=…&attachment=…&owner=…&right=view|original`. 2xx allows; 401, 403 and 404 deny; anything else, a redirect too, is
/// no answer, and the reader gets 503.
public struct HTTPAccessPolicy: AccessPolicy {
  /// The status of an answer was neither a yes nor a no.
  struct UnexpectedStatus: Error {
    let status: UInt
  }

  private let address: URLComponents
  private let token: String?
  private let client: HTTPClient
  /// Writes the trace of a request into the question.
  private let tracer: (any Tracer)?
  /// The time for a connection, a question and its answer.
  private let patience: TimeAmount

  /// Asks the application at an address.
  /// - Parameters:
  ///   - url: An `http` or `https` URL without a query.
  ///   - token: Sent as a bearer token. Default nil: none.
  ///   - tracer: Takes a span for each question, and writes the trace into it. Default nil: the tracer of `InstrumentationSystem`.
  /// - Returns: nil for another URL.
  public init?(url: String, token: String? = nil, tracer: (any Tracer)? = nil) {
    self.init(url: url, token: token, tracer: tracer, patience: .seconds(1))
  }

  /// With another patience, half of which is for a connection.
  init?(url: String, token: String?, tracer: (any Tracer)?, patience: TimeAmount) {
    guard let address = Self.address(url) else { return nil }
    (self.address, self.token, self.tracer, self.patience) = (address, token, tracer, patience)
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.timeout = .init(
      connect: .nanoseconds(patience.nanoseconds / 2), read: .nanoseconds(patience.nanoseconds / 2))
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  /// The address of an application; nil for a text that cannot be one.
  static func address(_ url: String) -> URLComponents? {
    guard let address = URLComponents(string: url), ["http", "https"].contains(address.scheme?.lowercased()),
      address.host?.isEmpty == false, address.query == nil, address.fragment == nil
    else { return nil }
    return address
  }

  /// Ends the connections. Call it after the service was closed.
  public func shutdown() async throws { try await client.shutdown() }

  /// Whether the application lets a reader do this.
  public func allows(_ question: MediaService.AccessQuestion) async throws -> Bool {
    var components = address
    components.queryItems = [
      URLQueryItem(name: "subject", value: question.subject),
      URLQueryItem(name: "attachment", value: "\(question.attachment.rawValue)"),
      URLQueryItem(name: "right", value: question.right.rawValue),
    ]
    if let owner = question.owner { components.queryItems?.append(URLQueryItem(name: "owner", value: owner)) }
    // A plus sign is a space to most applications, and Foundation leaves it as it is.
    components.percentEncodedQuery = components.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
    var request = HTTPClientRequest(url: components.string ?? "")
    if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
    let tracer = tracer ?? InstrumentationSystem.tracer
    return try await tracer.withAnySpan("GET", ofKind: .client) { [request] span in
      var request = request
      span.attributes["http.request.method"] = "GET"
      span.attributes["server.address"] = address.host ?? ""
      tracer.inject(span.context, into: &request.headers, using: HeaderInjector())
      // Of a request whose trace no tracer has taken.
      if !request.headers.contains(name: "traceparent"), let trace = InstrumentationContext.current?.incomingTrace {
        request.headers.add(name: "traceparent", value: trace.parent)
        if let state = trace.state { request.headers.add(name: "tracestate", value: state) }
      }
      let response = try await client.execute(request, timeout: patience)
      span.attributes["http.response.status_code"] = Int64(response.status.code)
      switch response.status.code {
      case 200..<300: return true
      case 401, 403, 404: return false
      default: throw UnexpectedStatus(status: response.status.code)
      }
    }
  }

  private struct HeaderInjector: Injector {
    func inject(_ value: String, forKey key: String, into headers: inout HTTPHeaders) {
      headers.replaceOrAdd(name: key, value: value)
    }
  }
}
