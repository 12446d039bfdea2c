internal import HTTPTypes
internal import Hummingbird
internal import MediaService
internal import NIOCore
internal import ServiceLifecycle

/// Writes changes as server-sent events (WHATWG HTML, section 9.2), until the reader goes, its token expires, the service shuts down, or the stream is
/// ended. A client connects again then.
struct EventStreamBody: Sendable {
  let events: MediaService.TrayEvents
  let heartbeat: Duration
  /// Seconds for which the reader may read; nil without an end.
  var seconds: Int?

  /// The body of the answer.
  var body: ResponseBody {
    ResponseBody { [self] writer in
      defer { events.end() }
      // A first comment at once, so that the headers leave; and the id after which a reader continues that has seen no event.
      try await writer.write(ByteBuffer(string: ": connected\nretry: 3000\nid: \(events.start)\n\n"))
      try await withGracefulShutdownHandler {
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            while !Task.isCancelled {
              try await Task.sleep(for: heartbeat)
              events.nudge()
            }
          }
          if let seconds {
            group.addTask {
              try await Task.sleep(for: .seconds(min(max(0, seconds), 31_536_000)))
              events.end()
            }
          }
          defer { group.cancelAll() }
          var last = events.start
          while let next = await events.next() {
            try await writer.write(next.isEmpty ? comment(after: &last) : Self.text(next))
            if let event = next.last { last = event.id }
          }
        }
      } onGracefulShutdown: {
        events.end()
      }
      try await writer.finish(nil)
    }
  }

  /// The answer to a request for a stream.
  /// - Parameter begin: Begins the stream after an event; nil for one that begins now.
  static func response(
    to request: Request, _ context: some MediaRequestContext, _ caller: Caller, _ service: MediaService,
    _ heartbeat: Duration, _ begin: (String?) throws(ServiceError) -> MediaService.TrayEvents
  ) async throws -> Response {
    // Nobody reads the stream of a HEAD.
    if request.method == .head {
      return Response(status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"])
    }
    let last = request.field("Last-Event-ID") ?? request.parameter("after")
    let events = try await Problem.mapping { () async throws(ServiceError) in
      try begin(last.flatMap { $0.isEmpty ? nil : $0 })
    }
    let seconds = caller.expires.map { $0 - service.configuration.clock() }
    // A reader that has gone frees its place at once.
    context.channel.closeFuture.whenComplete { _ in events.end() }
    var headers: HTTPFields = [.contentType: "text/event-stream", .cacheControl: "no-store"]
    // nginx must not collect a stream before it passes it on.
    if let name = HTTPField.Name("X-Accel-Buffering") { headers[name] = "no" }
    return Response(
      status: .ok, headers: headers,
      body: EventStreamBody(events: events, heartbeat: heartbeat, seconds: seconds).body)
  }

  /// A comment, by which a lost connection is noticed. It has the id of changes that the stream does not have: a reader that connects again would
  /// otherwise name an event that is not kept any more, and have to read everything.
  /// - Parameter last: The id that the reader has; changed to the one that is sent.
  private func comment(after last: inout String) -> ByteBuffer {
    guard let position = events.position, position != last else { return ByteBuffer(string: ":\n\n") }
    last = position
    return ByteBuffer(string: ":\nid: \(position)\n\n")
  }

  /// Events in the notation of the stream. Their data are JSON in one line.
  static func text(_ events: [MediaService.TrayEvents.Event]) -> ByteBuffer {
    var buffer = ByteBuffer()
    for event in events {
      buffer.writeString("id: \(event.id)\nevent: \(event.name)\ndata: ")
      buffer.writeBytes(event.data)
      buffer.writeString("\n\n")
    }
    return buffer
  }
}
