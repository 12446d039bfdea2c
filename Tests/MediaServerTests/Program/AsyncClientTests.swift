internal import AsyncHTTPClient
internal import Foundation
internal import NIOCore
internal import NIOHTTP1
internal import TestSupport
internal import Testing

@Suite("mediatool serve: async-http-client", .serialized) struct AsyncClientTests {
  private static func serving(_ body: (String) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    try await ServerProgram.serving(folder.path("library")) { _, port in try await body("http://127.0.0.1:\(port)") }
  }

  /// Sends a request; a busy machine may take as long as it needs.
  private static func send(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
    try await HTTPClient.shared.execute(request, timeout: .hours(1))
  }

  /// The bytes of a body in pieces, which are made while they are sent.
  private static func pieces(_ bytes: [UInt8]) -> AsyncStream<ByteBuffer> {
    AsyncStream { continuation in
      for start in stride(from: 0, to: bytes.count, by: 10_000) {
        continuation.yield(ByteBuffer(bytes: bytes[start..<min(start + 10_000, bytes.count)]))
      }
      continuation.finish()
    }
  }

  private static func json(_ response: HTTPClientResponse) async throws -> [String: Any] {
    let bytes = try await response.body.collect(upTo: 1_000_000)
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes.readableBytesView)) as? [String: Any])
  }

  @Test("A streamed body of known and of unknown length becomes an attachment, whose ranges are its bytes")
  func upload() async throws {
    try await Self.serving { address in
      for (number, isKnown) in [true, false].enumerated() {
        let text = UploadServer.text(300_000 + number)
        var request = HTTPClientRequest(url: address + "/v1/attachments")
        request.method = .POST
        request.body = .stream(Self.pieces(text), length: isKnown ? .known(Int64(text.count)) : .unknown)
        let created = try await Self.send(request)
        #expect(created.status == .created)
        let id = try #require(try await Self.json(created)["id"] as? String)
        var read = HTTPClientRequest(url: address + "/v1/attachments/\(id)/original")
        let whole = try await Self.send(read)
        #expect(try await whole.body.collect(upTo: 1_000_000) == ByteBuffer(bytes: text))
        read.headers.add(name: "Range", value: "bytes=1000-200999")
        let part = try await Self.send(read)
        #expect(part.status == .partialContent)
        #expect(try await part.body.collect(upTo: 1_000_000) == ByteBuffer(bytes: text[1_000..<201_000]))
      }
    }
  }

  @Test("A tus upload in pieces is continued where it stopped")
  func tus() async throws {
    try await Self.serving { address in
      let text = UploadServer.text(100_000)
      var create = HTTPClientRequest(url: address + "/v1/uploads")
      create.method = .POST
      create.headers = ["Tus-Resumable": "1.0.0", "Upload-Length": "\(text.count)"]
      let created = try await Self.send(create)
      #expect(created.status == .created)
      let location = try #require(created.headers.first(name: "Location"))
      for start in stride(from: 0, to: text.count, by: 40_000) {
        var patch = HTTPClientRequest(url: address + location)
        patch.method = .PATCH
        patch.headers = [
          "Tus-Resumable": "1.0.0", "Upload-Offset": "\(start)", "Content-Type": "application/offset+octet-stream",
        ]
        patch.body = .stream(Self.pieces(Array(text[start..<min(start + 40_000, text.count)])), length: .unknown)
        let answer = try await Self.send(patch)
        #expect(answer.status == .noContent)
        #expect(answer.headers.first(name: "Upload-Offset") == "\(min(start + 40_000, text.count))")
      }
    }
  }

  @Test("Events of the tray arrive while the stream stays open, and leaving it frees its place")
  func events() async throws {
    try await Self.serving { address in
      var served = 0
      // More often than an owner may have streams.
      for number in 0..<10 {
        let stream = try await Self.send(HTTPClientRequest(url: address + "/v1/tray/events"))
        guard stream.status == .ok else {
          // The place of the one before is freed when the server has noticed.
          #expect(stream.status == .tooManyRequests)
          continue
        }
        served += 1
        #expect(stream.headers.first(name: "Content-Type") == "text/event-stream")
        var request = HTTPClientRequest(url: address + "/v1/attachments")
        request.method = .POST
        request.body = .bytes(ByteBuffer(bytes: try Fixture.bytes("camera-roll/IMG_000\(1 + number % 4).jpg")))
        let id = try #require(try await Self.json(try await Self.send(request))["id"] as? String)
        var text = ""
        for try await piece in stream.body {
          text += String(buffer: piece)
          if text.contains("\"\(id)\"") { break }
        }
        #expect(text.contains("\"\(id)\""))
      }
      #expect(served > 0)
    }
  }
}
