internal import HTTPTypes
internal import Hummingbird

/// Lets pages of configured origins use the interface from a browser (Fetch Standard, section 3.2).
///
/// Hummingbird's own middleware reflects every origin. A preflight has no token, so it is answered before tokens are looked at. Credentials are
/// never allowed: the interface knows no cookies.
struct OriginMiddleware<Context: MediaRequestContext>: RouterMiddleware {
  /// The origins, such as `https://chat.example`; `*` for all.
  let origins: Set<String>

  /// The methods of the interface.
  static var methods: String { "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS" }
  /// What clients of the interface, of tus and of IETF uploads send.
  static var requestFields: String {
    """
    Authorization, Content-Type, Content-Disposition, Idempotency-Key, If-Match, If-None-Match, If-Range, Last-Event-ID, Range, Tus-Resumable, \
    Upload-Length, Upload-Defer-Length, Upload-Metadata, Upload-Offset, Upload-Checksum, Upload-Complete, Upload-Incomplete, \
    Upload-Draft, Upload-Draft-Interop-Version, Content-Digest, Repr-Digest, X-HTTP-Method-Override, X-Request-ID, traceparent, tracestate
    """
  }
  /// What scripts may read of an answer.
  static var answerFields: String {
    """
    Accept-Ranges, Content-Disposition, Content-Location, Content-Range, ETag, Location, Retry-After, Tus-Checksum-Algorithm, Tus-Extension, \
    Tus-Max-Size, Tus-Resumable, Tus-Version, Upload-Complete, Upload-Defer-Length, Upload-Expires, Upload-Length, Upload-Limit, Upload-Metadata, \
    Upload-Offset, X-Request-ID
    """
  }

  func handle(
    _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard !origins.isEmpty else { return try await next(request, context) }
    let origin = request.headers[.origin]
    let isAllowed = origin.map { origins.contains($0) || origins.contains("*") } ?? false
    var response: Response
    if let origin, isAllowed, request.method == .options, request.headers[.accessControlRequestMethod] != nil {
      response = Response(
        status: .noContent,
        headers: [
          .accessControlAllowMethods: Self.methods, .accessControlAllowHeaders: Self.requestFields,
          .accessControlMaxAge: "86400", .accessControlAllowOrigin: origin,
        ])
    } else {
      response = try await next(request, context)
      if let origin, isAllowed {
        response.headers[.accessControlAllowOrigin] = origin
        response.headers[.accessControlExposeHeaders] = Self.answerFields
      }
    }
    // Also without an origin: a cache must not give that answer to a page.
    response.headers.append(HTTPField(name: .vary, value: "Origin"))
    return response
  }
}
