internal import FileSupport
internal import Glibc
internal import MMSCodec
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MessageStore

@Suite("Answers that an app sends to the carrier itself") struct CarrierAnswerTests {
  private func types(_ answers: [MessageStore.Answer]) throws -> [MMSMessage.MessageType] {
    try answers.map { try MMSMessage(decoding: $0.octets).type }
  }

  @Test("an answer is handed out with the same number until it is confirmed, also after its message was deleted")
  func confirmed() throws {
    var test = try TestStore()
    let octets = try OperatorPDU.retrieved(1, wantsReadReport: true).encoded()
    let id = try #require(try test.store.receive(retrieveConf: octets))
    try test.store.markRead(try test.thread.id)
    let answers = try test.store.answers()
    #expect(try types(answers) == [.acknowledgeInd, .readRecInd])
    #expect(try test.store.answers(limit: 1) == [answers[0]])
    try test.restart()
    #expect(try test.store.answers() == answers)
    #expect(try test.store.confirmAnswer(answers[0].id))
    #expect(try !test.store.confirmAnswer(answers[0].id))
    try test.store.delete(id)
    try test.restart()
    #expect(try test.store.answers() == [answers[1]])
    #expect(try test.store.confirmAnswer(answers[1].id))
    #expect(try test.store.answers().isEmpty)
    // The number of an answer is never that of another one.
    try test.store.receive(try OperatorPDU.notification(2))
    let later = try #require(try test.store.answers().first)
    #expect(later.id.rawValue > answers[1].id.rawValue)
    #expect(try test.store.verify().isEmpty)
  }

  @Test("a request to send is no answer, and is not confirmed as one") func requests() throws {
    let test = try TestStore()
    let id = try test.store.send(Sample.text("Hello", to: Sample.ann))
    #expect(try test.store.answers().isEmpty)
    for number in 1...3 { #expect(try !test.store.confirmAnswer(MessageStore.Answer.ID(rawValue: Int64(number)))) }
    #expect(try test.store.submissions(of: id).count == 1)
  }

  @Test("a read report that was handed out to a process that was killed is handed out again") func killed()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.path("messages")
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let store = try MessageStore(folder: PathBytes(path))
      try store.receive(retrieveConf: try OperatorPDU.retrieved(1, wantsReadReport: true).encoded())
      let thread = try #require(try store.threads().first)
      try store.markRead(thread.id)
      // Nobody gets what was handed out.
      if try store.answers().count == 2 { kill(getpid(), SIGKILL) }
    }
    let store = try MessageStore(folder: PathBytes(path))
    #expect(try types(try store.answers()) == [.acknowledgeInd, .readRecInd])
    #expect(try store.threads().first?.summary.unreadCount == 0)
    try store.close()
  }
}
