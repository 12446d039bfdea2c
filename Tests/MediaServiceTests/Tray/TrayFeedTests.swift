internal import MediaLibrary
internal import MessageStore
internal import Synchronization
internal import Testing

@testable internal import MediaService

@Suite("The change feed") struct TrayFeedTests {
  private static func added(_ id: Int64) -> TrayFeed.Change { .added([FileID(rawValue: id)]) }

  @Test("a stream gets the changes of its owner alone, in order") func order() async throws {
    let feed = TrayFeed()
    let stream = try feed.subscribe(to: "anna", after: nil)
    feed.publish(Self.added(1), for: "anna")
    feed.publish(Self.added(2), for: "berta")
    feed.publish(Self.added(3), for: "anna")
    #expect(await stream.next()?.map(\.change) == [Self.added(1), Self.added(3)])
  }

  @Test("a stream that continues gets what it has missed, once") func continues() async throws {
    let feed = TrayFeed()
    let start = feed.latest(of: "anna")
    for id in 1...3 { feed.publish(Self.added(Int64(id)), for: "anna") }
    let first = try feed.subscribe(to: "anna", after: start)
    let events = try #require(await first.next())
    #expect(events.map(\.change) == [Self.added(1), Self.added(2), Self.added(3)])
    first.end()
    let again = try feed.subscribe(to: "anna", after: events[0].id)
    #expect(await again.next()?.map(\.change) == [Self.added(2), Self.added(3)])
  }

  @Test("an id that is not known any more gives a reset, and then later changes") func reset() async throws {
    let feed = TrayFeed(length: 2)
    let start = feed.latest(of: "anna")
    for id in 1...3 { feed.publish(Self.added(Int64(id)), for: "anna") }
    for id in [start, TrayFeed.EventID(ring: 1, number: 0), TrayFeed.EventID(ring: start.ring, number: 99)] {
      let stream = try feed.subscribe(to: "anna", after: id)
      let events = try #require(await stream.next())
      #expect(events.map(\.change) == [.reset], "\(id)")
      #expect(events[0].id == feed.latest(of: "anna"))
      stream.nudge()
      #expect(await stream.next() == [])
    }
  }

  @Test("a reader that falls behind the ring gets a reset, and the feed keeps no more for it") func slow() async throws
  {
    let feed = TrayFeed(length: 4)
    let stream = try feed.subscribe(to: "anna", after: nil)
    for id in 1...5 { feed.publish(Self.added(Int64(id)), for: "anna") }
    #expect(await stream.next()?.map(\.change) == [.reset])
    feed.publish(Self.added(6), for: "anna")
    #expect(await stream.next()?.map(\.change) == [Self.added(6)])
    #expect(feed.state.withLock { $0.rings["anna"]?.events.count } == 4)
  }

  @Test("the ids of one owner say nothing of another, nor of an earlier process") func names() throws {
    let feed = TrayFeed()
    #expect(feed.latest(of: "anna").ring != feed.latest(of: "berta").ring)
    #expect(TrayFeed().latest(of: "anna").ring != feed.latest(of: "anna").ring)
    for number in 1...10 { feed.publish(Self.added(Int64(number)), for: "berta") }
    #expect(feed.latest(of: "anna").number == 0)
  }

  @Test("a waiting reader wakes for a change, a nudge and the end") func wakes() async throws {
    let feed = TrayFeed()
    let stream = try feed.subscribe(to: "anna", after: nil)
    async let first = stream.next()
    await Self.untilWaiting(feed)
    feed.publish(Self.added(1), for: "anna")
    #expect(await first?.map(\.change) == [Self.added(1)])
    async let second = stream.next()
    await Self.untilWaiting(feed)
    stream.nudge()
    #expect(await second == [])
    async let third = stream.next()
    await Self.untilWaiting(feed)
    feed.close()
    #expect(await third == nil)
    #expect(feed.count == 0)
  }

  @Test("a cancelled reader stops waiting and frees its place") func cancelled() async throws {
    let feed = TrayFeed(streamsPerOwner: 1)
    let stream = try feed.subscribe(to: "anna", after: nil)
    let task = Task { await stream.next() }
    await Self.untilWaiting(feed)
    task.cancel()
    #expect(await task.value == nil)
    _ = try feed.subscribe(to: "anna", after: nil)
  }

