internal import Foundation
internal import RawHTTP
internal import TestSupport
internal import Testing

@Suite("mediatool serve: behind nginx with the block of packaging/", .serialized) struct NginxTests {
  /// A server with keys behind nginx, as it is packaged.
  private struct Site: Sendable {
    let nginx: NginxProxy
    let folder: TemporaryFolder
    let certificate: Certificate
    let token = Tokens.field("ada")

    var library: String { folder.path("library") }

    /// A connection to nginx without TLS, whose requests have the name of the server.
    func connect() async throws -> RawConnection { try await RawConnection(port: nginx.plainPort) }

    func fields(_ more: [String: String] = [:]) -> [String: String] {
      token.merging(["Host": "media.example"]) { $1 }.merging(more) { $1 }
    }

    /// What curl wrote on standard output, over HTTP/2 to nginx.
    func curl(_ path: String, _ arguments: [String]) async throws -> String {
      let output = try await onThread {
        try Tool("curl", package: "curl").output(
          [
            "--silent", "--show-error", "--http2", "--insecure", "--resolve", "media.example:\(nginx.port):127.0.0.1",
            "https://media.example:\(nginx.port)\(path)",
          ] + arguments, seconds: 3_600)
      }
      return String(decoding: output, as: UTF8.self)
    }

    var authorization: String { "Authorization: \(token["Authorization"] ?? "")" }
  }

  private static func serving(_ body: (Site) async throws -> Void) async throws {
    if let obstacle = NginxProxy.obstacle {
      print("skipped: \(obstacle)")
      return
    }
    let folder = try TemporaryFolder()
    let certificate = try Certificate(in: folder, name: "tls")
    let secret = Data(Tokens.secret).base64EncodedString()
    let keys = """
      {"tokens": [{"kid": "test", "alg": "HS256", "secret": "\(secret)"}], "addresses": [{"id": "a", "secret": "\(secret)"}]}
      """
    let file = try folder.write(Array(keys.utf8), to: "keys.json")
    try await ServerProgram.serving(
      folder.path("library"), ["--keys", file, "--hosts", "media.example"]
    ) { _, port in
      let nginx = try await NginxProxy.start(to: port, certificate: certificate, in: folder)
      try await body(Site(nginx: nginx, folder: folder, certificate: certificate))
      await nginx.stop()
    }
  }

  @Test("A phone's upload over HTTP/2 is answered, though it asks for an interim answer, which nginx would break")
  func phone() async throws {
    try await Self.serving { site in
      let photo = Fixture.path("camera-roll/IMG_0001.jpg")
      let text = try await site.curl(
        "/v1/attachments",
        [
          "--header", site.authorization, "--header", "Upload-Draft-Interop-Version: 6", "--header",
          "Upload-Complete: ?1", "--data-binary", "@\(photo)", "--write-out", "\n%{http_version} %{http_code}",
        ])
      #expect(text.hasSuffix("\n2 201"), "\(text)")
    }
  }

  @Test(
    "Bytes of an upload reach the disk while it runs, and after a lost connection it goes on from there",
    arguments: [true, false])
  func resumes(isTus: Bool) async throws {
    try await Self.serving { site in
      let text = UploadServer.text(900_000)
      let own =
        isTus
        ? ["Tus-Resumable": "1.0.0"]
        : ["Upload-Draft-Interop-Version": "6", "Upload-Complete": "?0"]
      let first = try await site.connect()
      let created = try await first.request(
        "POST", "/v1/uploads", site.fields(own).merging(["Upload-Length": "\(text.count)"]) { $1 }, body: [])
      #expect(created.status == 201, "\(created.text)")
      // Relative, so it is right for whoever asks.
      let address = try #require(created["Location"])
      #expect(address.hasPrefix("/v1/uploads/"))
      let type = isTus ? "application/offset+octet-stream" : "application/partial-upload"
      var head = "PATCH \(address) HTTP/1.1\r\nUpload-Offset: 0\r\nContent-Type: \(type)\r\n"
      for (name, value) in site.fields(own.merging(isTus ? [:] : ["Upload-Complete": "?1"]) { $1 }) {
        head += "\(name): \(value)\r\n"
      }
      try await first.send(head + "Content-Length: \(text.count)\r\n\r\n")
      try await first.send(Array(text[..<400_000]))
      let part = "\(site.library)/uploads/\(address.split(separator: "/").last ?? "")"
      // A proxy that collects the whole body would pass nothing on, and this would never end. Not for all 400,000 bytes: the last ones are in buffers,
      // of which only those of the server are written when the rest does not come in time.
      while (try? FileManager.default.attributesOfItem(atPath: part)[.size] as? Int) ?? 0 == 0 {
        try await Task.sleep(for: .milliseconds(20))
      }
      first.reset()
      let second = try await site.connect()
      let state = try await second.request("HEAD", address, site.fields(own))
      let offset = try #require(state["Upload-Offset"].flatMap { Int($0) }, "\(state.status)")
      #expect(offset > 0)
      #expect(offset <= 400_000)
      var fields = site.fields(own).merging(["Upload-Offset": "\(offset)", "Content-Type": type]) { $1 }
      if !isTus { fields["Upload-Complete"] = "?1" }
      let last = try await second.request("PATCH", address, fields, body: Array(text[offset...]))
      #expect(last.status < 300, "\(last.text)")
      let upload = try await second.request("GET", address, site.fields())
      let id = try #require((upload.json["attachment"] as? [String: Any])?["id"] as? String, "\(upload.text)")
      #expect(try await second.request("GET", "/v1/attachments/\(id)/original", site.fields()).body == text)
    }
  }

