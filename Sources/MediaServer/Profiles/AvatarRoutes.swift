internal import Crypto
internal import HTTPTypes
internal import Hummingbird
internal import MediaModel
internal import MediaService
internal import NIOCore

/// `/v1/avatar`: the square image of the caller's profile.
struct AvatarRoutes<Context: MediaRequestContext> {
  let service: MediaService

  private struct Choice: Decodable {
    var attachment: String
    var crop: PixelRect?
  }

  func add(to router: some RouterMethods<Context>) {
    router.get("/v1/avatar") { request, context in
      let caller = try context.requireCaller()
      let avatar = try await Problem.mapping { () async throws(ServiceError) in try await service.avatar(of: caller) }
      // Evaluated after the caller was authenticated; the tag is the content's.
      let tag = "\"" + SHA256.hash(data: avatar.bytes).prefix(16).map { String($0, radix: 16) }.joined() + "\""
      var headers: HTTPFields = [
        .eTag: tag, .cacheControl: "private, no-cache", .contentType: avatar.type.rawValue,
        .xContentTypeOptions: "nosniff",
      ]
      let known = request.headers[.ifNoneMatch]?.split(separator: ",").map { $0.filter { $0 != " " } } ?? []
      if known.contains(where: { $0 == tag || $0 == "W/\(tag)" || $0 == "*" }) {
        headers[.contentType] = nil
        return Response(status: .notModified, headers: headers)
      }
      return Response(
        status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: avatar.bytes)))
    }
    router.put("/v1/avatar") { request, context in
      let caller = try context.requireCaller()
      let choice = try await JSONBody.decode(Choice.self, from: request)
      try await Problem.mapping { () async throws(ServiceError) in
        try await service.setAvatar(choice.attachment, crop: choice.crop, for: caller)
      }
      return Response(status: .noContent)
    }
    router.delete("/v1/avatar") { _, context in
      let caller = try context.requireCaller()
      try await Problem.mapping { () async throws(ServiceError) in try await service.removeAvatar(of: caller) }
      return Response(status: .noContent)
    }
  }
}
