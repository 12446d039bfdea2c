internal import FileSupport
internal import Hummingbird
internal import MalwareScanning
internal import MediaService
internal import NIOCore
internal import RawHTTP
internal import Testing

@testable internal import MediaServer

@Suite struct StoppingTests {
  @Test func `A graceful stop finishes running requests, and closes idle connections`() async throws {
    let gate = Gate()
    try await TestServer.start(configure: {
      $0.shutdownSeconds = 3_600
      $0.addRoutes = { router in
        router.get("/v1/slow") { _, _ in
          gate.enter()
          await gate.opened()
          return "done"
        }
      }
    }) { server in
      let idle = try await server.connect()
      #expect(try await idle.request("GET", "/healthz").status == 200)
      let busy = try await server.connect()
      try await busy.send("GET /v1/slow HTTP/1.1\r\nHost: localhost\r\n\r\n")
      await gate.entered()
      await server.stop()
      #expect(try await idle.waitForEnd() == .closed)
      gate.open()
      #expect(try await busy.readResponse().text == "done")
      #expect(try await busy.waitForEnd() == .closed)
    }
  }

  @Test func `A request that never ends is closed at the bound of a graceful stop`() async throws {
    let gate = Gate()
    try await TestServer.start(configure: {
      $0.shutdownSeconds = 0.2
      $0.addRoutes = { router in
        router.get("/v1/endless") { _, _ in
          Response(
            status: .ok,
            body: ResponseBody { writer in
              gate.enter()
              while true {
                try await writer.write(ByteBuffer(string: "."))
                try await Task.sleep(for: .milliseconds(5))
              }
            })
        }
      }
    }) { server in
      let connection = try await server.connect()
      try await connection.send("GET /v1/endless HTTP/1.1\r\nHost: localhost\r\n\r\n")
      await gate.entered()
      await server.stop()
      _ = try await connection.waitForEnd()
    }
  }

  @Test func `Before the listener closes, the server says that it is not ready`() async throws {
    // Longer than any machine needs; the test cuts it short.
    try await TestServer.start(configure: { ($0.drainSeconds, $0.shutdownSeconds) = (3_600, 7_200) }) { server in
      let connection = try await server.connect()
      #expect(try await connection.request("GET", "/readyz").text == #"{"status":"ready"}"#)
      await server.stop()
      var answer = try await connection.request("GET", "/readyz")
      while answer.status == 200 { answer = try await connection.request("GET", "/readyz") }
      #expect(answer.status == 503)
      #expect(answer["Retry-After"] == "5")
      #expect(answer.text == #"{"reasons":["stopping"],"status":"notReady"}"#)
      #expect(try await connection.request("GET", "/healthz").status == 200)
      server.cancel()
    }
  }

  @Test func `Draining leaves at least half of the time of a stop to requests, unless a setting states it`()
    async throws
  {
    var configuration = MediaServer.Configuration()
    #expect(configuration.drainTime == 0)
    configuration.keys = try Tokens.keys()
    #expect(configuration.drainTime == 5)
    configuration.shutdownSeconds = 5
    #expect(configuration.drainTime == 2.5)
    configuration.drainSeconds = 4
    #expect(configuration.drainTime == 4)
    let stated = configuration
    try await TestServer.start { server in
      #expect(throws: Never.self) { try MediaServer(server.service, stated) }
      var refused = stated
      refused.drainSeconds = 5
      let wrong = refused
      #expect(throws: MediaServer.StartFailure.self) { try MediaServer(server.service, wrong) }
    }
  }

  @Test func `A full disk is a reason to get no requests`() async throws {
    try await TestServer.start(serving: { $0.limits.freeBytes = .max }) { server in
      let answer = try await server.request("GET", "/readyz")
      #expect(answer.status == 503)
      #expect(answer.text == #"{"reasons":["disk"],"status":"notReady"}"#)
      #expect(try await server.request("GET", "/healthz").status == 200)
    }
  }
}

/// A scanner that never answers.
private struct AbsentScanner: MalwareScanner {
  func scan(_ path: PathBytes) async -> MalwareScan { MalwareScan(.unscannable(.scannerError), isAway: true) }

  func status() async -> MalwareScan.ScannerStatus { MalwareScan.ScannerStatus(isUp: false) }
}

extension StoppingTests {
  @Test func `A scanner that is away while uploads are held is a warning of a server that is ready`() async throws {
    try await TestServer.start(serving: { $0.scanning = MediaService.Scanning(AbsentScanner()) }) { server in
      let connection = try await server.connect()
      // The service asks the scanner at its start.
      var answer = try await connection.request("GET", "/readyz")
      while answer.text == #"{"status":"ready"}"# { answer = try await connection.request("GET", "/readyz") }
      #expect(answer.status == 200)
      #expect(answer.text == #"{"status":"ready","warnings":["scanner"]}"#)
    }
  }
}

/// Lets a route wait for its test, and the test for the route.
final class Gate: Sendable {
  private let inside = AsyncStream<Void>.makeStream()
  private let outside = AsyncStream<Void>.makeStream()

  func enter() { inside.continuation.finish() }
  func open() { outside.continuation.finish() }
  func entered() async { for await _ in inside.stream {} }
  func opened() async { for await _ in outside.stream {} }
}
