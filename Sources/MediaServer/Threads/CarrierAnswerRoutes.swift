internal import Foundation
internal import Hummingbird
internal import MediaService

/// `/v1/messages/answers` and below: the answers to send to the carrier for messages that the caller received or read.
struct CarrierAnswerRoutes<Context: MediaRequestContext> {
  let service: MediaService

  func add(to router: some RouterMethods<Context>) {
    let service = service
    router.get("/v1/messages/answers") { _, context in
      let caller = try context.requireCaller()
      return try JSONAnswer.response(CarrierAnswerList(try await service.carrierAnswers(for: caller)))
    }
    router.delete("/v1/messages/answers/{answer}") { _, context in
      let caller = try context.requireCaller()
      try await service.confirmAnswer(try context.parameters.require("answer"), for: caller)
      return Response(status: .noContent)
    }
  }
}

/// `{"answers":[{"id","pdu"}]}`.
struct CarrierAnswerList: Encodable {
  struct Answer: Encodable {
    var id: String
    /// In base64.
    var pdu: String
  }

  var answers: [Answer]

  init(_ answers: [MediaService.CarrierAnswer]) {
    self.answers = answers.map { Answer(id: $0.id, pdu: Data($0.pdu).base64EncodedString()) }
  }
}
