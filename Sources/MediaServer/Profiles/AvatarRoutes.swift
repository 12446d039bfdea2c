internal import Crypto
internal import FileSupport
internal import HTTPTypes
internal import Hummingbird
internal import MediaModel
internal import MediaService
internal import NIOCore

/// `/v1/profile`, `/v1/avatar` and `/v1/avatars/{avatar}`: the square image of a profile.
struct AvatarRoutes<Context: MediaRequestContext> {
  let service: MediaService

  private struct Choice: Decodable {
    var attachment: String
    var crop: PixelRect?
  }

  func add(to router: some RouterMethods<Context>) {
    let service = service
    router.get("/v1/profile") { _, context in
      try JSONAnswer.response(try await service.profile(of: try context.requireCaller()))
    }
    router.get("/v1/avatar") { request, context in
      let caller = try context.requireCaller()
      return Self.answer(try await service.avatar(of: caller, size: try request.number("size") ?? 128), to: request)
    }
    router.get("/v1/avatars/{avatar}") { request, context in
      let caller = try context.requireCaller()
      let address = try context.parameters.require("avatar")
      return Self.answer(
        try await service.avatar(at: address, size: try request.number("size") ?? 128, for: caller), to: request)
    }
    router.put("/v1/avatar") { request, context in
      let caller = try context.requireCaller()
      let choice = try await JSONBody.decode(Choice.self, from: request)
      return try JSONAnswer.response(
        try await service.setAvatar(choice.attachment, crop: choice.crop, for: caller))
    }
    router.delete("/v1/avatar") { _, context in
      try await service.removeAvatar(of: try context.requireCaller())
      return Response(status: .noContent)
    }
  }

  /// Conditions are evaluated after access was granted; the tag is the content's.
  private static func answer(_ avatar: MediaService.Avatar, to request: Request) -> Response {
    let tag = "\"" + Hexadecimal.encode(SHA256.hash(data: avatar.bytes).prefix(16)) + "\""
    var headers: HTTPFields = [
      .eTag: tag, .cacheControl: "private, no-cache", .contentType: avatar.type.rawValue,
      .xContentTypeOptions: "nosniff",
    ]
    if let field = request.headers[.ifNoneMatch], let current = EntityTag(tag),
      EntityTags(field).contains(current.isWeaklyEqual)
    {
      headers[.contentType] = nil
      return Response(status: .notModified, headers: headers)
    }
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: avatar.bytes)))
  }
}
