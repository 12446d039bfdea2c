internal import Messaging
internal import Testing

@testable internal import MessageStore

@Suite("Pages of messages that are bounded in bytes") struct MessagePageTests {
  /// Three messages of 5,000 bytes.
  private func filled() throws -> TestStore {
    let test = try TestStore()
    for number in 1...3 {
      let text = "word " + String(repeating: "\(number)", count: 4_995)
      try test.store.receive(sms: text, from: Sample.ann, at: Double(number))
    }
    return test
  }

  @Test("a page ends before its bytes are more than its limit, and the next one continues there") func bytes() throws {
    let test = try filled()
    var limits = MessageStore.PageLimits()
    // A text counts with at most four bytes for each character that is shown.
    limits.bytes = 9_000
    let thread = try test.thread.id
    let first = try test.store.page(of: thread, limits)
    #expect(first.messages.count == 2)
    #expect(first.hasMore)
    let second = try test.store.page(of: thread, before: try #require(first.messages.last).cursor, limits)
    #expect(second.messages.count == 1)
    #expect(!second.hasMore)
    #expect(Set((first.messages + second.messages).map(\.id)).count == 3)
    let found = try test.store.page(found: "word", limits)
    #expect(found.messages == first.messages)
    #expect(found.hasMore)
    let rest = try test.store.page(found: "word", before: try #require(found.messages.last).cursor, limits)
    #expect(rest == second)
  }

  @Test("a page has one message at least, and no more messages than its limit") func count() throws {
    let test = try filled()
    let thread = try test.thread.id
    var limits = MessageStore.PageLimits()
    limits.bytes = 1
    #expect(try test.store.page(of: thread, limits).messages.count == 1)
    limits = MessageStore.PageLimits()
    limits.messages = 2
    let page = try test.store.page(of: thread, limits)
    #expect(page.messages.count == 2)
    #expect(page.hasMore)
    limits.messages = 3
    #expect(try !test.store.page(of: thread, limits).hasMore)
    #expect(try test.store.page(found: " ", limits).messages.isEmpty)
  }

  @Test("a page of threads ends before its bytes are more than its limit, and the next one continues there")
  func threads() throws {
    let test = try TestStore()
    for number in 1...5 {
      let sender = "+1" + String(repeating: "5", count: number == 3 ? 50_000 : 10_000) + "555000\(number)"
      try test.store.receive(sms: "\(number)", from: sender, at: Double(number))
    }
    var (found, sizes): ([MessageStore.Thread.ID], [Int]) = ([], [])
    var cursor: MessageStore.Cursor?
    while true {
      let page = try test.store.threadPage(after: cursor, limit: 4, bytes: 25_000)
      found += page.threads.map(\.id)
      sizes.append(page.threads.count)
      guard page.hasMore else { break }
      cursor = try #require(page.threads.last).cursor
    }
    // Of the third, the participants alone are more than the limit.
    #expect(sizes == [2, 1, 2])
    #expect(try found == test.store.threads().map(\.id))
    let page = try test.store.threadPage(limit: 4)
    #expect(page.threads.count == 4)
    #expect(page.hasMore)
    #expect(try !test.store.threadPage(limit: 5).hasMore)
  }

  @Test("a thread has the beginning of its draft's text, and the draft all of it") func draft() throws {
    let test = try TestStore()
    let text = String(repeating: "word ", count: 1_000)
    try test.store.saveDraft(Sample.text(text), in: .participants([Sample.ann]))
    #expect(try test.thread.summary.preview == .text(String(text.prefix(300))))
    #expect(try test.store.draft(try #require(try test.thread.draft)).message.text == text)
  }

  @Test("a page has the beginnings of texts, and the message all of it") func cut() throws {
    let test = try filled()
    let page = try test.store.page(of: try test.thread.id)
    let message = try #require(page.messages.first)
    #expect(message.text == "word " + String(repeating: "3", count: 995))
    #expect(message.parts.first?.bytes == 5_000)
    #expect(try test.store.message(message.id).text.count == 5_000)
  }
}
