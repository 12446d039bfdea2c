internal import AttachmentPolicy
internal import MediaLibrary

extension MediaService {
  /// The changes of an owner's tray, of its messages, or of both, as they happen. End it when its reader has gone.
  public struct TrayEvents: Sendable {
    /// One event in the words of server-sent events.
    public struct Event: Sendable {
      /// The id after which a reader continues.
      public var id: String
      /// `added`, `changed`, `removed`, `draft` or `reset`; of messages `thread`, `message`, `deleted` or `reset`.
      public var name: String
      /// A JSON object in one line.
      public var data: [UInt8]
    }

    /// The id of the last event before the first one of this stream.
    public let start: String
    let subscription: TraySubscription
    let service: MediaService
    let caller: Caller

    /// Bytes of the events that are made at once, the last of which may be longer: 1 MiB.
    private static let maxBytes = 1_048_576

    /// The next events, equal changes as one; empty after ``nudge()``; nil at the end.
    public func next() async -> [Event]? {
      guard let events = await subscription.next() else { return nil }
      var answers: [Event] = []
      var bytes = 0
      var last: TrayFeed.EventID?
      for event in TrayFeed.joined(events) {
        // The next call has the rest, made when these are written.
        if let last, bytes >= Self.maxBytes {
          subscription.resume(after: last)
          break
        }
        let made: [Event]
        do { made = try await service.describe(event, for: caller) } catch {
          // What cannot be read now is read by the reader itself.
          made = [Event(id: "\(event.id)", name: "reset", data: Array("{}".utf8))]
        }
        answers += made
        bytes += made.reduce(0) { $0 + $1.data.count }
        last = event.id
      }
      return answers
    }

    /// The id after which a reader continues that has read what ``next()`` has returned: also of later changes that this stream does not have.
    /// Nil when the stream has ended.
    package var position: String? { subscription.position.map { "\($0)" } }

    /// Makes ``next()`` return an empty array, so that its caller can show that the connection lives.
    public func nudge() { subscription.nudge() }

    /// Ends the stream: ``next()`` returns nil.
    public func end() { subscription.end() }
  }

  /// Begins a stream of the changes of an owner's tray, drafts, threads and messages.
  /// - Parameters:
  ///   - caller: Whose changes.
  ///   - id: The `lastEvent` of a tray or of a page of threads, the older one if both were read, or the id of the last event of an earlier stream
  ///     of any kind. Default nil: only what changes from now on. For an id that is not known any more, the first event is `reset`.
  /// - Throws: `rateLimited` for too many streams of the owner, `busy` for too many of all.
  public func events(for caller: Caller, after id: String? = nil) throws(ServiceError) -> TrayEvents {
    try events(of: .all, for: caller, after: id)
  }

  /// Begins a stream of the changes of an owner's tray and drafts; parameters and errors are those of ``events(for:after:)``.
  public func trayEvents(for caller: Caller, after id: String? = nil) throws(ServiceError) -> TrayEvents {
    try events(of: .tray, for: caller, after: id)
  }

  /// Begins a stream of the changes of an owner's threads and messages; parameters and errors are those of ``events(for:after:)``.
  public func messageEvents(for caller: Caller, after id: String? = nil) throws(ServiceError) -> TrayEvents {
    try events(of: .messages, for: caller, after: id)
  }

  private func events(
    of topic: TrayFeed.Topic, for caller: Caller, after id: String?
  ) throws(ServiceError) -> TrayEvents {
    try caller.require(.read)
    // No ring has the name 0, so the first event is a reset.
    let position =
      id.map { TrayFeed.EventID($0) ?? TrayFeed.EventID(ring: 0, number: 0) } ?? feed.latest(of: caller.owner)
    let subscription = try feed.subscribe(to: caller.owner, topic, after: position)
    return TrayEvents(start: "\(position)", subscription: subscription, service: self, caller: caller)
  }

  /// Ends all streams of changes: for a shutdown.
  public func endEventStreams() { feed.close() }

  /// An event with the cells of its files, so that its reader has nothing to ask.
  fileprivate func describe(_ event: TrayFeed.Event, for caller: Caller) async throws(ServiceError) -> [TrayEvents
    .Event]
  {
    func answer(_ name: String, _ data: [UInt8]) -> TrayEvents.Event {
      TrayEvents.Event(id: "\(event.id)", name: name, data: data)
    }
    switch event.change {
    case .added(let ids): return try await cellsEvent("added", ids, caller).map { [answer("added", $0)] } ?? []
    case .changed(let ids): return try await cellsEvent("changed", ids, caller).map { [answer("changed", $0)] } ?? []
    case .removed(let ids):
      let list = ids.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
      return [answer("removed", Array("{\"ids\":[\(list)]}".utf8))]
    case .draft(let id, let version):
      let rest = version.map { ",\"version\":\($0)" } ?? ",\"removed\":true"
      return [answer("draft", Array("{\"id\":\"\(id)\"\(rest)}".utf8))]
    case .thread(let id): return [answer("thread", try await threadEvent(id, of: caller.owner))]
    case .message(let id, let thread):
      return try await messageEvent(id, of: caller.owner).map { [answer("message", $0)] }
        ?? [answer("deleted", Self.deletedEvent(id, thread))]
    case .deleted(let id, let thread): return [answer("deleted", Self.deletedEvent(id, thread))]
    case .reset: return [answer("reset", Array("{}".utf8))]
    }
  }

  /// The cells of files that a tray shows; nil if there are none.
  private func cellsEvent(_ name: String, _ ids: [FileID], _ caller: Caller) async throws(ServiceError) -> [UInt8]? {
    let files = try await ServiceError.mapping {
      try await library.catalogue.call { catalogue in try ids.compactMap { try catalogue.file($0) } }
    }
    let json = try await cells(of: files.filter { caller.owns($0) && $0.state == .done })
    return json.isEmpty ? nil : Array("{\"cells\":[".utf8) + json + Array("]}".utf8)
  }
}
