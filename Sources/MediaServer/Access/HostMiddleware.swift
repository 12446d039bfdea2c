internal import HTTPTypes
internal import Hummingbird
internal import MediaService

/// Protects a server that trusts whoever reaches it: a page of the web may send requests to 127.0.0.1 from the browser of its owner.
///
/// A name that an attacker lets resolve to 127.0.0.1 (DNS rebinding) is in `Host`, so every request must name this machine. A form of another page
/// has that page as its `Origin`.
struct HostMiddleware<Context: MediaRequestContext>: RouterMiddleware {
  /// Names of this server, without ports, in lower case.
  let hosts: Set<String>
  /// Origins of pages that may change something, besides the server's own.
  let origins: Set<String>
  let audit: AuditLog

  /// The names that only mean this machine.
  static var loopback: Set<String> { ["localhost", "127.0.0.1", "[::1]"] }

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    if let reason = refusal(of: request) {
      let problem = Problem(ServiceError(.forbidden, reason))
      audit.note(request, context, problem.status.code, problem)
      throw problem
    }
    return try await next(request, context)
  }

  /// Why a request is refused; nil for one that is not.
  private func refusal(of request: Request) -> String? {
    guard let authority = request.head.authority, let host = Self.host(of: authority), hosts.contains(host) else {
      return
        "The Host header of this request is not a name of this server. Its administrator can allow the name with --hosts."
    }
    guard ![.get, .head, .options].contains(request.method) else { return nil }
    if let origin = request.headers[.origin], !isAllowed(origin), !Self.isSame(origin, authority) {
      return "The request comes from a page of another origin. The administrator can allow the origin with --origins."
    }
    if let site = HTTPField.Name("Sec-Fetch-Site"), request.headers[site] == "cross-site",
      request.headers[.origin].map({ !isAllowed($0) }) ?? true
    {
      return "The request comes from a page of another site. The administrator can allow its origin with --origins."
    }
    return nil
  }

  private func isAllowed(_ origin: String) -> Bool { origins.contains(origin) || origins.contains("*") }

  /// The host of `host`, `host:port`, `[address]` or `[address]:port`, in lower case.
  static func host(of authority: String) -> String? {
    let text = authority.lowercased()
    var host = Substring(text)
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[...end]
    } else if let colon = text.firstIndex(of: ":") {
      host = text[..<colon]
    }
    let port = text[host.endIndex...]
    guard !host.isEmpty, port.isEmpty || (port.first == ":" && UInt16(port.dropFirst()) != nil) else { return nil }
    return String(host)
  }

  /// Whether an origin, such as `http://localhost:8080`, is that of this authority. `null` never is.
  private static func isSame(_ origin: String, _ authority: String) -> Bool {
    ["http://", "https://"].contains { origin.lowercased() == $0 + authority.lowercased() }
  }
}
