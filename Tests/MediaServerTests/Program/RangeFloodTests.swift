internal import Foundation
internal import RawHTTP
internal import TestSupport
internal import Testing

@Suite("mediatool serve: floods of ranges", .serialized) struct RangeFloodTests {
  /// A server with one text of a megabyte.
  private static func serving(_ body: (Int, String, [UInt8]) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    try await ServerProgram.serving(folder.path("library"), ["--rate", "1000000", "--burst", "1000000"]) { _, port in
      let text = UploadServer.text(1_000_000)
      let connection = try await RawConnection(port: port)
      defer { connection.close() }
      let created = try await connection.request("POST", "/v1/attachments", body: text)
      try await body(port, "/v1/attachments/\(try #require(created.json["id"] as? String))/original", text)
    }
  }

  @Test("No range makes an answer larger than the file, whatever it asks for")
  func shapes() async throws {
    try await Self.serving { port, original, text in
      let connection = try await RawConnection(port: port)
      defer { connection.close() }
      let many = (0..<3_000).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ",")
      let overlapping = [String](repeating: "0-", count: 3_000).joined(separator: ",")
      let suffixes = [String](repeating: "-999999", count: 2_000).joined(separator: ",")
      for range in [
        many, overlapping, suffixes, "0-,0-", "5-1", "--5", "0-9,", ",0-9", "a-b", "1-2-3", "0x1-0x2", "+1-2",
      ] {
        let answer = try await connection.request("GET", original, ["Range": "bytes=\(range)"])
        #expect(answer.status == 200, "\(range.prefix(40))")
        #expect(answer.body == text, "\(range.prefix(40))")
      }
      let huge = String(repeating: "9", count: 5_000)
      let all = try await connection.request("GET", original, ["Range": "bytes=0-\(huge)"])
      #expect(all.status == 206)
      #expect(all.body == text)
      #expect(try await connection.request("GET", original, ["Range": "bytes=-\(huge)"]).body == text)
      for range in ["\(huge)-", "1000000-", "-0"] {
        let answer = try await connection.request("GET", original, ["Range": "bytes=\(range)"])
        #expect(answer.status == 416, "\(range.prefix(40))")
        #expect(answer["Content-Range"] == "bytes */1000000", "\(range.prefix(40))")
      }
    }
  }

  @Test("A head with 20,000 ranges is refused, and the next connection is served")
  func tooLong() async throws {
    try await Self.serving { port, original, text in
      let ranges = (0..<20_000).map { "\($0)-\($0)" }.joined(separator: ",")
      let connection = try await RawConnection(port: port)
      // The server may close the connection while the head is being sent.
      let answer = try? await connection.request("GET", original, ["Range": "bytes=\(ranges)"])
      #expect(answer.map { [400, 431].contains($0.status) } ?? true)
      connection.close()
      let next = try await RawConnection(port: port)
      #expect(try await next.request("GET", original, ["Range": "bytes=0-9"]).body == Array(text[..<10]))
      next.close()
    }
  }

  @Test("Thousands of ranges at once are each the right bytes, and clients that leave in the middle hold nobody up")
  func load() async throws {
    try await Self.serving { port, original, text in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for client in 0..<20 {
          group.addTask {
            let connection = try await RawConnection(port: port)
            defer { connection.close() }
            for number in 0..<100 {
              let start = (client * 7_919 + number * 104_729) % 900_000
              let answer = try await connection.request(
                "GET", original, ["Range": "bytes=\(start)-\(start + 9_999)"])
              #expect(answer.status == 206)
              #expect(answer.body.elementsEqual(text[start..<(start + 10_000)]))
            }
          }
          group.addTask {
            for _ in 0..<20 {
              let head = "GET \(original) HTTP/1.1\r\nHost: localhost\r\nRange: bytes=1-\r\n\r\n"
              let connection = try await RawConnection(port: port, receiveBuffer: 4_096, sending: Array(head.utf8))
              #expect(try await connection.readHead().status == 206)
              connection.reset()
            }
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
