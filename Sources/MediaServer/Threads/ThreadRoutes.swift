internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MediaService

/// `/v1/threads` and below: the conversations of the caller.
struct ThreadRoutes<Context: MediaRequestContext> {
  let service: MediaService

  func add(to router: some RouterMethods<Context>) {
    let service = service
    router.get("/v1/threads") { request, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(
        try await service.threads(
          for: caller, before: request.parameter("before"), limit: try request.number("limit") ?? 50))
    }
    router.get("/v1/threads/{thread}") { _, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(
        try await service.thread(try context.parameters.require("thread"), of: caller))
    }
    router.delete("/v1/threads/{thread}") { _, context in
      let caller = try context.requireCaller()
      try await service.deleteThread(try context.parameters.require("thread"), of: caller)
      return Response(status: .noContent)
    }
    router.get("/v1/threads/{thread}/messages") { request, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(
        try await service.messages(
          inThread: try context.parameters.require("thread"), of: caller, before: request.parameter("before"),
          limit: try request.number("limit") ?? 50))
    }
    router.post("/v1/threads", use: create)
    router.get("/v1/threads/{thread}/draft") { _, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(
        try await service.draft(ofThread: try context.parameters.require("thread"), of: caller))
    }
    router.put("/v1/threads/{thread}/draft") { request, context in
      let caller = try context.requireCaller()
      let body = try await JSONBody.decode(MediaService.ThreadDraft.self, from: request)
      let draft = try await service.saveDraft(body, inThread: try context.parameters.require("thread"), of: caller)
      guard let draft else { return Response(status: .noContent) }
      return try JSONAnswer.response(draft)
    }
    router.delete("/v1/threads/{thread}/draft") { _, context in
      let caller = try context.requireCaller()
      try await service.deleteDraft(ofThread: try context.parameters.require("thread"), of: caller)
      return Response(status: .noContent)
    }
    router.post("/v1/threads/{thread}/draft/commit") { request, context in
      let caller = try context.requireCaller()
      let id = try context.parameters.require("thread")
      // A PDU is large and may be deleted with its message, so a repetition makes it again.
      let rebuild = { (_: HTTPResponse.Status, address: String) async throws -> Response in
        let message = address.split(separator: "/").last.map(String.init) ?? ""
        return try CommittedMessageAnswer(try await service.committedMessage(message, for: caller)).response()
      }
      let bytes = try await JSONBody.bytes(of: request)
      let body = bytes.isEmpty ? nil : try JSONBody.decode(MediaService.CompositionRequest.self, from: bytes, request)
      return try await Idempotency.respond(
        to: request, caller, service, name: Idempotency.digest(of: bytes), repeating: rebuild
      ) {
        try CommittedMessageAnswer(
          try await service.commitDraft(
            ofThread: id, body ?? .init(), of: caller, key: Idempotency.key(of: request))
        ).response()
      }
    }
    router.post("/v1/threads/{thread}/read") { _, context in
      let caller = try context.requireCaller()
      let answers = try await service.markRead(thread: try context.parameters.require("thread"), of: caller)
      return try JSONAnswer.response(CarrierAnswerList(answers))
    }
  }

  /// Saves the draft of a new thread, or of the one with the same people.
  @Sendable private func create(_ request: Request, _ context: Context) async throws -> Response {
    let caller = try context.requireCaller()
    let body = try await JSONBody.decode(MediaService.ThreadDraft.self, from: request)
    let draft = try await service.createThread(body, of: caller)
    return try JSONAnswer.response(draft, status: .created, headers: [.location: "/v1/threads/\(draft.thread)"])
  }
}
