internal import AttachmentPolicy
internal import MMSCodec
internal import Messaging
internal import Testing

@testable internal import MessageStore

@Suite("A message store whose app talks to the carrier itself") struct ExchangeTests {
  private func pdu(_ submission: MessageStore.Submission?) throws -> MMSMessage {
    guard case .mms(let octets)? = submission?.request else { throw MessageStore.Failure(.unrecognized, "no PDU") }
    return try MMSMessage(decoding: octets)
  }

  private func conf(_ transaction: String) throws -> [UInt8] {
    var answer = MMSMessage(.sendConf, transactionID: TextString(transaction))
    answer[.responseStatus] = .ok
    answer[.messageID] = TextString("id-1")
    return try answer.encoded()
  }

  /// The answers that the carrier is to get, which it has then.
  private func answered(_ store: MessageStore) throws -> [MMSMessage] {
    let answers = try store.answers()
    for answer in answers { try store.confirmAnswer(answer.id) }
    return try answers.map { try MMSMessage(decoding: $0.octets) }
  }

  @Test("a message is handed out with its transaction until the carrier's answer to it is stored (R-MMS-39)")
  func submission() throws {
    var test = try TestStore()
    let id = try test.store.send(
      Sample.picture(to: Sample.ann), files: ["photo": try test.file("bytes")])
    let first = try test.store.submissions(of: id)
    #expect(first.count == 1)
    #expect(try pdu(first.first).type == .sendReq)
    #expect(try pdu(first.first).transactionID?.text == first.first?.transactionID)
    try test.restart()
    let again = try test.store.submissions(of: id)
    #expect(again == first)
    #expect(try test.store.receive(sendConf: try conf("another")) == nil)
    #expect(try test.store.message(id).sending?.state == .sending)
    let transaction = try #require(first.first?.transactionID)
    #expect(try test.store.receive(sendConf: try conf(transaction)) == id)
    #expect(try test.store.message(id).sending?.state == .sent)
    #expect(try test.store.submissions(of: id).isEmpty)
    #expect(try test.store.receive(sendConf: try conf(transaction)) == nil)
    #expect(try test.store.receive(try OperatorPDU.delivery("id-1", to: Sample.ann)) == id)
    #expect(try test.store.verify().isEmpty)
  }

  @Test("after a temporary failure the request is there again when its next attempt is due, and not before")
  func retry() throws {
    let test = try TestStore()
    let id = try test.store.send(
      Sample.picture(to: Sample.ann), files: ["photo": try test.file("bytes")])
    let transaction = try #require(try test.store.submissions(of: id).first?.transactionID)
    #expect(try !test.store.finish("another", of: id, with: .success(nil)))
    #expect(try test.store.finish(transaction, of: id, with: .failure(.transient(.transient))))
    #expect(try test.store.message(id).sending?.state == .waiting)
    #expect(try test.store.submissions(of: id).isEmpty)
    test.phone.now = try #require(try test.store.message(id).sending?.nextAttempt)
    #expect(try test.store.submissions(of: id).map(\.transactionID) == [transaction])
    #expect(try test.store.finish(transaction, of: id, with: .failure(.permanent(.refused))))
    #expect(try test.store.message(id).sending?.state == .failed)
    #expect(try test.store.verify().isEmpty)
  }

  @Test("requests are read although no timer can be stored; afterwards the one that is due is there") func fullDisk()
    throws
  {
    let test = try TestStore()
    let id = try test.store.send(Sample.text("Hello", to: Sample.ann))
    let transaction = try #require(try test.store.submissions(of: id).first?.transactionID)
    #expect(try test.store.finish(transaction, of: id, with: .failure(.transient(.transient))))
    test.phone.now = try #require(try test.store.message(id).sending?.nextAttempt)
    try test.damage("CREATE TRIGGER fault BEFORE DELETE ON outbox BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
    #expect(try test.store.submissions(of: id).isEmpty)
    try test.damage("DROP TRIGGER fault")
    #expect(try test.store.submissions(of: id).map(\.transactionID) == [transaction])
  }

  @Test("an SMS is a request for each recipient, and sent when the network has all of them") func sms() throws {
    let test = try TestStore()
    let id = try test.store.send(Sample.text("Hello", to: Sample.ann, Sample.ben))
    let requests = try test.store.submissions(of: id)
    #expect(
      requests.map(\.request) == [
        .sms(text: "Hello", to: Sample.ann, requestsDeliveryReport: false),
        .sms(text: "Hello", to: Sample.ben, requestsDeliveryReport: false),
      ])
    try test.store.finish(requests[0].transactionID, of: id, with: .success("7"))
    #expect(try test.store.message(id).sending?.state == .sending)
    try test.store.finish(requests[1].transactionID, of: id, with: .success("8"))
    #expect(try test.store.message(id).sending?.state == .sent)
    #expect(try test.store.receive(.retrieved, ofSMS: "8", from: Sample.ben) == id)
  }

