internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

@Suite("mediatool serve: TLS and HTTP/2", .serialized) struct EncryptionTests {
  private static func serving(
    _ body: (_ folder: TemporaryFolder, _ port: Int) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let certificate = try Certificate(in: folder, name: "first")
    try await ServerProgram.serving(
      folder.path("library"), ["--tls-certificate", certificate.file, "--tls-key", certificate.key]
    ) { _, port in try await body(folder, port) }
  }

  /// What curl wrote on standard output.
  private static func curl(_ folder: TemporaryFolder, _ arguments: [String]) async throws -> String {
    let certificate = folder.path("first.pem")
    return String(
      decoding: try await onThread {
        try Tool("curl", package: "curl").output(
          ["--silent", "--show-error", "--cacert", certificate] + arguments, seconds: 3_600)
      }, as: UTF8.self)
  }

  @Test("A client gets the protocol that it offers, and none without TLS 1.2 or later")
  func protocols() async throws {
    try await Self.serving { folder, port in
      let address = "https://localhost:\(port)/healthz"
      for (flag, version) in [("--http2", "2"), ("--http1.1", "1.1")] {
        let text = try await Self.curl(folder, [flag, "--write-out", " %{http_version}", address])
        #expect(text == #"{"status":"alive"} \#(version)"#)
      }
      let old = try await onThread {
        try Tool("openssl", package: "openssl").run(
          ["s_client", "-connect", "127.0.0.1:\(port)", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0"], seconds: 3_600)
      }
      #expect(old.status != 0)
    }
  }

  @Test("Over HTTP/2 a file is uploaded and read again, in ranges too")
  func uploads() async throws {
    try await Self.serving { folder, port in
      let photo = Fixture.path("camera-roll/IMG_0001.jpg")
      let answer = try await Self.curl(
        folder, ["--http2", "--data-binary", "@\(photo)", "https://localhost:\(port)/v1/attachments"])
      let json = try #require(try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])
      let original = "https://localhost:\(port)/v1/attachments/\(json["id"] as? String ?? "")/original"
      let read = folder.path("read")
      _ = try await Self.curl(folder, ["--http2", "--range", "0-99", "--output", read, original])
      _ = try await Self.curl(folder, ["--http2", "--range", "100-", "--output", read + "2", original])
      let bytes = try Data(contentsOf: URL(fileURLWithPath: read)) + Data(contentsOf: URL(fileURLWithPath: read + "2"))
      #expect(try [UInt8](bytes) == Fixture.bytes("camera-roll/IMG_0001.jpg"))
    }
  }

  /// A head that curl wrote, with names in lower case.
  private struct Head {
    let status: Int
    let fields: [String: String]

    init?(_ text: String) {
      let lines = text.split(whereSeparator: \.isNewline)
      guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
      self.status = status
      fields = Dictionary(
        lines.dropFirst().compactMap { line in
          line.firstIndex(of: ":").map { colon in
            (
              line[..<colon].lowercased(),
              line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            )
          }
        }
      ) { first, _ in first }
    }
  }

  @Test(
    "An upload that asks for it gets its address in a 104, at which it is continued",
    arguments: ["--http1.1", "--http2"])
  func interimAnswers(flag: String) async throws {
    try await Self.serving { folder, port in
      let address = "https://localhost:\(port)"
      let heads = try await Self.curl(
        folder,
        [
          flag, "--dump-header", "-", "--output", "/dev/null", "--header", "Expect:", "--header",
          "Content-Type: image/jpeg", "--header", "Upload-Complete: ?1", "--header",
          "Upload-Draft-Interop-Version: 6", "--data-binary", "@\(Fixture.path("camera-roll/IMG_0001.jpg"))",
          "\(address)/v1/attachments",
        ]
      ).replacing("\r\n", with: "\n").split(separator: "\n\n").compactMap { Head(String($0)) }
      #expect(heads.map(\.status) == [104, 201])
      let interim = try #require(heads.first)
      #expect(interim.fields["upload-draft-interop-version"] == "6")
      let location = try #require(interim.fields["location"])
      #expect(location.hasPrefix("/v1/uploads/"))
      let state = try await Self.curl(folder, [flag, "\(address)\(location)"])
      let json = try #require(try JSONSerialization.jsonObject(with: Data(state.utf8)) as? [String: Any])
      #expect(json["state"] as? String == "finished")
    }
  }

  @Test("h2load's streams are all answered, many on each connection")
  func load() async throws {
    guard let h2load = try? Tool("h2load", package: "nghttp2-client") else {
      print("skipped: h2load is not installed; install it with: apt-get install nghttp2-client")
      return
    }
    try await Self.serving { _, port in
      let report = String(
        decoding: try await onThread {
          try h2load.output(
            ["-n", "600", "-c", "6", "-m", "20", "https://127.0.0.1:\(port)/v1/tray"], seconds: 3_600)
        }, as: UTF8.self)
      #expect(report.contains("Application protocol: h2"))
      #expect(report.contains("600 succeeded, 0 failed, 0 errored, 0 timeout"), "\(report)")
      #expect(report.contains("600 2xx"), "\(report)")
    }
  }

  @Test("A new certificate is for new connections, and those that are open go on")
  func reload() async throws {
    let folder = try TemporaryFolder()
    // As Kubernetes has them: files in a folder behind a link, which is replaced.
    for name in ["one", "two"] { try folder.write([], to: "\(name)/empty") }
    let one = try Certificate(in: folder, name: "one/tls")
    let two = try Certificate(in: folder, name: "two/tls")
    try FileManager.default.createSymbolicLink(atPath: folder.path("current"), withDestinationPath: "one")
    try FileManager.default.createSymbolicLink(atPath: folder.path("next"), withDestinationPath: "two")
    let files = ["--tls-certificate", folder.path("current/tls.pem"), "--tls-key", folder.path("current/tls.key")]
    try await ServerProgram.serving(folder.path("library"), files) { program, port in
      #expect(try await Certificate.serial(port: port) == one.serial)
      let address = "https://localhost:\(port)/v1"
      let stream = try LiveProgram(
        ["curl", "--silent", "--no-buffer", "--cacert", one.file, "\(address)/tray/events"])
      #expect(await stream.output.has(": connected"))
      #expect(rename(folder.path("next"), folder.path("current")) == 0)
      #expect(await program.live.errors.has("the TLS certificate was reloaded"))
      #expect(try await Certificate.serial(port: port) == two.serial)
      let photo = Fixture.path("camera-roll/IMG_0001.jpg")
      _ = try await onThread {
        try Tool("curl", package: "curl").output(
          ["--silent", "--show-error", "--cacert", two.file, "--data-binary", "@\(photo)", "\(address)/attachments"],
          seconds: 3_600)
      }
      #expect(await stream.output.has("event: added"), "\(stream.output.text)")
      stream.send(SIGTERM)
      _ = await stream.end()
    }
  }
}
