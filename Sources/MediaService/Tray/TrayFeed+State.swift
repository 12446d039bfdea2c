extension TrayFeed {
  /// The rings and their readers, under the feed's lock.
  struct State {
    let length: Int
    let streamsPerOwner: Int
    let streams: Int
    let maxRings: Int
    var rings: [String: Ring] = [:]
    var readers: [UInt64: Reader] = [:]
    var isClosed = false
    private var lastReader: UInt64 = 0
    /// Counts uses of rings, to find the one that was not used for longest.
    private var uses: UInt64 = 0

    init(length: Int, streamsPerOwner: Int, streams: Int, maxRings: Int) {
      self.length = max(1, length)
      (self.streamsPerOwner, self.streams, self.maxRings) = (streamsPerOwner, streams, maxRings)
    }

    /// The events of one owner.
    struct Ring {
      let name = UInt64.random(in: 1...UInt64.max)
      /// The latest events, the oldest first.
      var events: [Event] = []
      /// Number of the last event that is no longer in ``events``.
      var dropped: UInt64 = 0
      var readers: Set<UInt64> = []
      var lastUse: UInt64 = 0
      var latest: EventID { EventID(ring: name, number: dropped + UInt64(events.count)) }
    }

    /// One stream.
    struct Reader {
      let owner: String
      let topic: Topic
      /// The last event that it was given, or that another topic has.
      var position: EventID
      var waiting: CheckedContinuation<Void, Never>?
      var isNudged = false
    }

    /// The ring of an owner, created if there is none.
    mutating func ring(of owner: String) -> Ring {
      uses += 1
      var ring = rings[owner] ?? Ring()
      ring.lastUse = uses
      rings[owner] = ring
      if rings.count > maxRings { dropIdleRings(but: owner) }
      return ring
    }

    /// Drops the half of the rings without readers that were not used for longest. Their readers get a reset when they come back.
    private mutating func dropIdleRings(but owner: String) {
      let idle = rings.filter { $0.value.readers.isEmpty && $0.key != owner }
      for (name, _) in idle.sorted(by: { $0.value.lastUse < $1.value.lastUse }).prefix((idle.count + 1) / 2) {
        rings[name] = nil
      }
    }

    mutating func publish(_ change: Change, for owner: String) -> [CheckedContinuation<Void, Never>] {
      guard var ring = rings[owner] else { return [] }
      if change == .reset {
        // Under a new name, no earlier id is known.
        var fresh = Ring()
        (fresh.readers, fresh.lastUse) = (ring.readers, ring.lastUse)
        ring = fresh
      } else {
        ring.events.append(Event(id: EventID(ring: ring.name, number: ring.latest.number + 1), change: change))
        if ring.events.count > length {
          ring.events.removeFirst()
          ring.dropped += 1
        }
      }
      rings[owner] = ring
      return ring.readers.compactMap { takeWaiting($0) }
    }

    mutating func subscribe(to owner: String, _ topic: Topic, after id: EventID?) -> Result<UInt64, ServiceError> {
      guard !isClosed else {
        return .failure(ServiceError(.busy, "The service is shutting down; try again later.", retryAfter: 5))
      }
      guard readers.count < streams else {
        return .failure(ServiceError(.busy, "There are too many event streams; try again later.", retryAfter: 30))
      }
      var ring = ring(of: owner)
      guard ring.readers.count < streamsPerOwner else {
        return .failure(
          ServiceError(
            .rateLimited, "There are too many event streams of this owner; close one first.",
            numbers: ["limit": streamsPerOwner], retryAfter: 30))
      }
      lastReader += 1
      ring.readers.insert(lastReader)
      rings[owner] = ring
      readers[lastReader] = Reader(owner: owner, topic: topic, position: id ?? ring.latest)
      return .success(lastReader)
    }

    /// What a reader gets next; nil if it must wait.
    func pending(_ number: UInt64) -> [Event]? {
      guard let reader = readers[number], let ring = rings[reader.owner] else { return nil }
      guard reader.position.ring == ring.name, reader.position.number >= ring.dropped,
        reader.position.number <= ring.latest.number
      else { return [Event(id: ring.latest, change: .reset)] }
      let events = ring.events.dropFirst(Int(reader.position.number - ring.dropped))
        .filter { reader.topic.includes($0.change) }
      return events.isEmpty && !reader.isNudged ? nil : events
    }

    /// Gives a reader what is pending; nil if it must wait.
    mutating func take(_ number: UInt64) -> [Event]? {
      guard let owner = readers[number]?.owner, let ring = rings[owner] else { return nil }
      let events = pending(number)
      // Also without events for it: a reader whose topic is quiet does not fall behind the changes of the other one.
      readers[number]?.position = ring.latest
      readers[number]?.isNudged = false
      return events
    }

    /// The continuation of a reader that waits, which is the caller's to resume.
    mutating func takeWaiting(_ number: UInt64) -> CheckedContinuation<Void, Never>? {
      let waiting = readers[number]?.waiting
      readers[number]?.waiting = nil
      return waiting
    }

    mutating func end(_ number: UInt64) -> CheckedContinuation<Void, Never>? {
      let reader = readers.removeValue(forKey: number)
      if let reader { rings[reader.owner]?.readers.remove(number) }
      return reader?.waiting
    }

    mutating func close() -> [CheckedContinuation<Void, Never>] {
      isClosed = true
      return readers.keys.compactMap { end($0) }
    }
  }
}
