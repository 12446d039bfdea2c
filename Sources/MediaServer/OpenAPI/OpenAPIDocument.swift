internal import Crypto
internal import FileSupport
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// The description of the interface for clients and tools (OpenAPI 3.1), part of the program.
enum OpenAPIDocument {
  /// `openapi.json`, which is embedded in the program.
  static let json = ByteBuffer(bytes: PackageResources.openapi_json)

  /// A strong entity tag: another version of the program may have another document.
  static let entityTag: String = {
    let digest = Array(SHA256.hash(data: PackageResources.openapi_json).prefix(12))
    return "\"\(Hexadecimal.encode(digest))\""
  }()
}

/// `/openapi.json`, without a token: it has nothing of anybody.
struct OpenAPIRoutes<Context: RequestContext> {
  func add(to router: some RouterMethods<Context>) {
    router.get("/openapi.json") { request, _ in
      var fields: HTTPFields = [.eTag: OpenAPIDocument.entityTag, .cacheControl: "no-cache"]
      if let field = request.headers[.ifNoneMatch], let current = EntityTag(OpenAPIDocument.entityTag),
        EntityTags(field).contains(current.isWeaklyEqual)
      {
        return Response(status: .notModified, headers: fields)
      }
      fields[.contentType] = "application/json"
      return Response(status: .ok, headers: fields, body: ResponseBody(byteBuffer: OpenAPIDocument.json))
    }
  }
}
