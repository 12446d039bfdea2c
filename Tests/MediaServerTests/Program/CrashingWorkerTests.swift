internal import Foundation
internal import Glibc
internal import RawHTTP
internal import TestSupport
internal import Testing

@Suite("mediatool serve: workers that are killed under load", .serialized) struct CrashingWorkerTests {
  private static let isFull = ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1"
  private static let clients = 8
  private static let requests = isFull ? 100 : 12

  /// The workers of a server: its children of that name.
  private static func workers(of server: pid_t) -> [pid_t] {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(server)/task")) ?? []
    let children = tasks.flatMap { task in
      (try? String(contentsOfFile: "/proc/\(server)/task/\(task)/children", encoding: .utf8))?
        .split(separator: " ").compactMap { pid_t($0) } ?? []
    }
    return children.filter { child in
      (try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8))?.hasPrefix("mediatool-worke") == true
    }
  }

  @Test("Every request gets an answer with a stable code, the server is ready again, and no file counts as damaged")
  func kills() async throws {
    let folder = try TemporaryFolder()
    try await ServerProgram.serving(
      folder.path("library"), ["--workers", "2", "--rate", "1000000", "--burst", "1000000"]
    ) { program, port in
      // Each on a connection of its own: the server closes one that rests, and a slow machine takes minutes for the load.
      @Sendable func request(_ method: String, _ target: String, body: [UInt8]? = nil) async throws -> RawResponse {
        try await RawConnection.request(port: port, method, target, body: body)
      }
      let photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
      let created = try await request("POST", "/v1/attachments", body: photo)
      let id = try #require(created.json["id"] as? String)
      // Each another part of the image, which nobody has made before.
      let targets = (0..<Self.clients).map { client in
        (0..<Self.requests).map { "/v1/attachments/\(id)/renditions/64-x\($0)y\(client)w100h100.webp" }
      }
      let killed = Counted()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for targets in targets {
          group.addTask {
            let connection = try await RawConnection(port: port)
            defer { connection.close() }
            for (number, target) in targets.enumerated() {
              // Every third request of a client comes with the death of a worker.
              if number % 3 == 0, let worker = Self.workers(of: program.live.process).randomElement() {
                kill(worker, SIGKILL)
                killed.add(1)
              }
              let answer = try await connection.request("GET", target)
              switch answer.status {
              case 200: #expect(answer["Content-Type"] == "image/webp")
              case 503:
                #expect(answer.json["code"] as? String == "busy")
                #expect(answer["Retry-After"] != nil)
              case 422: #expect(answer.json["code"] as? String == "unavailable", "\(answer.text)")
              default: Issue.record("\(target): \(answer.status) \(answer.text)")
              }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(killed.sum > 0)
      // However long new workers take to start here.
      while try await request("GET", "/readyz").status != 200 {
        try #require(kill(program.live.process, 0) == 0, "The server has ended.")
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(try await request("GET", "/v1/attachments/\(id)").json["error"] == nil)
      for target in targets.map({ $0[0] }) {
        #expect(try await request("GET", target).status == 200)
      }
    }
  }
}