  @Test("an owner has a limited number of streams, and so have all together") func limits() async throws {
    let feed = TrayFeed(streamsPerOwner: 2, streams: 3)
    var streams = [try feed.subscribe(to: "anna", after: nil), try feed.subscribe(to: "anna", after: nil)]
    #expect(await code { _ = try feed.subscribe(to: "anna", after: nil) } == "rateLimited")
    streams.append(try feed.subscribe(to: "berta", after: nil))
    #expect(await code { _ = try feed.subscribe(to: "carla", after: nil) } == "busy")
    streams.removeAll()
    #expect(feed.count == 0)
    _ = try feed.subscribe(to: "anna", after: nil)
    feed.close()
    #expect(await code { _ = try feed.subscribe(to: "anna", after: nil) } == "busy")
  }

  @Test("owners that nobody listens to are dropped, those with a stream stay") func dropped() async throws {
    let feed = TrayFeed(rings: 10)
    let stream = try feed.subscribe(to: "anna", after: nil)
    let old = feed.latest(of: "berta")
    for number in 0..<100 { _ = feed.latest(of: "owner \(number)") }
    #expect(feed.state.withLock { $0.rings.count } <= 11)
    feed.publish(Self.added(1), for: "anna")
    #expect(await stream.next()?.map(\.change) == [Self.added(1)])
    let back = try feed.subscribe(to: "berta", after: old)
    #expect(await back.next()?.map(\.change) == [.reset])
  }

  @Test("after an erasure of everything each stream starts again") func erased() async throws {
    let feed = TrayFeed()
    let stream = try feed.subscribe(to: "anna", after: nil)
    feed.publish(Self.added(1), for: "anna")
    feed.publish(.reset, for: "anna")
    #expect(await stream.next()?.map(\.change) == [.reset])
  }

  @Test("an id survives its journey through a client") func text() throws {
    let id = TrayFeed.EventID(ring: 0xFEDC_BA98_7654_3210, number: 42)
    #expect(TrayFeed.EventID("\(id)") == id)
    for text in ["", "-", "a", "1-", "-1", "1-2-3", "g-1", "1-x", "1-\n2"] { #expect(TrayFeed.EventID(text) == nil) }
  }

  @Test("of equal changes the last one stays") func joined() async throws {
    let feed = TrayFeed()
    let stream = try feed.subscribe(to: "anna", after: nil)
    for id in [1, 2, 1, 3, 2] { feed.publish(Self.added(Int64(id)), for: "anna") }
    let events = TrayFeed.joined(try #require(await stream.next()))
    #expect(events.map(\.change) == [Self.added(1), Self.added(3), Self.added(2)])
    #expect(events.map(\.id.number) == [3, 4, 5])
    stream.resume(after: events[0].id)
    #expect(await stream.next()?.map(\.change) == [Self.added(3), Self.added(2)])
  }

  @Test("a stream of one topic has its changes alone, and the other topic does not make it fall behind")
  func topics() async throws {
    let feed = TrayFeed(length: 4)
    let thread = TrayFeed.Change.thread(MessageStore.Thread.ID(rawValue: 1))
    let start = feed.latest(of: "anna")
    let tray = try feed.subscribe(to: "anna", .tray, after: start)
    let messages = try feed.subscribe(to: "anna", .messages, after: start)
    let all = try feed.subscribe(to: "anna", after: start)
    feed.publish(Self.added(1), for: "anna")
    feed.publish(thread, for: "anna")
    #expect(await tray.next()?.map(\.change) == [Self.added(1)])
    #expect(await messages.next()?.map(\.change) == [thread])
    #expect(await all.next()?.map(\.change) == [Self.added(1), thread])
    async let next = tray.next()
    for _ in 1...9 {
      await Self.untilWaiting(feed)
      feed.publish(thread, for: "anna")
    }
    await Self.untilWaiting(feed)
    feed.publish(Self.added(2), for: "anna")
    #expect(await next?.map(\.change) == [Self.added(2)])
    feed.publish(.reset, for: "anna")
    #expect(await tray.next()?.map(\.change) == [.reset])
    #expect(await messages.next()?.map(\.change) == [.reset])
  }

  @Test("a stream continues after an event of another topic") func continuesElsewhere() async throws {
    let feed = TrayFeed()
    let thread = TrayFeed.Change.thread(MessageStore.Thread.ID(rawValue: 1))
    let all = try feed.subscribe(to: "anna", after: nil)
    feed.publish(thread, for: "anna")
    let seen = try #require(await all.next()?.last)
    feed.publish(Self.added(1), for: "anna")
    let tray = try feed.subscribe(to: "anna", .tray, after: seen.id)
    #expect(await tray.next()?.map(\.change) == [Self.added(1)])
  }

  private static func untilWaiting(_ feed: TrayFeed) async {
    while feed.state.withLock({ state in state.readers.values.allSatisfy { $0.waiting == nil } }) { await Task.yield() }
  }
}