  @Test("Ranges, signed URLs, events and problems come through as they are; pages of administrators do not")
  func answers() async throws {
    try await Self.serving { site in
      let photo = try UploadServer.photo()
      let stream = try await site.connect()
      var head = "GET /v1/tray/events HTTP/1.1\r\n"
      for (name, value) in site.fields() { head += "\(name): \(value)\r\n" }
      try await stream.send(head + "\r\n")
      _ = try await stream.read(through: ": connected")
      let connection = try await site.connect()
      let created = try await connection.request("POST", "/v1/attachments", site.fields(), body: photo)
      #expect(created.status == 201)
      _ = try await stream.read(through: "event: added")
      stream.close()
      let urls = try #require(created.json["urls"] as? [String: String])
      let original = try #require(urls["original"])
      #expect(original.contains("?e="))
      // The signature is enough, and another Host is not.
      let part = try await connection.request(
        "GET", original, ["Host": "media.example", "Range": "bytes=10-19"])
      #expect(part.status == 206)
      // Whoever reads by a signed URL gets the photo without its location.
      let stripped = try await connection.request("GET", original, ["Host": "media.example"]).body
      #expect(stripped.count < photo.count)
      #expect(part.body == Array(stripped[10..<20]))
      #expect(part["Content-Range"] == "bytes 10-19/\(stripped.count)")
      let grid = try #require(urls["grid"])
      let whole = try await connection.request("GET", grid, ["Host": "media.example"])
      #expect(whole.status == 200)
      let tag = try #require(whole["ETag"])
      let again = try await connection.request("GET", grid, ["Host": "media.example", "If-None-Match": tag])
      #expect(again.status == 304)
      #expect(try await connection.request("GET", grid, ["Host": "evil.example"]).status == 403)
      let missing = try await connection.request("GET", "/v1/attachments/999/original", site.fields())
      #expect(missing.status == 404)
      #expect(missing["Content-Type"] == "application/problem+json")
      #expect(missing["X-Request-ID"] != nil)
      for page in ["/metrics", "/readyz"] {
        #expect(try await connection.request("GET", page, site.fields()).status == 403, "\(page)")
      }
      #expect(try await connection.request("GET", "/healthz", site.fields()).status == 200)
    }
  }

  @Test("tuspy uploads through it, and resumes")
  func tuspy() async throws {
    guard let python = PythonTools.python(for: "tuspy through nginx") else { return }
    try await Self.serving { site in
      let file = try site.folder.write(UploadServer.text(1_000_000), to: "text.txt")
      let script = """
        import sys
        from tusclient import client
        headers = {'Authorization': sys.argv[3], 'Host': 'media.example'}
        tus = client.TusClient(sys.argv[1], headers=headers)
        first = tus.uploader(sys.argv[2], chunk_size=100_000, metadata={'filename': 'text.txt'}, upload_checksum=True)
        first.upload(stop_at=300_000)
        second = tus.uploader(sys.argv[2], chunk_size=250_000, url=first.url)
        assert second.offset == 300_000, second.offset
        second.upload()
        print(second.offset, end='')
        """
      let arguments = [
        "-c", script, "http://127.0.0.1:\(site.nginx.plainPort)/v1/uploads", file, site.token["Authorization"] ?? "",
      ]
      let output = try await onThread { try python.output(arguments, seconds: 3_600) }
      #expect(String(decoding: output, as: UTF8.self) == "1000000")
    }
  }
}
