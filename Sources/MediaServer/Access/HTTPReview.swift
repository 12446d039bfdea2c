internal import AsyncHTTPClient
internal import Foundation
internal import MediaService
internal import NIOCore
internal import NIOHTTP1

/// Asks an application over HTTP whether an upload or a moment may be shown, at one configured address.
///
/// docs/keys.md documents the callback. The question is `POST URL` with the owner, the name and the facts as JSON, and the moment if it is about one. The answer is 200 with `{"decision": "allow"}`, or `refuse` or `hold` with a
/// `reason`; anything else is no answer, and the file is held.
struct HTTPReview: Sendable {
  /// The answer was no decision.
  struct NoDecision: Error {
    let status: UInt
  }

  private struct Answer: Decodable {
    let decision: String
    let reason: String?
  }

  /// Bytes of an answer that are read.
  private static let maxBytes = 65_536

  private let url: String
  private let token: String?
  private let client: HTTPClient
  private let patience: TimeAmount

  /// Asks the application at an `http` or `https` URL.
  /// - Parameters:
  ///   - token: Sent as a bearer token. Default nil: none.
  ///   - patience: The time for a question and its answer, a fifth of which is for a connection. Default 5 s.
  init(url: String, token: String? = nil, patience: TimeAmount = .seconds(5)) {
    (self.url, self.token, self.patience) = (url, token, patience)
    var configuration = HTTPClient.Configuration()
    configuration.redirectConfiguration = .disallow
    configuration.timeout = .init(connect: .nanoseconds(patience.nanoseconds / 5), read: patience)
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  /// Ends the connections. Call it after the service was closed.
  func shutdown() async throws { try await client.shutdown() }

  /// The decision about a file or a moment.
  func answer(_ question: MediaService.ReviewQuestion) async throws -> MediaService.ReviewAnswer {
    var request = HTTPClientRequest(url: url)
    request.method = .POST
    request.headers.add(name: "Content-Type", value: "application/json")
    if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    request.body = .bytes(ByteBuffer(bytes: try encoder.encode(question)))
    let response = try await client.execute(request, timeout: patience)
    guard response.status == .ok else { throw NoDecision(status: response.status.code) }
    let body = try await response.body.collect(upTo: Self.maxBytes)
    let answer = try JSONDecoder().decode(Answer.self, from: Data(body.readableBytesView))
    switch answer.decision {
    case "allow": return .allow
    case "refuse": return .refuse(reason: answer.reason ?? "")
    case "hold": return .hold(reason: answer.reason ?? "")
    default: throw NoDecision(status: response.status.code)
    }
  }
}
