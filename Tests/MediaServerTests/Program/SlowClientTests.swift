internal import Foundation
internal import Glibc
internal import RawHTTP
internal import TestSupport
internal import Testing

@Suite("mediatool serve: thousands of slow and idle clients", .serialized) struct SlowClientTests {
  private static let isFull = ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1"

  @Test("slowhttptest's heads, bodies, ranges and slow readers hold nobody up")
  func slow() async throws {
    guard let tool = try? Tool("slowhttptest", package: "slowhttptest") else {
      print("skipped: slowhttptest is not installed; install it with: apt-get install slowhttptest")
      return
    }
    let folder = try TemporaryFolder()
    try await ServerProgram.serving(folder.path("library"), ["--rate", "1000000", "--burst", "1000000"]) { _, port in
      let photo = try UploadServer.photo()
      let connection = try await RawConnection(port: port)
      let created = try await connection.request("POST", "/v1/attachments", body: photo)
      let original = "/v1/attachments/\(created.json["id"] as? String ?? "")/original"
      let address = "http://127.0.0.1:\(port)"
      let attacks = [
        ["-H", "-u", address + "/v1/tray"], ["-B", "-s", "1000000", "-u", address + "/v1/attachments"],
        ["-R", "-u", address + original, "-a", "1", "-b", "3000"],
        ["-X", "-k", "3", "-w", "1", "-y", "16", "-n", "5", "-z", "4", "-u", address + original],
      ]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for attack in attacks {
          group.addTask {
            _ = try await onThread {
              try tool.run(["-c", "150", "-r", "100", "-i", "5", "-l", "20"] + attack, seconds: 3_600)
            }
          }
        }
        // Each on a connection of its own, while they run and afterwards.
        for _ in 0..<40 { try await Self.expectAnswer(original, photo, port) }
        try await group.waitForAll()
      }
      try await Self.expectAnswer(original, photo, port)
    }
  }

  private static func expectAnswer(_ target: String, _ bytes: [UInt8], _ port: Int) async throws {
    let answer = try await RawConnection.request(port: port, "GET", target)
    #expect(answer.status == 200)
    #expect(answer.body == bytes)
  }

  @Test("Idle connections cost little memory, and others are served beside them")
  func idle() async throws {
    let count = Self.isFull ? 10_000 : 1_000
    let folder = try TemporaryFolder()
    try await ServerProgram.serving(
      folder.path("library"), ["--max-connections", "20000", "--rate", "1000000", "--burst", "1000000"]
    ) { program, port in
      let connection = try await RawConnection(port: port)
      #expect(try await connection.request("GET", "/v1/tray").status == 200)
      let before = try Self.memory(program)
      // In a process of its own: Foundation waits for its children with `select`, which knows 1,024 descriptors.
      let clients = try LiveProgram(
        ["prlimit", "--nofile=20000:20000", "python3", "-c", Self.clients, "\(port)", "\(count)"])
      guard await clients.output.has("connected") else {
        print("skipped: no process may have so many connections: \(clients.errors.text)")
        return
      }
      let fresh = try await RawConnection(port: port)
      #expect(try await fresh.request("GET", "/v1/tray").status == 200)
      let after = try Self.memory(program)
      clients.send(SIGTERM)
      print("\(count) idle connections: \(before / 1_024) MiB before, \(after / 1_024) MiB after")
      // Four times what was measured, 15 KiB.
      #expect((after - before) / count < 64, "\(before) KiB, then \(after) KiB")
    }
  }

  /// KiB of memory of the server, without its workers.
  private static func memory(_ program: ServerProgram) throws -> Int {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(program.live.process)/status"))
    let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return try #require(line?.split(separator: " ").compactMap { Int($0) }.first)
  }

  private static let clients = """
    import socket, sys, time
    sockets = [socket.create_connection(('127.0.0.1', int(sys.argv[1]))) for _ in range(int(sys.argv[2]))]
    print('connected', flush=True)
    sys.stdin.read()
    """
}
