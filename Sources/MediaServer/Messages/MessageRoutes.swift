internal import AttachmentPolicy
internal import HTTPTypes
internal import Hummingbird
internal import MediaService
internal import NIOCore

/// `/v1/check`, `/v1/compose`, `/v1/text` and `/v1/messages/{id}/modules`.
struct MessageRoutes<Context: MediaRequestContext> {
  let service: MediaService

  func add(to router: some RouterMethods<Context>) {
    router.post("/v1/check", use: check)
    router.post("/v1/compose", use: compose)
    router.post("/v1/text", use: text)
    router.get("/v1/messages/{message}/modules") { request, context in
      let caller = try context.requireCaller()
      let id = try context.parameters.require("message")
      return try JSONAnswer.response(
        try await Problem.mapping { () async throws(ServiceError) in try await service.modules(of: id, for: caller) })
    }
  }

  private struct Check: Decodable {
    var attachments: [String]
    var draft: String?
    var text: String?
    var policy: MediaService.PolicyChoice?
  }

  @Sendable private func check(_ request: Request, _ context: Context) async throws -> Response {
    let caller = try context.requireCaller()
    let body = try await JSONBody.decode(Check.self, from: request)
    return try JSONAnswer.response(
      try await Problem.mapping { () async throws(ServiceError) in
        try await service.check(
          body.attachments, of: caller, draft: body.draft, text: body.text ?? "", policy: body.policy)
      })
  }

  /// Answers JSON with the PDU in base64; to a client that accepts the type of a PDU before JSON, the PDU alone.
  @Sendable private func compose(_ request: Request, _ context: Context) async throws -> Response {
    let caller = try context.requireCaller()
    let body = try await JSONBody.decode(MediaService.CompositionRequest.self, from: request)
    let message = try await Problem.mapping { () async throws(ServiceError) in
      try await service.compose(body, for: caller)
    }
    guard request.headers[.accept]?.hasPrefix(Self.pduType) == true else { return try JSONAnswer.response(message) }
    guard let pdu = message.pdu else {
      let reasons = "The message cannot be sent. \(message.blockerSentences.joined(separator: " "))"
      throw Problem(ServiceError(.refused, message.canSend ? "The message is an SMS, which has no PDU." : reasons))
    }
    return Response(
      status: .ok, headers: [.contentType: Self.pduType, .cacheControl: "private, no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: pdu)))
  }

  private static var pduType: String { MessagePDU.mediaType }

  /// One text, or up to a thousand.
  private struct Texts: Decodable {
    var text: String?
    var texts: [String]?
    var strict7Bit: Bool?
  }

  private struct TextAnswers: Encodable {
    var texts: [MediaService.TextAnswer]
  }

  @Sendable private func text(_ request: Request, _ context: Context) async throws -> Response {
    _ = try context.requireCaller()
    let body = try await JSONBody.decode(Texts.self, from: request)
    let strict = body.strict7Bit ?? false
    if let text = body.text { return try JSONAnswer.response(MediaService.TextAnswer(text, isStrict7Bit: strict)) }
    guard let texts = body.texts, texts.count <= FieldLimits.texts else {
      throw Problem(
        ServiceError(
          .invalidRequest, "Either `text` or `texts` (at most 1,000 strings) is required.",
          numbers: ["limit": FieldLimits.texts]))
    }
    return try JSONAnswer.response(
      TextAnswers(texts: texts.map { MediaService.TextAnswer($0, isStrict7Bit: strict) }))
  }
}
