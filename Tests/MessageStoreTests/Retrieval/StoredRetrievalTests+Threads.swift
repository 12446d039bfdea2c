internal import FileSupport
internal import Foundation
internal import MMSCodec
internal import Messaging
internal import Testing

@testable internal import MessageStore

extension StoredRetrievalTests {
  @Test("a message of a group moves to the thread of the group")
  func group() async throws {
    let test = try store(.automatic, own: ["+1 555 000 0001"])
    let network = FakeNetwork()
    try network.keep(try OperatorPDU.retrieved(to: ["+15550000001", Sample.ben]), at: "http://mmsc/1")
    let id = try #require(try test.store.receive(try OperatorPDU.notification()))
    try await MessageOutbox(test.store, network: network).runDue()
    let threads = try test.store.threads()
    #expect(threads.map(\.summary.participants) == [[Sample.ann, Sample.ben]])
    #expect(try test.store.message(id).thread == threads.first?.id)
    #expect(threads.first?.summary.unreadCount == 1)
  }

  @Test("messages to oneself, and those of hidden senders, are two threads")
  func ownAndHidden() async throws {
    var test = try store(.automatic, own: ["+1 555 000 0001"])
    let network = FakeNetwork()
    // The notification names a sender, and the message names none but the others of the group.
    var hidden = try OperatorPDU.retrieved(to: ["+15550000001", Sample.ben])
    hidden[.from] = nil
    try network.keep(hidden, at: "http://mmsc/1")
    var notification = try MMSMessage(decoding: OperatorPDU.notification())
    notification[.from] = nil
    let id = try #require(try test.store.receive(try notification.encoded()))
    try await MessageOutbox(test.store, network: network).runDue()
    try test.store.send(Sample.text("note", to: "5550000001"))
    try test.store.receive(sms: "note", from: "+1 555 000 0001")
    try test.store.receive(sms: "who", from: "")
    let threads = try test.store.threads()
    #expect(Set(threads.map(\.summary.participants)) == [["5550000001"], []])
    #expect(threads.map(\.messageCount) == [2, 2])
    #expect(try test.store.message(id).thread == test.store.thread(with: []))
    #expect(try test.store.thread(with: ["+15550000001"]) != test.store.thread(with: []))
    #expect(try test.store.verify().isEmpty)
    try test.restart()
    #expect(try test.store.verify().isEmpty)
  }
}