  @Test("a download takes the place of its notification, by its number or by its transaction (R-MMS-51)")
  func retrieved() throws {
    let test = try TestStore()
    let first = try #require(try test.store.receive(try OperatorPDU.notification(1)))
    #expect(try answered(test.store).map(\.type) == [.notifyRespInd])
    #expect(try test.store.answers().isEmpty)
    let octets = try OperatorPDU.retrieved(1).encoded()
    #expect(try test.store.receive(retrieveConf: octets, of: first) == first)
    #expect(try test.store.message(first).parts.compactMap(\.path).count == 1)
    let answers = try answered(test.store)
    #expect(answers.map(\.type) == [.acknowledgeInd])
    #expect(answers.first?.transactionID?.text == "r1")
    let second = try #require(try test.store.receive(try OperatorPDU.notification(2, transaction: "r2")))
    #expect(try test.store.receive(retrieveConf: try OperatorPDU.retrieved(2).encoded()) == second)
    #expect(try test.thread.messageCount == 2)
    #expect(try test.store.verify().isEmpty)
  }

  @Test("a download without a notification is a message, and the same one when it is stored again") func unannounced()
    throws
  {
    let test = try TestStore()
    let octets = try OperatorPDU.retrieved(1, wantsReadReport: true).encoded()
    let id = try #require(try test.store.receive(retrieveConf: octets))
    #expect(try test.store.message(id).retrieval?.state == .received)
    #expect(try test.store.message(id).isUnread)
    #expect(try test.store.receive(retrieveConf: octets) == id)
    #expect(try test.thread.messageCount == 1)
    // The carrier gets one acknowledgement, and no answer to a notification that it never sent.
    #expect(try answered(test.store).map(\.type) == [.acknowledgeInd])
    try test.store.markRead(try test.thread.id)
    #expect(try answered(test.store).map(\.type) == [.readRecInd])
    try test.store.delete(id)
    #expect(try test.store.receive(retrieveConf: octets) == nil)
    #expect(test.storedFiles == [])
    #expect(try test.store.verify().isEmpty)
  }

  @Test("a download is the same message when it is stored again, whatever its transaction; a deleted one stays deleted")
  func storedAgain() throws {
    var test = try TestStore()
    let id = try #require(try test.store.receive(try OperatorPDU.notification(1)))
    // The notification has the transaction t1, and the download r1.
    let octets = try OperatorPDU.retrieved(1).encoded()
    #expect(try test.store.receive(retrieveConf: octets, of: id) == id)
    #expect(try test.store.receive(retrieveConf: octets) == id)
    #expect(try test.thread.messageCount == 1)
    try test.store.delete(id)
    try test.restart()
    #expect(try test.store.receive(retrieveConf: octets) == nil)
    #expect(try test.store.receive(try OperatorPDU.notification(1)) == nil)
    // One whose notification was deleted, with the transaction of the notification.
    let second = try #require(try test.store.receive(try OperatorPDU.notification(2, transaction: "r2")))
    try test.store.delete(second)
    #expect(try test.store.receive(retrieveConf: try OperatorPDU.retrieved(2).encoded()) == nil)
    #expect(try test.store.threads().isEmpty)
    #expect(test.storedFiles == [])
    #expect(try test.store.verify().isEmpty)
  }

