internal import HTTPTypes
internal import Hummingbird
internal import MediaModel
internal import MediaService
internal import NIOCore

/// Multimedia messages as bodies of requests and answers.
enum MessagePDU {
  static let mediaType = "application/vnd.wap.mms-message"
  /// Octets of a PDU that is read: 8 MiB.
  static let limit = 8 * 1_048_576

  /// The octets of a body.
  /// - Throws: 413 for more than ``limit``.
  static func octets(of request: Request) async throws -> [UInt8] {
    func tooLarge(_ actual: Int) -> ServiceError {
      ServiceError(
        .tooLarge, "The message is larger than the limit of \(HumanNumbers.limit(limit)).",
        numbers: ["limit": limit, "actual": actual])
    }
    if let stated = request.headers[.contentLength].flatMap({ Int($0) }), stated > limit { throw tooLarge(stated) }
    var octets: [UInt8] = []
    for try await part in request.body {
      guard octets.count + part.readableBytes <= limit else { throw tooLarge(octets.count + part.readableBytes) }
      octets += part.readableBytesView
    }
    return octets
  }
}
