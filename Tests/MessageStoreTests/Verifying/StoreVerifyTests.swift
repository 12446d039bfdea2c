internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaLibrary
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MessageStore

@Suite("Verification of a message store") struct StoreVerifyTests {
  /// A store with a message of each kind, and a draft: a copy of one that is made once.
  private func filled() async throws -> TestStore { try TestStore(files: await Self.files.value) }

  private static let files = Task { () async throws -> [String: [UInt8]] in
    let test = try TestStore()
    try test.store.changeSettings { $0.retrievalMode = .automatic }
    let network = FakeNetwork()
    try network.keep(try OperatorPDU.retrieved(), at: "http://mmsc/1")
    try test.store.receive(try OperatorPDU.notification())
    try test.store.receive(sms: "hello", from: Sample.ben)
    try test.store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("sent")])
    try test.store.saveDraft(
      Sample.picture(), in: .participants([Sample.ben]), files: ["photo": try test.file("draft")])
    try await MessageOutbox(test.store, network: network).runDue()
    return try test.closedFiles()
  }

  @Test("a consistent store has no problems")
  func consistent() async throws {
    let test = try await filled()
    #expect(try test.store.verify().isEmpty)
  }

  @Test("a store that is open for reading is verified, except for its word index and its leases") func reading()
    async throws
  {
    let test = try await filled()
    let reader = try MessageStore(reading: PathBytes(test.folder.path("messages")))
    #expect(reader.notVerified == [.words, .leaseLost])
    #expect(test.store.notVerified.isEmpty)
    #expect(try reader.verify().isEmpty)
    try test.damage("UPDATE thread SET unread = 7")
    #expect(try reader.verify().map(\.code).contains(.derived))
    let error = #expect(throws: MessageStore.Failure.self) { try reader.verify(repairs: true) }
    #expect(error?.code == .readOnly)
    try reader.close()
  }

  @Test(
    "a derived row that is missing, or one too many, is reported, and a repair corrects it",
    arguments: [
      "DELETE FROM recipient",
      "INSERT INTO recipient SELECT message, 9, address, submission, delivery, reading, NULL FROM recipient",
      "INSERT INTO recipient SELECT max(id), 0, '1', 'accepted', 'pending', 'pending', NULL FROM message WHERE incoming",
      "INSERT INTO smsReference SELECT '5', '1234567', max(message) FROM recipient",
      "INSERT INTO thread (key, participants) VALUES ('1112222', '1112222')",
      "DELETE FROM usage",
    ])
  func derived(_ damage: String) async throws {
    let test = try await filled()
    try test.damage(damage)
    #expect(try test.store.verify().contains { $0.code == .derived })
    #expect(try test.store.verify(repairs: true).contains { $0.code == .derived })
    #expect(try test.store.verify().isEmpty)
  }

  @Test("a state that differs from its column, and one that cannot be read, are reported")
  func states() async throws {
    let test = try await filled()
    try test.damage("UPDATE message SET state = 'queued' WHERE NOT incoming")
    #expect(try test.store.verify().map(\.code) == [.derived])
    for machine in ["X'00'", "NULL"] {
      try test.damage("UPDATE message SET machine = \(machine) WHERE NOT incoming")
      #expect(try test.store.verify(repairs: true).map(\.code) == [.unreadable])
      #expect(try test.store.verify().map(\.code) == [.unreadable])
    }
  }

  @Test(
    "a value of another type than its column, and a text that is not UTF-8, are reported; everything else can be read",
    arguments: [
      "message.subject", "message.body", "message.type", "message.state", "message.sender", "message.messageID",
      "message.transactionID", "message.location", "message.machine", "message.time", "message.incoming",
      "message.unread",
      "part.text", "part.name", "part.type", "part.contentID", "recipient.address", "recipient.submission",
      "recipient.reference", "thread.participants", "thread.key", "thread.time", "thread.unread", "draft.message",
      "draft.time",
    ])
  func values(column: String) async throws {
    let parts = column.split(separator: ".")
    for value in ["x'C328FF00'", "CAST(x'C328' AS TEXT)", "'x'", "7.5"] {
      let test = try await filled()
      let row =
        parts[0] == "recipient" || parts[0] == "part" ? "position = 0" : "id = (SELECT max(id) FROM \(parts[0]))"
      try test.damage("UPDATE OR IGNORE \(parts[0]) SET \(parts[1]) = \(value) WHERE \(row)")
      // Some values are valid in some columns.
      let found = try test.store.verify()
      if value == "x'C328FF00'" {
        #expect(found.contains { $0.code == .unreadable || $0.code == .derived }, "\(value)")
      }
      _ = try? test.store.verify(repairs: true)
      for thread in (try? test.store.threads()) ?? [] { _ = try? test.store.messages(in: thread.id) }
      _ = try? test.store.search("hello")
    }
  }

  @Test("a text that is not UTF-8 is named with its row and column, and read with U+FFFD") func invalidText()
    async throws
  {
    let test = try await filled()
    try test.damage("UPDATE message SET subject = CAST(x'4FC328' AS TEXT) WHERE NOT incoming")
    let id = try #require(try test.store.search("photo jpg").first).id
    #expect(
      try test.store.verify().filter { $0.code == .unreadable }.map(\.detail)
        == ["message \(id.rawValue): the value of subject cannot be read"])
    #expect(try test.store.message(id).subject == "O\u{FFFD}(")
  }

  @Test("a message that is being sent or downloaded without a request in the outbox is reported") func requests() throws
  {
    let test = try TestStore()
    try test.store.changeSettings { $0.retrievalMode = .automatic }
    let id = try test.store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("sent")])
    let incoming = try #require(try test.store.receive(try OperatorPDU.notification()))
    #expect(try test.store.verify().isEmpty)
    try test.damage("DELETE FROM outbox WHERE kind = 'submit'")
    #expect(
      try test.store.verify().map(\.detail)
        == ["message \(id.rawValue) is being sent, and the outbox has no request for it"])
    try test.damage("DELETE FROM outbox WHERE kind = 'fetch'")
    #expect(try test.store.verify().map(\.code) == [.requestMissing, .requestMissing])
    #expect(try test.store.verify().last?.detail.hasPrefix("message \(incoming.rawValue) is being downloaded") == true)
  }

  @Test("a missing file, a damaged one and one of nobody are distinguished")
  func files() async throws {
    let test = try await filled()
    let files = test.storedFiles
    #expect(files.count == 3)
    try FileManager.default.removeItem(atPath: files[0])
    try Data("other".utf8).write(to: URL(fileURLWithPath: files[1]))
    try test.store.files.put(Array("nobody".utf8))
    #expect(
      Set(try test.store.verify(repairs: true).map(\.code)) == [.fileMissing, .fileDamaged, .leftover])
    #expect(Set(try test.store.verify().map(\.code)) == [.fileMissing, .fileDamaged])
  }

  @Test("the word index is compared with the messages, and rebuilt")
  func words() async throws {
    let test = try await filled()
    try test.damage("INSERT INTO messageText (rowid, subject, body, names) VALUES (99, 'a', 'b', 'c')")
    #expect(try test.store.verify(repairs: true).map(\.code) == [.words])
    #expect(try test.store.verify().isEmpty)
  }

  @Test("opening removes files that a killed process has left")
  func sweep() async throws {
    var test = try await filled()
    try test.store.files.put(Array("nobody".utf8))
    try Data().write(to: URL(fileURLWithPath: test.folder.path("messages/parts/.mediatool-1-1.tmp")))
    // Of a process that had the number of this one.
    let own = "messages/parts/.mediatool-\(ProcessInfo.processInfo.processIdentifier)-1.tmp"
    try Data().write(to: URL(fileURLWithPath: test.folder.path(own)))
    #expect(test.storedFiles.count == 6)
    try test.restart()
    #expect(test.storedFiles.count == 3)
    #expect(try test.store.verify().isEmpty)
  }

  @Test("a file that cannot be removed keeps neither the others nor the store: it is removed when it can be")
  func stuckFile() throws {
    var test = try TestStore()
    let first = try test.store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("one")])
    let second = try test.store.send(Sample.picture(to: Sample.ann), files: ["photo": try test.file("two")])
    // A folder with something in it is in the way, which nobody may remove, root included.
    let path = try #require(try test.store.message(first).parts.compactMap(\.path).first).text
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path + "/x", withIntermediateDirectories: true)
    try test.store.delete(first)
    try test.store.delete(second)
    #expect(test.storedFiles.isEmpty)
    try test.restart()
    try FileManager.default.removeItem(atPath: path)
    try Data("one".utf8).write(to: URL(fileURLWithPath: path))
    try test.restart()
    #expect(test.storedFiles.isEmpty)
  }

  @Test("search finds words and their beginnings in texts, subjects and file names, newest first")
  func search() async throws {
    let test = try await filled()
    #expect(try test.store.search("lak").map(\.subject) == ["Holiday"])
    #expect(try test.store.search("HOLI look").count == 1)
    #expect(try test.store.search("before").map(\.isIncoming) == [false])
    #expect(try test.store.search("photo jpg").count == 1)
    #expect(try test.store.search("absent").isEmpty)
    #expect(try test.store.search("\" OR *").isEmpty)
    let hello = try #require(try test.store.search("hello").first)
    try test.store.delete(hello.id)
    #expect(try test.store.search("hello").isEmpty)
    // An SMS with an old time stamp arrives last.
    for number in [1, 2, 3, 4, 0] {
      try test.store.receive(sms: "Çafé \(number)", from: Sample.ann, at: 1_000 + Double(number))
    }
    let page = try test.store.search("cafe", limit: 3)
    #expect(page.map(\.text) == ["Çafé 4", "Çafé 3", "Çafé 2"])
    #expect(try test.store.search("cafe", before: page.last?.cursor).map(\.text) == ["Çafé 1", "Çafé 0"])
  }

  @Test("every view gets every change once it is stored, and a view that takes none is to read again")
  func changes() async throws {
    let test = try TestStore()
    let (one, other) = (test.store.changes, test.store.changes)
    let id = try #require(try test.store.receive(sms: "hello", from: Sample.ann))
    let thread = try test.thread.id
    for changes in [one, other] {
      var seen: [MessageStore.Change] = []
      for await change in changes {
        seen.append(change)
        if change == .arrived(id, .received) { break }
      }
      #expect(seen == [.message(id, in: thread), .thread(thread), .arrived(id, .received)])
    }
    let late = test.store.changes
    for number in 0..<200 { try test.store.receive(sms: "\(number)", from: Sample.ann) }
    try test.store.close()
    var seen: [MessageStore.Change] = []
    for await change in late { seen.append(change) }
    #expect(seen.count == 500)
    #expect(seen.contains(.everything))
  }
}
