internal import MediaLibrary
internal import Messaging
internal import Testing

@testable internal import MediaService

@Suite("Bytes of messages in the service") struct MessageBytesTests {
  private let anna = Caller(owner: "anna")

  @Test("a list of messages has the beginnings of long texts, and a message has all of its own") func longTexts()
    async throws
  {
    let service = try await ServiceFixture().service
    let text = String(repeating: "a", count: 5_000)
    let received = try await service.receiveMessage(try Carrier.retrieved(text: text, photo: [1]), for: anna)
    let message = try #require(received.message)
    let listed = try #require(
      try await service.messages(inThread: message.thread, of: anna).messages.first)
    #expect(listed.truncated == true)
    #expect(listed.modules.compactMap(\.text) == [String(text.prefix(1_000))])
    let whole = try await service.message(message.id, of: anna)
    #expect(whole.truncated == nil)
    #expect(whole.modules.compactMap(\.text) == [text])
    #expect(try await service.findMessages("holiday", of: anna).messages.first?.truncated == true)
  }

  @Test("a page of threads ends before their participants are more than 1 MiB, and the next one continues there")
  func threads() async throws {
    let service = try await ServiceFixture().service
    for number in 10...29 {
      let sender = "+1" + String(repeating: "5", count: 60_000) + "55500\(number)"
      _ = try await service.receiveMessage(try Carrier.notification(number, from: sender), for: anna)
    }
    let first = try await service.threads(for: anna)
    #expect((15...18).contains(first.threads.count))
    let next = try #require(first.next)
    let second = try await service.threads(for: anna, before: next)
    #expect(second.next == nil)
    #expect(Set((first.threads + second.threads).map(\.id)).count == 20)
  }

  @Test("notifications count for the quota of bytes, and one has at most 64 KiB") func headers() async throws {
    let service = try await ServiceFixture { $0.limits.ownerBytes = 100_000 }.service
    let large = try Carrier.notification(1, subject: String(repeating: "a", count: 65_536))
    #expect(await code { _ = try await service.receiveMessage(large, for: anna) } == "tooLarge")
    let first = try Carrier.notification(1, subject: String(repeating: "a", count: 60_000))
    _ = try await service.receiveMessage(first, for: anna)
    let second = try Carrier.notification(2, subject: String(repeating: "a", count: 60_000))
    #expect(await code { _ = try await service.receiveMessage(second, for: anna) } == "quotaExceeded")
  }

  @Test("a downloaded message has at most 64 KiB that are not bodies of its parts") func downloadHeaders()
    async throws
  {
    let service = try await ServiceFixture().service
    let sender = "+1" + String(repeating: "5", count: 65_536)
    let large = try Carrier.retrieved(from: sender, photo: [1])
    #expect(await code { _ = try await service.receiveMessage(large, for: anna) } == "tooLarge")
    #expect(try await service.threads(for: anna).threads.isEmpty)
    let text = String(repeating: "a", count: 200_000)
    let received = try await service.receiveMessage(try Carrier.retrieved(text: text, photo: [1]), for: anna)
    #expect(received.message?.state == "received")
  }

  @Test("an event has the beginnings of long texts, and equal changes are one event") func events() async throws {
    let service = try await ServiceFixture().service
    let text = String(repeating: "a", count: 50_000)
    let received = try await service.receiveMessage(try Carrier.retrieved(text: text, photo: [1]), for: anna)
    let message = try #require(received.message)
    let id = try #require(MediaService.storedMessage(message.id))
    let thread = try MediaService.thread(message.thread)
    let events = try service.messageEvents(for: anna)
    defer { events.end() }
    for _ in 0..<128 { service.feed.publish(.message(id, thread), for: "anna") }
    let changes = try #require(await events.next()).filter { $0.name == "message" }
    #expect(changes.count == 1)
    let data = try #require(changes.first).data
    #expect(String(decoding: data, as: UTF8.self).contains("\"truncated\":true"))
    #expect(data.count < 10_000)
  }

  @Test("a stream makes 1 MiB of events at a time, and loses none") func batches() async throws {
    let service = try await ServiceFixture().service
    let events = try service.trayEvents(for: anna)
    defer { events.end() }
    for list in 1...3 {
      // Each event has a million bytes.
      let ids = (1...100_000).map { FileID(rawValue: Int64(1_000_000 * list + $0)) }
      service.feed.publish(.removed(ids), for: "anna")
    }
    let first = try #require(await events.next())
    #expect(first.count == 2)
    let second = try #require(await events.next())
    #expect(second.count == 1)
    #expect(Set((first + second).map(\.id)).count == 3)
    events.nudge()
    #expect(await events.next()?.count == 0)
  }
}
