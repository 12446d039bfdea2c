internal import HTTPTypes
internal import Hummingbird
internal import MediaService

/// `/`, `/map` and their files below `/page`: a message box for browsers, which uses the interface as any app would.
///
/// The files need no token, since they are the same for everybody. What they show is asked for with one.
struct PageRoutes<Context: RequestContext>: Sendable {
  func add(to router: some RouterMethods<Context>) {
    for (path, name) in [("/", "index.html"), ("/map", "map.html")] {
      router.get(RouterPath(path)) { request, _ in try Self.answer(name, to: request) }
    }
    router.get("/page/{name}") { request, context in
      try Self.answer(try context.parameters.require("name"), to: request)
    }
  }

  /// Only files of the page load: no inline script or style, no other origin, and no text becomes HTML or code (Trusted Types).
  static var policy: String {
    """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self' blob:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'
    """
  }

  private static func answer(_ name: String, to request: Request) throws -> Response {
    // The documents have addresses of their own.
    guard let file = PageFile.all[name], !name.hasSuffix(".html") || !request.uri.path.hasPrefix("/page/") else {
      throw Problem(.notFound)
    }
    let accepted = AcceptedFormats.named(in: request.headers[.acceptEncoding] ?? "")
    let compressed = accepted.contains("gzip") ? file.compressed : nil
    let encoded = compressed ?? file.plain
    var headers: HTTPFields = [.eTag: encoded.entityTag, .cacheControl: "no-cache"]
    if file.compressed != nil { headers[.vary] = "Accept-Encoding" }
    for (name, value) in [
      ("Content-Security-Policy", policy), ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Cross-Origin-Resource-Policy", "same-origin"), ("Referrer-Policy", "no-referrer"),
      ("Permissions-Policy", "camera=(self), microphone=(self), geolocation=(), payment=(), usb=()"),
    ] {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    switch Conditions.evaluate(
      request.headers, isHead: true, entityTag: encoded.entityTag, size: encoded.bytes.readableBytes)
    {
    case .notModified: return Response(status: .notModified, headers: headers)
    case .failed: throw Problem(.preconditionFailed, ServiceError(.preconditionFailed, "The file has changed."))
    default:
      headers[.contentType] = file.type
      if compressed != nil { headers[.contentEncoding] = "gzip" }
      return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: encoded.bytes))
    }
  }
}
