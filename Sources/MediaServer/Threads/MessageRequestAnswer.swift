internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MediaService

/// A request that a client sends to the carrier: `{"transactionID","pdu"}` or `{"transactionID","to","text","deliveryReport"}`.
struct MessageRequestAnswer: Encodable {
  var transactionID: String
  /// In base64.
  var pdu: String?
  var to: String?
  var text: String?
  /// Whether a status report of an SMS is to be requested.
  var deliveryReport: Bool?

  init(_ request: MediaService.MessageRequest) {
    (transactionID, to, text) = (request.transactionID, request.to, request.text)
    deliveryReport = request.requestsDeliveryReport
    pdu = request.pdu.map { Data($0).base64EncodedString() }
  }
}

/// A draft that became a message: the message, what was changed, and what is to be sent.
struct CommittedMessageAnswer: Encodable {
  var message: MediaService.MessageAnswer
  /// Absent in the answer to a repeated request.
  var composed: MediaService.ComposedMessage?
  var requests: [MessageRequestAnswer]

  init(_ message: MediaService.CommittedMessage) {
    (self.message, composed) = (message.message, message.composed)
    requests = message.requests.map(MessageRequestAnswer.init)
  }

  /// 201 with the address of the message.
  func response() throws -> Response {
    try JSONAnswer.response(self, status: .created, headers: [.location: "/v1/messages/\(message.id)"])
  }
}
