internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MediaService

/// `/v1/messages` and below: the messages of threads, with their files.
struct StoredMessageRoutes<Context: MediaRequestContext> {
  let service: MediaService
  /// The time between two comments on a quiet stream.
  var heartbeat = Duration.seconds(15)

  func add(to router: some RouterMethods<Context>) {
    let (service, heartbeat) = (service, heartbeat)
    router.post("/v1/messages", use: receive)
    router.get("/v1/messages") { request, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(
        try await service.findMessages(
          request.parameter("q") ?? "", of: caller, before: request.parameter("before"),
          limit: try request.number("limit") ?? 50))
    }
    router.get("/v1/messages/settings") { _, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(try await service.messageSettings(for: caller))
    }
    router.patch("/v1/messages/settings") { request, context in
      let caller = try context.requireCaller()
      let body = try await JSONBody.decode(MediaService.MessageSettingsChange.self, from: request)
      return try JSONAnswer.response(try await service.changeMessageSettings(body, for: caller))
    }
    router.get("/v1/messages/events") { request, context in
      let caller = try context.requireCaller()
      return try await EventStreamBody.response(to: request, context, caller, service, heartbeat) {
        last throws(ServiceError) in try service.messageEvents(for: caller, after: last)
      }
    }
    router.get("/v1/messages/{message}") { _, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(
        try await service.message(try context.parameters.require("message"), of: caller))
    }
    router.delete("/v1/messages/{message}") { _, context in
      let caller = try context.requireCaller()
      try await service.deleteMessage(try context.parameters.require("message"), of: caller)
      return Response(status: .noContent)
    }
    router.get("/v1/messages/{message}/requests") { _, context in
      let caller = try context.requireCaller()
      let requests = try await service.requests(of: try context.parameters.require("message"), for: caller)
      return try JSONAnswer.response(["requests": requests.map(MessageRequestAnswer.init)])
    }
    router.post("/v1/messages/{message}/resend") { _, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(
        CommittedMessageAnswer(
          try await service.resendMessage(try context.parameters.require("message"), for: caller)))
    }
    router.post("/v1/messages/{message}/outcome") { request, context in
      let caller = try context.requireCaller()
      let body = try await JSONBody.decode(Outcome.self, from: request)
      return try JSONAnswer.response(
        try await service.finish(
          body.transactionID, of: try context.parameters.require("message"), with: try body.value(), for: caller))
    }
    for method in [HTTPRequest.Method.get, .head] {
      router.on("/v1/messages/:message/parts/:number", method: method, use: file)
      router.on("/v1/messages/:message/parts/:number/renditions/:name", method: method, use: image)
    }
  }

  private struct Outcome: Decodable {
    var transactionID: String
    var outcome: String
    var reference: String?

    func value() throws(ServiceError) -> MediaService.MessageOutcome {
      switch outcome {
      case "accepted": return .accepted(reference: reference)
      case "temporaryFailure": return .temporaryFailure
      case "refused": return .refused
      default:
        throw ServiceError(.invalidRequest, "`outcome` must be `accepted`, `temporaryFailure` or `refused`.")
      }
    }
  }

  /// The body is a PDU.
  @Sendable private func receive(_ request: Request, _ context: Context) async throws -> Response {
    let caller = try context.requireCaller()
    guard request.headers.mediaType == MessagePDU.mediaType else {
      throw ServiceError(.unsupportedType, "The body of this request must be \(MessagePDU.mediaType).")
    }
    let downloaded = request.parameter("downloaded")
    // Answers have addresses, and leave when they are confirmed, so a repetition reads them again.
    let rebuild = { (status: HTTPResponse.Status, address: String) async throws -> Response in
      let message = try await find(address, for: caller)
      return try Received(message, try await service.carrierAnswers(for: caller)).response(status)
    }
    let octets = try await MessagePDU.octets(of: request)
    let name = "\(Idempotency.digest(of: octets)) \(downloaded ?? "")"
    return try await Idempotency.respond(to: request, caller, service, name: name, repeating: rebuild) {
      let received = try await service.receiveMessage(octets, downloaded: downloaded, for: caller)
      let isArrival = received.isArrival && received.message != nil
      return try Received(received.message, received.answers).response(isArrival ? .created : .ok)
    }
  }

  /// The message at an address; nil if it was deleted.
  private func find(_ address: String, for caller: Caller) async throws(ServiceError) -> MediaService.MessageAnswer? {
    guard let id = address.split(separator: "/").last else { return nil }
    do throws(ServiceError) { return try await service.message(String(id), of: caller) } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }

  /// Ids alone, and the answers: a client reads the message if it shows it.
  private struct Received: Encodable {
    var id: String?
    var thread: String?
    var answers: [CarrierAnswerList.Answer]

    init(_ message: MediaService.MessageAnswer?, _ answers: [MediaService.CarrierAnswer]) {
      (id, thread) = (message?.id, message?.thread)
      self.answers = CarrierAnswerList(answers).answers
    }

    func response(_ status: HTTPResponse.Status) throws -> Response {
      var headers: HTTPFields = [:]
      if let id { headers[.location] = "/v1/messages/\(id)" }
      return try JSONAnswer.response(self, status: status, headers: headers)
    }
  }

  @Sendable private func file(_ request: Request, _ context: Context) async throws -> Response {
    let (access, caller, id, number) = try parameters(request, context)
    let (content, name) = try await service.messageFile(number, of: id, for: caller)
    return try Representation(content, name: name, fallback: "\(id)-\(number)").response(to: request, access: access)
  }

  @Sendable private func image(_ request: Request, _ context: Context) async throws -> Response {
    let (access, caller, id, number) = try parameters(request, context)
    guard let text = context.parameters.get("name"),
      let name = MediaService.RenditionName(text, boxes: service.configuration.boxes)
    else { throw ServiceError.notFound }
    let image = try await service.messageImage(
      name, ofFile: number, of: id, accepting: AcceptedFormats.of(request.headers), for: caller)
    var representation = Representation(image)
    if name.format == nil { representation.fields[.vary] = "Accept" }
    return try representation.response(to: request, access: access)
  }

  /// What both routes of files have in their paths. They have no signed URLs: a message is its owner's alone.
  private func parameters(
    _ request: Request, _ context: Context
  ) throws -> (GrantedAccess, Caller, id: String, number: Int) {
    let access = try GrantedAccess(request, context, service)
    let text = try context.parameters.require("number")
    guard case .caller(let caller) = access.reader, let number = Int(text), text == "\(number)" else {
      throw ServiceError.notFound
    }
    return (access, caller, try context.parameters.require("message"), number)
  }
}
