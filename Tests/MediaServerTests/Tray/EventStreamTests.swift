internal import Hummingbird
internal import MediaLibrary
internal import NIOCore
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import MediaServer
@testable internal import MediaService

@Suite("Server-sent events of the tray") struct EventStreamTests {
  /// What was written, and a wait for more.
  final class Collector: Sendable {
    private let state = Mutex((text: "", isFinished: false))
    var text: String { state.withLock { $0.text } }
    var isFinished: Bool { state.withLock { $0.isFinished } }
    func add(_ text: String) { state.withLock { $0.text += text } }
    func finish() { state.withLock { $0.isFinished = true } }

    /// The text once it contains another one.
    func text(with part: String) async -> String {
      while !text.contains(part) { await Task.yield() }
      return text
    }
  }

  private struct Writer: ResponseBodyWriter {
    let collector: Collector
    func write(_ buffer: ByteBuffer) async throws { collector.add(String(buffer: buffer)) }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws { collector.finish() }
  }

  /// Reads a stream while a test acts.
  private func reading(
    _ service: MediaService, after id: String? = nil, heartbeat: Duration = .seconds(3_600),
    _ act: (Collector) async throws -> Void
  ) async throws -> Collector {
    let events = try service.trayEvents(for: .alice, after: id)
    let collector = Collector()
    let body = EventStreamBody(events: events, heartbeat: heartbeat).body
    let task = Task { try await body.write(Writer(collector: collector)) }
    try await act(collector)
    events.end()
    try await task.value
    return collector
  }

  @Test("a stream begins with a comment and an id at once, and has events in the notation of the standard")
  func notation() async throws {
    let client = try await RouteClient()
    let collector = try await reading(client.service) { collector in
      let start = await collector.text(with: "\n\n")
      #expect(start.hasPrefix(": connected\nretry: 3000\nid: "))
      client.service.feed.publish(.removed([.init(rawValue: 7), .init(rawValue: 8)]), for: "alice")
      let text = await collector.text(with: "removed")
      #expect(text.hasSuffix("-1\nevent: removed\ndata: {\"ids\":[\"7\",\"8\"]}\n\n"))
    }
    #expect(collector.isFinished)
  }

  @Test("a reader continues after the last id it has seen, and after the tray it has read") func continues()
    async throws
  {
    let client = try await RouteClient()
    let tray = try await client.send(.get, "/v1/tray", as: .alice)
    guard case .string(let last) = tray["lastEvent"] else {
      Issue.record("no id")
      return
    }
    client.service.feed.publish(.removed([.init(rawValue: 7)]), for: "alice")
    _ = try await reading(client.service, after: last) { collector in
      let text = await collector.text(with: "event:")
      #expect(text.contains("id: \(last)\n"))
      #expect(text.contains("{\"ids\":[\"7\"]}"))
    }
    for id in ["1-0\nevent: forged", "x", "0-0"] {
      _ = try await reading(client.service, after: id) { collector in
        let text = await collector.text(with: "event:")
        #expect(text.contains("event: reset\ndata: {}\n\n"))
        #expect(!text.contains("forged"))
      }
    }
  }

  @Test("a quiet stream has comments, by which a lost connection is noticed") func heartbeat() async throws {
    let client = try await RouteClient()
    _ = try await reading(client.service, heartbeat: .milliseconds(1)) { collector in
      _ = await collector.text(with: "\n\n:\n\n:\n\n")
    }
  }

  @Test("a quiet stream has the ids of changes that it does not have, so that its reader does not fall behind them")
  func otherTopic() async throws {
    let client = try await RouteClient()
    let events = try client.service.messageEvents(for: .alice)
    client.service.feed.publish(.removed([.init(rawValue: 7)]), for: "alice")
    let last = client.service.feed.latest(of: "alice")
    let collector = Collector()
    let body = EventStreamBody(events: events, heartbeat: .milliseconds(1)).body
    let task = Task { try await body.write(Writer(collector: collector)) }
    let text = await collector.text(with: "\n\n:\n\n")
    #expect(text.contains(":\nid: \(last)\n\n"))
    events.end()
    try await task.value
  }

  @Test("streams end when the service shuts down") func shutdown() async throws {
    let client = try await RouteClient()
    let collector = try await reading(client.service) { collector in
      _ = await collector.text(with: "\n\n")
      client.service.endEventStreams()
      while !collector.isFinished { await Task.yield() }
    }
    #expect(collector.isFinished)
    #expect(client.service.feed.count == 0)
  }

  @Test("a stream needs a caller, and begins no more once the service shuts down") func refused() async throws {
    let client = try await RouteClient()
    #expect(try await client.send(.get, "/v1/tray/events", as: nil).status == 401)
    client.service.endEventStreams()
    #expect(try await client.send(.get, "/v1/tray/events", as: .alice).status == 503)
  }
}
