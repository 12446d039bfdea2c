internal import AttachmentPolicy
internal import FileSupport
internal import MMSCodec
internal import MediaModel
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MessageStore

@Suite("The sums of a message store through its history") struct UsageHistoryTests {
  /// One step of a history: whatever an app does, the carrier answers, or the time brings.
  private struct History {
    var test: TestStore
    var random: SeededGenerator
    var number = 0

    init(seed: UInt64) throws {
      test = try TestStore { $0.resendsUnknownSMS = true }
      random = SeededGenerator(seed: seed)
    }

    private var person: String { mutating get { "+155500010\(10 + random.below(6))" } }
    private var text: String { mutating get { String(repeating: "é", count: random.below(300)) + " \(number)" } }

    private mutating func message() throws -> MessageStore.Message.ID? {
      let threads = try test.store.threads()
      guard !threads.isEmpty else { return nil }
      let messages = try test.store.messages(in: threads[random.below(threads.count)].id)
      return messages.isEmpty ? nil : messages[random.below(messages.count)].id
    }

    mutating func step() throws {
      number += 1
      test.phone.now += Double(random.below(1_000))
      let store = test.store
      switch random.below(16) {
      case 0: try store.receive(sms: text, from: person, at: Double(number % 7))
      case 1: try store.receive(try OperatorPDU.notification(random.below(20), from: person))
      case 2, 3:
        var download = try OperatorPDU.retrieved(random.below(20), from: person, text: text, wantsReadReport: true)
        // Carriers use transactions again, also those of deleted messages.
        download.transactionID = TextString("r\(random.below(3))")
        try store.receive(retrieveConf: try download.encoded())
      case 4: try store.send(Sample.text(text, to: person, person))
      case 5: try store.send(Sample.picture(to: person), files: ["photo": try test.file(text)])
      case 6:
        let files = ["photo": try test.file(text)] as [MediaAttachment.ID: PathBytes]
        try store.saveDraft(Sample.picture(to: person), in: .participants([person]), files: files)
      case 7: try store.saveDraft(Sample.text(text, to: person), in: .new)
      case 8:
        let drafts = try store.drafts()
        guard !drafts.isEmpty else { break }
        let draft = drafts[random.below(drafts.count)]
        switch random.below(3) {
        case 0: try store.delete(draft.id)
        case 1: try store.saveDraft(Sample.text(text, to: person), in: .draft(draft.id))
        default: try store.send(draft.message, from: draft.id)
        }
      case 9: if let id = try message() { try store.delete(id) }
      case 10: if random.below(4) == 0, let thread = try store.threads().last { try store.delete(thread.id) }
      case 11: if let thread = try store.threads().first { try store.markRead(thread.id) }
      case 12: for answer in try store.answers(limit: 2) { try store.confirmAnswer(answer.id) }
      case 13:
        guard let id = try message(), let submission = try store.submissions(of: id).first else { break }
        let results: [Result<String?, MessageOutbox.Failure>] = [
          .success("id-\(number)"), .failure(.transient(.transient)), .failure(.permanent(.refused)),
        ]
        try store.finish(submission.transactionID, of: id, with: results[random.below(3)])
      case 14: try store.changeSettings { $0.retrievalMode = number % 2 == 0 ? .manual : .automatic }
      default:
        // Notifications of deleted messages are remembered for a month.
        if random.below(3) == 0 { test.phone.now += 40 * 86_400 }
        try test.restart()
      }
    }
  }

  @Test("the sums are what counting again gives, after each step of any history", arguments: [1, 2, 3, 4] as [UInt64])
  func sums(seed: UInt64) throws {
    var history = try History(seed: seed)
    var most = MessageStore.Usage()
    for step in 1...150 {
      // What is refused changes nothing, or something that counts.
      do { try history.step() } catch is MessageStore.Failure {}
      let usage = try history.test.store.usage()
      let counted = try history.test.store.read { try MessageStore.countedUsage($0) }
      #expect(usage == counted, "step \(step)")
      if usage.bytes > most.bytes { most = usage }
    }
    #expect(most.messages > 10)
    #expect(most.drafts > 1)
    #expect(try history.test.store.verify().isEmpty)
    for thread in try history.test.store.threads(limit: 1_000) { try history.test.store.delete(thread.id) }
    for draft in try history.test.store.drafts() { try history.test.store.delete(draft.id) }
    for answer in try history.test.store.answers(limit: 1_000) { try history.test.store.confirmAnswer(answer.id) }
    history.test.phone.now += 40 * 86_400
    try history.test.restart()
    #expect(try history.test.store.usage() == MessageStore.Usage())
  }
}
