internal import Foundation
internal import Glibc
internal import RawHTTP
internal import TestSupport
internal import Testing

@Suite("mediatool serve: its end", .serialized) struct StopTests {
  @Test("SIGTERM ends streams and idle connections, and running requests are answered")
  func requests() async throws {
    let folder = try TemporaryFolder()
    let photo = try UploadServer.photo()
    let program = try ServerProgram([
      "--listen", "0", "--library", folder.path("library"), "--free-bytes", "0", "--workers", "1",
      "--shutdown-seconds", "600",
    ])
    let port = try await program.port()
    let idle = try await RawConnection(port: port)
    #expect(try await idle.request("GET", "/healthz").status == 200)
    let events = "GET /v1/tray/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let stream = try await RawConnection(port: port, sending: Array(events.utf8))
    _ = try await stream.read(through: ": connected")
    let upload = "POST /v1/attachments HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
    let running = try await RawConnection(
      port: port, sending: Array("\(upload)Content-Length: \(photo.count)\r\n\r\n".utf8))
    // The route reads.
    #expect(try await running.readHead().status == 100)
    try await running.send(photo)
    program.live.send(SIGTERM)
    #expect(try await idle.waitForEnd() == .closed)
    _ = try await stream.read(through: "\r\n0\r\n\r\n")
    #expect(try await running.readResponse().status == 201)
    let ending = await program.live.end()
    #expect(ending.status == 0, "\(ending.errors)")
  }

  @Test("An upload that does not end is cut at the bound, and goes on after the next start")
  func uploads() async throws {
    let folder = try TemporaryFolder()
    let library = folder.path("library")
    let text = UploadServer.text(600_000)
    let tus = ["Tus-Resumable": "1.0.0"]
    let piece = tus.merging(["Content-Type": "application/offset+octet-stream"]) { $1 }
    // Not `serving`, which sends a second SIGTERM: one that comes after the server has stopped listening to signals ends it with another status.
    let program = try ServerProgram([
      "--listen", "0", "--library", library, "--free-bytes", "0", "--workers", "1", "--shutdown-seconds", "1",
    ])
    let upload = try await RawConnection(port: try await program.port())
    let created = try await upload.request(
      "POST", "/v1/uploads", tus.merging(["Upload-Length": "\(text.count)"]) { $1 }, body: [])
    let address = try #require(created["Location"])
    let first = try await upload.request(
      "PATCH", address, piece.merging(["Upload-Offset": "0"]) { $1 }, body: Array(text[..<200_000]))
    #expect(first["Upload-Offset"] == "200000")
    // The rest of this one never comes.
    try await upload.send(
      "PATCH \(address) HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 200000\r\n"
        + "Content-Type: application/offset+octet-stream\r\nContent-Length: 400000\r\n\r\n")
    try await upload.send(Array(text[200_000..<300_000]))
    program.live.send(SIGTERM)
    _ = try await upload.waitForEnd()
    let ending = await program.live.end()
    #expect(ending.status == 0, "\(ending.errors)")
    try await ServerProgram.serving(library) { _, port in
      let connection = try await RawConnection(port: port)
      let head = try await connection.request("HEAD", address, tus)
      let offset = try #require(head["Upload-Offset"].flatMap { Int($0) })
      // What was acknowledged, and no more than was sent.
      #expect(200_000...300_000 ~= offset)
      let last = try await connection.request(
        "PATCH", address, piece.merging(["Upload-Offset": "\(offset)"]) { $1 }, body: Array(text[offset...]))
      #expect(last.status == 204)
      let original = try await connection.request("GET", "\(last["Content-Location"] ?? "")/original")
      #expect(original.body == text)
    }
  }

  @Test("While it drains, /readyz says 503 on new connections, and all other requests are answered")
  func drain() async throws {
    let folder = try TemporaryFolder()
    // Longer than any machine needs; the test cuts it short.
    let program = try ServerProgram([
      "--listen", "0", "--library", folder.path("library"), "--free-bytes", "0", "--workers", "1",
      "--drain-seconds", "599", "--shutdown-seconds", "600",
    ])
    let port = try await program.port()
    #expect(try await RawConnection.request(port: port, "GET", "/readyz").status == 200)
    program.live.send(SIGTERM)
    // Written when /readyz has changed.
    #expect(await program.live.errors.has("draining"))
    for _ in 0..<2 {
      #expect(try await RawConnection.request(port: port, "GET", "/readyz").status == 503)
      #expect(try await RawConnection.request(port: port, "GET", "/v1/owner").status == 200)
    }
    await program.kill()
  }

  @Test("With keys it drains for five seconds, unless the administrator states another time")
  func drainOfKeys() async throws {
    let folder = try TemporaryFolder()
    let keys = try folder.write(Array(StartTests.keys.utf8), to: "keys.json")
    let cases: [(arguments: [String], isDraining: Bool)] = [([], true), (["--drain-seconds", "0"], false)]
    for (arguments, isDraining) in cases {
      let program = try ServerProgram(
        ["--listen", "0", "--library", folder.path("library"), "--workers", "1", "--keys", keys] + arguments)
      _ = try await program.port()
      let ending = await program.stop()
      #expect(ending.status == 0, "\(ending.errors)")
      #expect(ending.errors.contains("seconds=5.0") == isDraining, "\(ending.errors)")
    }
  }

  @Test("SIGINT ends it as SIGTERM does")
  func interrupted() async throws {
    let folder = try TemporaryFolder()
    let program = try ServerProgram(["--listen", "0", "--library", folder.path("library"), "--workers", "1"])
    _ = try await program.port()
    program.live.send(SIGINT)
    let ending = await program.live.end()
    #expect(ending.status == 0, "\(ending.errors)")
  }
}
