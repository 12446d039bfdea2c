internal import Foundation
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
      let body = try await JSONBody.decode(Received.self, from: request)
      guard let segment = try body.wholeSegment() else {
        return try Stored.response(try await service.receiveSMS(try body.sms(), for: caller))
      }
      switch try await service.receiveSMS(segment, for: caller) {
      case .incomplete: return Response(status: .accepted)
      case .deleted: return try Stored.response(nil)
      case .message(let message): return try Stored.response(message)
      }
    }
    router.post("/v1/messages/sms/reports") { request, context in
      let caller = try context.requireCaller()
      let body = try await JSONBody.decode(Report.self, from: request)
      return try JSONAnswer.response(
        Stored(try await service.receive(body.status, ofSMS: body.reference, to: body.to, for: caller)))
    }
  }

  /// An SMS, or a segment of one.
  private struct Received: Decodable {
    struct Segment: Decodable {
      var reference: Int
      var number: Int
      var count: Int
    }

    var from: String
    var time: Int
    var text: String?
    /// The text of a segment in UCS-2, the high byte first, in base64.
    var ucs2: Data?
    var segment: Segment?

    func sms() throws(ServiceError) -> MediaService.ReceivedSMS {
      guard let text, ucs2 == nil else {
        throw ServiceError(
          .invalidRequest, "A whole SMS needs `text` and must not have `ucs2`; `ucs2` is for a segment.")
      }
      return MediaService.ReceivedSMS(from: from, text: text, time: time)
    }

    /// The segment with its text; nil for a whole SMS.
    func wholeSegment() throws(ServiceError) -> MediaService.SMSSegment? {
      guard let segment else { return nil }
      let bytes = [UInt8](ucs2 ?? Data())
      guard (text == nil) != (ucs2 == nil), bytes.count.isMultiple(of: 2) else {
        throw ServiceError(.invalidRequest, "A segment needs `text`, or `ucs2` with an even number of bytes.")
      }
      let units = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
      return MediaService.SMSSegment(
        from: from, text: text.map { Array($0.utf16) } ?? units, time: time, reference: segment.reference,
        number: segment.number, of: segment.count)
    }
  }

  /// Ids alone: a client reads the message if it shows it.
  private struct Stored: Encodable {
    var id: String
    var thread: String

    init(_ message: MediaService.MessageAnswer) { (id, thread) = (message.id, message.thread) }

    /// 201 with the address of the message; 204 for one that was deleted.
    static func response(_ message: MediaService.MessageAnswer?) throws -> Response {
      guard let message else { return Response(status: .noContent) }
      return try JSONAnswer.response(
        Stored(message), status: .created, headers: [.location: "/v1/messages/\(message.id)"])
    }
  }

  private struct Report: Decodable {
    var reference: String
    var to: String
    var status: MediaService.SMSDelivery
  }
}
