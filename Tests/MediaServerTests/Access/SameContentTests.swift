internal import Foundation
internal import MediaService
internal import RawHTTP
internal import TestSupport
internal import Testing

@testable internal import MediaServer

/// What an uploader learns of files that others have.
@Suite struct SameContentTests {
  @Test func `An upload of bytes that another owner has is read whole and answered as one that nobody has`()
    async throws
  {
    let registry = PrometheusRegistry()
    try await TestServer.start(
      configure: { $0.keys = try? Tokens.keys() }, serving: { $0.metrics = registry }
    ) { server in
      let photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
      var answers: [RawResponse] = []
      for owner in ["anna", "ben"] {
        let fields = Tokens.field(owner).merging(["Content-Type": "image/jpeg"]) { $1 }
        answers.append(try await server.request("POST", "/v1/attachments", fields, body: photo))
      }
      #expect(answers.map(\.status) == [201, 201])
      #expect(answers[0].json["id"] as? String != answers[1].json["id"] as? String)
      #expect(try Self.text(answers[0]) == Self.text(answers[1]))
      #expect(answers[0].fields.map(\.name).sorted() == answers[1].fields.map(\.name).sorted())
      #expect(registry.text().contains("mediatool_upload_bytes_total{protocol=\"single\"} \(2 * photo.count)\n"))
    }
  }

  /// The body of an answer without the id of its attachment.
  private static func text(_ answer: RawResponse) throws -> String {
    let id = try #require(answer.json["id"] as? String)
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
    let text = String(
      decoding: try JSONSerialization.data(withJSONObject: answer.json, options: options), as: UTF8.self)
    return text.replacing("\"\(id)\"", with: "\"ID\"").replacing("/\(id)/", with: "/ID/")
  }
}
