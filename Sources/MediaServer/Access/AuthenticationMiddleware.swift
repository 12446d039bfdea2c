internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import MediaService

/// States who makes a request below `/v1`: the bearer of a token, or the single owner of a server without keys.
///
/// A request without `Authorization` passes without a caller: its route answers 401, unless the address is signed. A token that is not valid is
/// answered with 401, whatever the route.
struct AuthenticationMiddleware<Context: MediaRequestContext>: RouterMiddleware {
  enum Mode: Sendable {
    /// Bearer tokens.
    case tokens(KeyStore)
    /// Everybody who reaches the server is this owner: on loopback alone.
    case single(owner: String)
  }

  let mode: Mode
  let audit: AuditLog
  let failures: FailureLimit

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard RequestPath.isOfInterface(request.uri.path) else { return try await next(request, context) }
    var context = context
    switch mode {
    case .single(let owner): context.caller = Caller(owner: owner)
    case .tokens(let keys):
      let fields = request.headers[values: .authorization]
      if let field = fields.first {
        do throws(Problem) {
          // Two of them may be read differently by a proxy.
          guard fields.count == 1, let token = Self.bearer(field) else { throw Problem.unauthorized }
          let bearer = try await keys.verifier.bearer(of: token)
          context.caller = bearer.caller
          context.logger[metadataKey: "key"] = .string(bearer.key)
        } catch {
          let problem = failures.answer(error, to: request, on: context.channel)
          audit.note(request, context, problem.status.code, problem)
          throw problem
        }
      }
    }
    if let caller = context.caller { context.logger[metadataKey: "owner"] = .string(caller.owner) }
    return try await next(request, context)
  }

  /// The token of `Authorization: Bearer TOKEN` (RFC 6750); the scheme's name has any case.
  static func bearer(_ field: String) -> String? {
    let parts = field.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    let token = String(parts[1].drop { $0 == " " })
    return token.isEmpty ? nil : token
  }
}
