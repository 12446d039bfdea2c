internal import Dispatch
internal import MediaServer
internal import RawHTTP
internal import Testing

@testable internal import MediaService

@Suite("Commits whose client closes its connection") struct LostCommitTests {
  /// Where a commit is when its client leaves.
  enum Point: CaseIterable {
    /// It waits for its turn: nothing is stored.
    case beforeTheMessage
    /// The message is stored, and the answer for its idempotency key is not.
    case afterTheMessage
  }

  /// Keeps a commit from getting beyond a point.
  /// - Returns: What lets it continue.
  private func hold(_ point: Point, _ service: MediaService, turn: String) async -> @Sendable () -> Void {
    let gate = Gate()
    switch point {
    case .beforeTheMessage:
      _ = Task {
        try await service.draftTurns.take(turn) { () async throws(ServiceError) in
          gate.enter()
          await gate.opened()
        }
      }
      await gate.entered()
      return { gate.open() }
    case .afterTheMessage:
      let opened = DispatchSemaphore(value: 0)
      _ = Task {
        try await service.database.write { _ in
          gate.enter()
          opened.wait()
        }
      }
      await gate.entered()
      return { opened.signal() }
    }
  }

  /// Waits for an event, until the test is cancelled.
  private func wait(_ condition: () async throws -> Bool) async throws {
    while try await !condition() {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  /// The answer to a request that is repeated while another connection is open, and while the first request of its key runs.
  private func patient(
    _ server: TestServer, _ method: String, _ path: String, _ fields: [String: String] = [:], body: [UInt8]? = nil
  ) async throws -> RawResponse {
    while true {
      try Task.checkCancellation()
      let answer = try? await server.request(method, path, fields, body: body)
      if let answer, ![409, 503].contains(answer.status) { return answer }
    }
  }

  @Test(
    "a repetition gets the message that the commit made, or makes it, and there is one", .timeLimit(.minutes(5)),
    arguments: Point.allCases)
  func closed(_ point: Point) async throws {
    let caller = Caller(owner: "me")
    // A second connection is admitted when the server has seen the end of the first.
    try await TestServer.start(configure: { $0.connections.count = 1 }) { server in
      let service = server.service
      let client = try await server.connect()
      let draft = "{\"to\":[\"+49301234567\"],\"content\":[{\"text\":\"Hello\"}]}"
      let made = try await client.request(
        "POST", "/v1/threads", ["Content-Type": "application/json"], body: Array(draft.utf8))
      let path = try #require(made["Location"])
      let id = try #require(path.split(separator: "/").last.map(String.init))
      let turn = MediaService.turn(try MediaService.thread(id), caller)

      let release = await hold(point, service, turn: turn)
      // Also after a failure: the server waits for what is held when it stops.
      defer { release() }
      try await client.send(
        "POST \(path)/draft/commit HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: k\r\nContent-Length: 0\r\n\r\n")
      switch point {
      case .beforeTheMessage: try await wait { await service.draftTurns.waitingCount(turn) > 0 }
      case .afterTheMessage:
        try await wait { try await !service.messages(inThread: id, of: caller).messages.isEmpty }
      }
      client.reset()
      #expect(try await patient(server, "GET", "/healthz").status == 200)
      let stored = try await service.messages(inThread: id, of: caller).messages.map(\.id)
      #expect(stored.count == (point == .beforeTheMessage ? 0 : 1))
      release()

      let key = ["Idempotency-Key": "k"]
      let first = try await patient(server, "POST", "\(path)/draft/commit", key, body: [])
      #expect(first.status == 201)
      let again = try await patient(server, "POST", "\(path)/draft/commit", key, body: [])
      #expect(again.status == 201)
      #expect(again["Location"] == first["Location"])
      let messages = try await service.messages(inThread: id, of: caller).messages.map(\.id)
      #expect(messages.count == 1)
      #expect(first["Location"] == messages.first.map { "/v1/messages/\($0)" })
      #expect(stored.isEmpty || stored == messages)
      let transactions = [first, again].map { answer in
        (answer.json["requests"] as? [[String: Any]])?.map { $0["transactionID"] as? String }
      }
      #expect(transactions[0]?.count == 1)
      #expect(transactions[0] == transactions[1])
    }
  }
}
