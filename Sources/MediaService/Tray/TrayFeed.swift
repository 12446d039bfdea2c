internal import MediaLibrary
internal import MessageStore
internal import Synchronization

/// Reports changes of owners' trays, drafts and messages to the event streams of this process.
///
/// Each owner has a ring of its latest events. A stream is a position in that ring, not a buffer: however slow a reader is, the feed keeps no more for
/// it, and one that has fallen behind the ring is asked to read everything again. Owners that nobody has asked for have no ring and cost nothing.
/// Events of all kinds are in one ring, so that an id says what a reader knows of the tray and of the messages.
final class TrayFeed: Sendable {
  /// A change that a tray, a list of drafts or a list of threads shows.
  enum Change: Hashable, Sendable {
    /// Files were added to the library.
    case added([FileID])
    /// What is known of files has changed.
    case changed([FileID])
    /// Files are gone.
    case removed([FileID])
    /// A draft has changed, to this version; nil if it is gone.
    case draft(String, version: Int?)
    /// A thread has another summary, or is gone.
    case thread(MessageStore.Thread.ID)
    /// A message of a thread was added or changed.
    case message(MessageStore.Message.ID, MessageStore.Thread.ID)
    /// A message of a thread was deleted.
    case deleted(MessageStore.Message.ID, MessageStore.Thread.ID)
    /// Everything may have changed: read the list again.
    case reset
  }

  /// Which changes a stream has. Each has ``Change/reset``.
  enum Topic: Hashable, Sendable {
    /// Files and drafts.
    case tray
    /// Threads and messages.
    case messages
    case all

    func includes(_ change: Change) -> Bool {
      switch change {
      case .added, .changed, .removed, .draft: self != .messages
      case .thread, .message, .deleted: self != .tray
      case .reset: true
      }
    }
  }

  /// A change with the id by which a reader continues after it.
  struct Event: Hashable, Sendable {
    var id: EventID
    var change: Change
  }

  /// Events without those whose change a later one repeats: both would have what it is when they are read.
  static func joined(_ events: [Event]) -> [Event] {
    var seen: Set<Change> = []
    let latest = events.reversed().filter { seen.insert($0.change).inserted }
    return Array(latest.reversed())
  }

  /// The position of an event: the ring, and a number in it. Rings of other owners and of other processes have other names, so that an id is never
  /// taken for one of theirs, and no owner can see how much happens to others.
  struct EventID: Hashable, Sendable, CustomStringConvertible {
    var ring: UInt64
    var number: UInt64

    init(ring: UInt64, number: UInt64) { (self.ring, self.number) = (ring, number) }

    /// The id that a client sends back; nil if it is not one of ours.
    init?(_ text: String) {
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 2, let ring = UInt64(parts[0], radix: 16), let number = UInt64(parts[1]) else { return nil }
      self.init(ring: ring, number: number)
    }

    var description: String { "\(String(ring, radix: 16))-\(number)" }
  }

  let state: Mutex<State>

  /// A feed with limits.
  /// - Parameters:
  ///   - length: Events of an owner that are kept for streams that continue. Default 512.
  ///   - streamsPerOwner: Streams of one owner at once. Default 8: a browser opens at most 6 connections to a server.
  ///   - streams: Streams of all owners at once. Default 10,000.
  ///   - rings: Owners without a stream whose events are kept. Default 10,000.
  init(length: Int = 512, streamsPerOwner: Int = 8, streams: Int = 10_000, rings: Int = 10_000) {
    state = Mutex(
      State(length: length, streamsPerOwner: streamsPerOwner, streams: streams, maxRings: rings))
  }

  /// Reports a change to the streams of an owner. Never waits.
  func publish(_ change: Change, for owner: String) {
    let waiting = state.withLock { $0.publish(change, for: owner) }
    for continuation in waiting { continuation.resume() }
  }

  /// The id of the latest event of an owner: a stream that begins after it misses no change made from now on.
  func latest(of owner: String) -> EventID { state.withLock { $0.ring(of: owner).latest } }

  /// Begins a stream of an owner's events.
  /// - Parameters:
  ///   - topic: Which events. Default: all.
  ///   - id: The last event that the reader has seen. Default nil: only later changes. If its ring no longer has what followed, the first event is
  ///     ``Change/reset``.
  /// - Throws: `rateLimited` if the owner has too many streams, `busy` if all together have, or after ``close()``.
  func subscribe(
    to owner: String, _ topic: Topic = .all, after id: EventID?
  ) throws(ServiceError) -> TraySubscription {
    let result = state.withLock { $0.subscribe(to: owner, topic, after: id) }
    return TraySubscription(feed: self, number: try result.get())
  }

  /// Ends all streams, and begins no more.
  func close() {
    let waiting = state.withLock { $0.close() }
    for continuation in waiting { continuation.resume() }
  }

  /// Number of streams, for a gauge.
  var count: Int { state.withLock { $0.readers.count } }
}
