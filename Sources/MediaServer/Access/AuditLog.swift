internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import MediaService

/// A line for each decision about access: who did what to which object, with which key, with which answer. Without content, names, tokens and
/// signatures.
struct AuditLog: Sendable {
  let logger: Logger

  /// The parameters of routes that name an object: `id` is an attachment. The address of an image of a profile is a secret, and is not logged.
  private static let objects = [
    "id", "upload", "draft", "item", "message", "answer", "thread", "cluster", "moment", "trip",
  ]

  func note(_ request: Request, _ context: some MediaRequestContext, _ status: Int, _ error: (any Error)? = nil) {
    var metadata: Logger.Metadata = [
      "method": .string(request.method.rawValue), "route": .string(context.endpointPath ?? "none"),
      "status": .stringConvertible(status),
    ]
    for name in Self.objects {
      if let id = context.parameters.get(name) { metadata[name] = .string(String(id.prefix(64))) }
    }
    if let request = context.logger[metadataKey: "request"] { metadata["request"] = request }
    if let caller = context.caller { metadata["owner"] = .string(caller.owner) }
    if let query = request.uri.query, Self.isDecidedBySignature(request, query, context.endpointPath, error) {
      metadata["key"] = SignedAddress.statedKey(in: query).map { Logger.MetadataValue.string($0) }
    } else if let key = context.logger[metadataKey: "key"] {
      metadata["key"] = key
    }
    switch error {
    case let problem as Problem: metadata["code"] = .string(problem.error.code.rawValue)
    case let error as ServiceError: metadata["code"] = .string(error.code.rawValue)
    default: break
    }
    logger.info("access", metadata: metadata)
  }

  /// Refusals that may come before a signature is verified.
  private static let refusedBefore: Set<String> = ["unauthorized", "forbidden", "rateLimited", "busy"]

  /// Whether the signature of the URL decided: anybody can write the name of a key into a query.
  private static func isDecidedBySignature(
    _ request: Request, _ query: String, _ route: String?, _ error: (any Error)?
  ) -> Bool {
    guard SignedAddress.isSigned(query), [.get, .head].contains(request.method) else { return false }
    let code = (error as? Problem)?.error.code ?? (error as? ServiceError)?.code
    if let code, refusedBefore.contains(code.rawValue) { return false }
    return SignedRoute.isSigned(route)
  }
}

/// Writes the audit log of requests below `/v1`. Below the authentication, so it knows the caller.
struct AuditMiddleware<Context: MediaRequestContext>: RouterMiddleware {
  let audit: AuditLog

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard RequestPath.isOfInterface(request.uri.path) else { return try await next(request, context) }
    do {
      let response = try await next(request, context)
      audit.note(request, context, response.status.code)
      return response
    } catch {
      audit.note(request, context, ProblemMiddleware<Context>.status(of: error), error)
      throw error
    }
  }
}

extension SignedAddress {
  /// The name of the key in the query of a signed URL, verified or not; nil unless a key can have this name.
  static func statedKey(in query: String) -> String? {
    guard let part = query.split(separator: "&").first(where: { $0.hasPrefix("k=") }) else { return nil }
    let name = part.dropFirst(2)
    let isName = (1...32).contains(name.utf8.count) && name.utf8.allSatisfy { $0 == 0x5F || $0 == 0x2D || isDigit($0) }
    return isName ? String(name) : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
  }
}
