internal import RawHTTP
internal import TestSupport
internal import Testing

@testable internal import MediaServer

@Suite("Interim answers") struct InterimAnswerTests {
  /// The statuses of the answers to an upload that asks for interim ones.
  private func statuses(
    version: String, _ setting: MediaServer.InterimResponses = .on
  ) async throws -> [Int] {
    try await TestServer.start(configure: { $0.interimResponses = setting }) { server in
      let photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
      let connection = try await server.connect()
      defer { connection.close() }
      let fields = [
        "Host: localhost", "Content-Type: image/jpeg", "Content-Length: \(photo.count)", "Upload-Complete: ?1",
        "Upload-Draft-Interop-Version: 6", "Expect: 100-continue",
      ]
      let head = "POST /v1/attachments HTTP/\(version)\r\n" + fields.joined(separator: "\r\n") + "\r\n\r\n"
      try await connection.send(Array(head.utf8) + photo)
      var statuses: [Int] = []
      while statuses.last ?? 100 < 200 { statuses.append(try await connection.readHead().status) }
      return statuses
    }
  }

  @Test("a client of HTTP/1.1 gets the address of its upload in a 104") func current() async throws {
    #expect(try await statuses(version: "1.1") == [104, 100, 201])
  }

  @Test(
    "without TLS a 104 is sent only if it is switched on: a proxy in front may break it",
    arguments: [
      MediaServer.InterimResponses.auto, .off,
    ])
  func withoutTLS(setting: MediaServer.InterimResponses) async throws {
    #expect(try await statuses(version: "1.1", setting) == [100, 201])
  }

  @Test("a client of HTTP/1.0 gets the final answer alone: it would take another for it") func old() async throws {
    #expect(try await statuses(version: "1.0") == [201])
  }
}
