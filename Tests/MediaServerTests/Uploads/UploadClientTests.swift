internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediaServer

/// Clients that others wrote.
@Suite("Clients of uploads") struct UploadClientTests {
  @Test("curl uploads a file as the body, and as a form")
  func curl() async throws {
    let curl = try Tool("curl", package: "curl")
    try await UploadServer.start { server in
      let photo = Fixture.path("camera-roll/IMG_0001.jpg")
      for arguments in [["--data-binary", "@\(photo)"], ["--form", "file=@\(photo)"]] {
        let address = "http://127.0.0.1:\(server.port)/v1/attachments"
        let output = try await Self.run(curl, ["--silent", "--show-error", "--fail-with-body", address] + arguments)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(output)) as? [String: Any])
        #expect(try await server.original(try #require(json["id"] as? String)) == UploadServer.photo())
      }
    }
  }

  @Test("tuspy uploads a file in pieces, and resumes one that was interrupted")
  func tuspy() async throws {
    guard let python = PythonTools.python(for: "tuspy") else { return }
    try await UploadServer.start { server in
      let text = UploadServer.text(1_000_000)
      let file = try server.folder.write(text, to: "text.txt")
      let script = """
        import sys
        from tusclient import client
        tus = client.TusClient(sys.argv[1])
        first = tus.uploader(sys.argv[2], chunk_size=100_000, metadata={'filename': 'text.txt'}, upload_checksum=True)
        first.upload(stop_at=300_000)
        second = tus.uploader(sys.argv[2], chunk_size=250_000, url=first.url)
        assert second.offset == 300_000, second.offset
        second.upload()
        print(second.url)
        """
      let output = try await Self.run(python, ["-c", script, "http://127.0.0.1:\(server.port)/v1/uploads", file])
      let address = String(decoding: output, as: UTF8.self).split(separator: "/").last.map {
        $0.filter { !$0.isWhitespace }
      }
      let upload = try await server.request("GET", "/v1/uploads/\(address ?? "")").json
      #expect(upload["state"] as? String == "finished")
      let attachment = try #require(upload["attachment"] as? [String: Any])
      #expect(attachment["name"] as? String == "text.txt")
      #expect(try await server.original(try #require(attachment["id"] as? String)) == text)
    }
  }

  /// Runs a program on a thread of its own: the server runs on those of Swift's pool.
  private static func run(_ tool: Tool, _ arguments: [String]) async throws -> [UInt8] {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try tool.output(arguments) }) }
    }
  }
}