  @Test("a download with another Message-ID is another message, although its transaction was used before (R-MMS-51)")
  func transactionUsedAgain() throws {
    let test = try TestStore()
    func download(_ number: Int) throws -> [UInt8] {
      var message = try OperatorPDU.retrieved(number)
      message.transactionID = TextString("r1")
      return try message.encoded()
    }
    let first = try #require(try test.store.receive(try OperatorPDU.notification(1, transaction: "r1")))
    #expect(try test.store.receive(retrieveConf: try download(1)) == first)
    #expect(try test.store.addition(of: try download(2)) == .message)
    let second = try #require(try test.store.receive(retrieveConf: try download(2)))
    #expect(second != first)
    #expect(try test.store.receive(retrieveConf: try download(2)) == second)
    #expect(try test.store.receive(retrieveConf: try download(1)) == first)
    #expect(try test.thread.messageCount == 2)
    try test.store.delete(first)
    #expect(try test.store.receive(retrieveConf: try download(1)) == nil)
    #expect(try test.store.addition(of: try download(3)) == .message)
    #expect(try test.store.receive(retrieveConf: try download(3)) != nil)
    #expect(try test.thread.messageCount == 2)
    #expect(try test.store.verify().isEmpty)
  }

  @Test("what is no download, or is one for no notification, changes nothing") func refused() throws {
    let test = try TestStore()
    let sent = try test.store.send(Sample.text("Hello", to: Sample.ann))
    let octets = try OperatorPDU.retrieved(1).encoded()
    #expect(throws: MessageStore.Failure.self) { try test.store.receive(retrieveConf: octets, of: sent) }
    #expect(throws: MessageStore.Failure.self) { try test.store.receive(retrieveConf: [1, 2, 3]) }
    #expect(throws: MessageStore.Failure.self) { try test.store.receive(sendConf: octets) }
    #expect(try test.thread.messageCount == 1)
    #expect(test.storedFiles == [])
    #expect(try test.store.verify().isEmpty)
  }

  @Test("a position in a list is a short text, which nothing else is") func cursors() throws {
    let test = try TestStore()
    for number in 1...3 { try test.store.receive(sms: "\(number)", from: "+155500\(number)", at: Double(number)) }
    let first = try #require(try test.store.threads(limit: 1).first)
    let text = first.cursor.description
    #expect(MessageStore.Cursor(text) == first.cursor)
    #expect(try test.store.threads(after: MessageStore.Cursor(text)).count == 2)
    for wrong in ["", "-", "1", "x-1", "7ff0000000000000-1", "+\(text)", "\(text) ", "0\(text)", "1--"] {
      #expect(MessageStore.Cursor(wrong) == nil, "\(wrong)")
    }
  }

  @Test("a download that is stored again changes nothing that a view shows, and neither does a damaged one")
  func unchanged() async throws {
    let test = try TestStore()
    let octets = try OperatorPDU.retrieved(1).encoded()
    let id = try #require(try test.store.receive(retrieveConf: octets))
    let changes = test.store.changes
    var failed = try OperatorPDU.retrieved(1)
    failed[.retrieveStatus] = .permanentFailure
    let refusal = try failed.encoded()
    for _ in 0..<3 {
      #expect(try test.store.receive(retrieveConf: octets, of: id) == id)
      #expect(throws: MessageStore.Failure.self) { try test.store.receive(retrieveConf: refusal, of: id) }
    }
    try test.store.close()
    var seen: [MessageStore.Change] = []
    for await change in changes { seen.append(change) }
    #expect(seen == [])
  }

  @Test("what a PDU would add is known before it is stored: a message, the content of one, or nothing") func addition()
    throws
  {
    let test = try TestStore()
    let (notice, octets) = (try OperatorPDU.notification(1), try OperatorPDU.retrieved(1).encoded())
    #expect(try test.store.addition(of: notice) == .message)
    let id = try #require(try test.store.receive(notice))
    #expect(try test.store.addition(of: notice) == .nothing)
    #expect(try test.store.addition(of: octets) == .message)
    #expect(try test.store.addition(of: octets, downloaded: id) == .content)
    let known = try OperatorPDU.notification(2, transaction: "r2")
    try test.store.receive(known)
    #expect(try test.store.addition(of: try OperatorPDU.retrieved(2).encoded()) == .content)
    try test.store.receive(retrieveConf: octets, of: id)
    #expect(try test.store.addition(of: octets) == .nothing)
    #expect(try test.store.addition(of: octets, downloaded: id) == .nothing)
    try test.store.delete(id)
    #expect(try test.store.addition(of: octets) == .nothing)
    #expect(try test.store.addition(of: notice) == .nothing)
    #expect(try test.store.addition(of: try conf("t")) == .nothing)
    #expect(throws: MessageStore.Failure.self) { try test.store.addition(of: [1, 2]) }
  }
}
