internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import MediaLibrary
internal import MediaModel
internal import NIOCore
internal import Synchronization
internal import Testing

@testable internal import MediaServer
@testable internal import MediaService

@Suite("Reviews of uploads over HTTP") struct HTTPReviewTests {
  private static let question = MediaService.ReviewQuestion(
    owner: "ada", name: "beach.jpg", info: MediaInfo(type: .jpeg, bytes: 5), path: "/secret/path")

  @Test(
    "A decision is 200 with JSON that names it; any other response is an error",
    arguments: [
      (200, #"{"decision":"allow"}"#, .allow), (200, #"{"decision":"refuse","reason":"no"}"#, .refuse(reason: "no")),
      (200, #"{"decision":"hold"}"#, .hold(reason: "")), (200, #"{"decision":"maybe"}"#, nil), (200, "", nil),
      (200, "[]", nil), (204, "", nil), (201, #"{"decision":"allow"}"#, nil), (302, #"{"decision":"allow"}"#, nil),
      (403, #"{"decision":"refuse"}"#, nil), (500, "", nil),
    ] as [(Int, String, MediaService.ReviewAnswer?)])
  func decisions(status: Int, body: String, expected: MediaService.ReviewAnswer?) async throws {
    let asked = Mutex<[String]>([])
    let answer = try await Self.withApplication { request in
      let bytes = try await request.body.collect(upTo: 65_536)
      asked.withLock {
        $0.append("\(request.method.rawValue) \(request.headers[.authorization] ?? "") \(String(buffer: bytes))")
      }
      return Response(
        status: .init(code: status), headers: [.location: "/ask"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: body)))
    } _: { review in
      try? await review.answer(Self.question)
    }
    #expect(answer == expected)
    let seen = asked.withLock { $0 }
    #expect(seen.count == 1)
    #expect(seen.first?.hasPrefix("POST Bearer t0ken {") == true)
    #expect(seen.first?.contains(#""name":"beach.jpg","owner":"ada""#) == true)
    #expect(seen.first?.contains("secret") == false)
  }

  @Test("A question about a note has the moment as it would be, and no file") func moment() async throws {
    let asked = Mutex<[String]>([])
    let question = MediaService.ReviewQuestion(
      owner: "ada", moment: MediaService.ReviewedMoment(kind: .note, title: nil, caption: "Rain", visibility: .public))
    let answer = try await Self.withApplication { request in
      let bytes = try await request.body.collect(upTo: 65_536)
      asked.withLock { $0.append(String(buffer: bytes)) }
      return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"decision":"allow"}"#)))
    } _: { review in
      try? await review.answer(question)
    }
    #expect(answer == .allow)
    let json = #"{"moment":{"caption":"Rain","kind":"note","visibility":"public"},"owner":"ada"}"#
    #expect(asked.withLock { $0 } == [json])
  }

  @Test("An application that is not there is no answer") func nobody() async throws {
    // Port 1 is reserved, and nobody listens there.
    let review = HTTPReview(url: "http://127.0.0.1:1/ask")
    await #expect(throws: (any Error).self) { _ = try await review.answer(Self.question) }
    try await review.shutdown()
  }

  /// Runs an application that answers at `/ask`, and a review that asks it.
  private static func withApplication<Value: Sendable>(
    _ answer: @escaping @Sendable (Request) async throws -> Response, _ body: (HTTPReview) async throws -> Value
  ) async throws -> Value {
    // However busy this machine is.
    try await CallbackApplication.run({ HTTPReview(url: $0, token: "t0ken", patience: .minutes(10)) }, answer, body)
  }
}
