internal import HTTPTypes
internal import Hummingbird
internal import MediaService

/// `/v1/messages/sms` and below: what the network delivers to a client that has a modem or a gateway.
struct SMSRoutes<Context: MediaRequestContext> {
  let service: MediaService

  func add(to router: some RouterMethods<Context>) {
    let service = service
    router.post("/v1/messages/sms") { request, context in
      let caller = try context.requireCaller()
      let body = try await JSONBody.decode(MediaService.ReceivedSMS.self, from: request)
      guard let message = try await service.receiveSMS(body, for: caller) else {
        return Response(status: .noContent)
      }
      return try JSONAnswer.response(
        Stored(message), status: .created, headers: [.location: "/v1/messages/\(message.id)"])
    }
    router.post("/v1/messages/sms/reports") { request, context in
      let caller = try context.requireCaller()
      let body = try await JSONBody.decode(Report.self, from: request)
      return try JSONAnswer.response(
        Stored(try await service.receive(body.status, ofSMS: body.reference, to: body.to, for: caller)))
    }
  }

  /// Ids alone: a client reads the message if it shows it.
  private struct Stored: Encodable {
    var id: String
    var thread: String

    init(_ message: MediaService.MessageAnswer) { (id, thread) = (message.id, message.thread) }
  }

  private struct Report: Decodable {
    var reference: String
    var to: String
    var status: MediaService.SMSDelivery
  }
}
