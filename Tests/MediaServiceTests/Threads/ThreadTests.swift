internal import Crypto
internal import FileSupport
internal import Foundation
internal import MMSCodec
internal import MediaLibrary
internal import MediaModel
internal import MessageStore
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Threads of the service") struct ThreadTests {
  private let anna = Caller(owner: "anna")
  private let bert = Caller(owner: "bert")

  /// The types of PDUs.
  private func types(_ answers: [MediaService.CarrierAnswer]) throws -> [MMSMessage.MessageType] {
    try answers.map { try MMSMessage(decoding: $0.pdu).type }
  }

  /// Confirms answers, as a client does that has sent them.
  private func confirm(_ answers: [MediaService.CarrierAnswer], _ service: MediaService) async throws {
    for answer in answers { try await service.confirmAnswer(answer.id, for: anna) }
  }

  @Test("a notification and its download are one message, which is answered, read and deleted (R-MMS-51, R-MMS-56)")
  func receiving() async throws {
    let service = try await ServiceFixture().service
    let announced = try await service.receiveMessage(try Carrier.notification(), for: anna)
    #expect(try types(announced.answers) == [.notifyRespInd])
    try await confirm(announced.answers, service)
    let notice = try #require(announced.message)
    #expect(notice.state == "manual")
    #expect(notice.location == "http://mmsc.example/1")
    #expect(notice.modules.map(\.state) == [.notDownloaded])
    #expect(try await service.threads(for: anna).threads.first?.notDownloaded == true)

    let download = try Carrier.retrieved(wantsReadReport: true)
    let received = try await service.receiveMessage(download, downloaded: notice.id, for: anna)
    #expect(received.message?.id == notice.id)
    #expect(try types(received.answers) == [.acknowledgeInd])
    try await confirm(received.answers, service)
    let message = try await service.message(notice.id, of: anna)
    #expect(message.modules.map(\.kind) == [.image, .text])
    #expect(message.modules[0].media == "/v1/messages/\(notice.id)/parts/1")
    #expect(message.unread)
    #expect(message.location == nil)

    let thread = try #require(try await service.threads(for: anna).threads.first)
    #expect(thread.participants == [Carrier.ann])
    #expect(thread.preview == "Holiday")
    #expect(thread.unread == 1)
    #expect(thread.hasAttachment)
    #expect(try types(try await service.markRead(thread: thread.id, of: anna)) == [.readRecInd])
    #expect(try await service.thread(thread.id, of: anna).unread == 0)
    #expect(try await service.findMessages("lake", of: anna).messages.map(\.id) == [notice.id])
    try await service.deleteThread(thread.id, of: anna)
    #expect(try await service.threads(for: anna).threads.isEmpty)
    #expect(await code { _ = try await service.message(notice.id, of: anna) } == "notFound")
  }

  @Test("pages of threads, messages and found messages follow one another without gaps") func pages() async throws {
    let service = try await ServiceFixture().service
    for number in 1...5 {
      _ = try await service.receiveMessage(
        try Carrier.retrieved(number, from: "+1555000000\(number % 3)", photo: [1, 2]), for: anna)
    }
    let first = try await service.threads(for: anna, limit: 2)
    #expect(first.threads.count == 2)
    let second = try await service.threads(for: anna, before: first.next, limit: 2)
    #expect(second.threads.count == 1)
    #expect(second.next == nil)
    #expect(Set((first.threads + second.threads).map(\.id)).count == 3)
    let thread = try #require(first.threads.first { $0.messages == 2 }?.id)
    let newest = try await service.messages(inThread: thread, of: anna, limit: 1)
    let older = try await service.messages(inThread: thread, of: anna, before: newest.next, limit: 1)
    #expect(older.next == nil)
    #expect(newest.messages.map(\.id) != older.messages.map(\.id))
    let found = try await service.findMessages("look", of: anna, limit: 3)
    let rest = try await service.findMessages("look", of: anna, before: found.next, limit: 3)
    #expect(found.messages.count == 3)
    #expect(rest.messages.count == 2)
    for cursor in ["x", "1-1-1", "m0", "m-1"] {
      #expect(await code { _ = try await service.threads(for: anna, before: cursor) } == "invalidRequest")
      #expect(await code { _ = try await service.findMessages("a", of: anna, before: cursor) } == "invalidRequest")
    }
    #expect(await code { _ = try await service.threads(for: anna, limit: 201) } == "invalidRequest")
  }

  @Test("ids of another owner, unknown ids and invalid ids are the same: not found") func owners() async throws {
    let service = try await ServiceFixture().service
    let received = try await service.receiveMessage(try Carrier.retrieved(photo: [1]), for: anna)
    let message = try #require(received.message)
    // Once without a store of his, and once with one.
    for turn in 0..<2 {
      if turn == 1 {
        let own = try await service.receiveMessage(try Carrier.notification(9), for: bert)
        try await service.deleteMessage(try #require(own.message?.id), of: bert)
      }
      for id in [message.id, "m99", "99", "m", "m01", "m-1", "n1"] {
        #expect(await code { _ = try await service.message(id, of: bert) } == "notFound")
        #expect(await code { _ = try await service.messageFile(1, of: id, for: bert) } == "notFound")
        #expect(await code { try await service.deleteMessage(id, of: bert) } == "notFound")
      }
      for id in [message.thread, "99", "01", "-1", "m1"] {
        #expect(await code { _ = try await service.thread(id, of: bert) } == "notFound")
        #expect(await code { _ = try await service.messages(inThread: id, of: bert) } == "notFound")
        #expect(await code { _ = try await service.markRead(thread: id, of: bert) } == "notFound")
        #expect(await code { try await service.deleteThread(id, of: bert) } == "notFound")
        #expect(await code { _ = try await service.draft(ofThread: id, of: bert) } == "notFound")
      }
    }
    #expect(try await service.findMessages("look", of: bert).messages.isEmpty)
    #expect(try await service.threads(for: anna).threads.count == 1)
    let reader = Caller(owner: "anna", scope: .read)
    #expect(await code { try await service.deleteThread(message.thread, of: reader) } == "forbidden")
    #expect(await code { _ = try await service.receiveMessage([], for: reader) } == "forbidden")
  }

  @Test("a file has the type of its bytes, whatever its sender declares, and images on request (R-MMS-44)")
  func files() async throws {
    let service = try await ServiceFixture().service
    let photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
    let received = try await service.receiveMessage(try Carrier.retrieved(), for: anna)
    let id = try #require(received.message?.id)
    let (content, name) = try await service.messageFile(1, of: id, for: anna)
    #expect(content.type == .jpeg)
    #expect(content.bytes == photo)
    #expect(name == "lake.jpg")
    for number in [0, -1, 2, 65, .max] {
      #expect(await code { _ = try await service.messageFile(number, of: id, for: anna) } == "notFound")
    }
    let grid = try #require(MediaService.RenditionName("grid.webp", boxes: []))
    #expect(try await service.messageImage(grid, ofFile: 1, of: id, for: anna).type == .webp)
    let modules = try await service.modules(of: id, for: anna)
    #expect(modules.subject == "Holiday")
    #expect(modules.modules.map(\.kind) == [.image, .text])
    #expect(modules.modules[0].state == .ready)
    #expect(modules.modules[0].width != nil)
    #expect(modules.modules[0].media == "/v1/messages/\(id)/parts/1")
    #expect(modules.modules[0].thumbnail == "/v1/messages/\(id)/parts/1/renditions/message.webp")
  }

  @Test("a blocked content is in no message either") func blocked() async throws {
    let service = try await ServiceFixture().service
    let received = try await service.receiveMessage(try Carrier.retrieved(), for: anna)
    let id = try #require(received.message?.id)
    let digest = try #require(
      ContentDigest(bytes: Data(SHA256.hash(data: try Fixture.bytes("camera-roll/IMG_0001.jpg")))))
    _ = try await service.library.moderate { try $0.block(digest, reason: "spam", by: "moderator", at: 1) }
    let grid = try #require(MediaService.RenditionName("grid.webp", boxes: []))
    #expect(await code { _ = try await service.messageFile(1, of: id, for: anna) } == "notFound")
    #expect(await code { _ = try await service.messageImage(grid, ofFile: 1, of: id, for: anna) } == "notFound")
    #expect(try await service.modules(of: id, for: anna).modules[0].thumbnail == nil)
  }

  @Test("as many stores are open as may be, and owners whose stores were closed find their messages") func openStores()
    async throws
  {
    let service = try await ServiceFixture { $0.limits.openMessageStores = 2 }.service
    let owners = (1...6).map { Caller(owner: "owner \($0)/..") }
    for owner in owners { _ = try await service.receiveMessage(try Carrier.notification(), for: owner) }
    #expect(await service.messageStores.openCount <= 2)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for owner in owners {
        group.addTask {
          while true {
            do throws(ServiceError) { return try await service.threads(for: owner).threads.count } catch {
              // As many owners are reading as may.
              guard error.code == .busy else { throw error }
              await Task.yield()
            }
          }
        }
      }
      for try await count in group { #expect(count == 1) }
    }
    #expect(await service.messageStores.openCount <= 2)
    // A reader without messages opens none.
    #expect(try await service.threads(for: anna).threads.isEmpty)
    let folder = service.configuration.library.data.appending("messages".utf8).text
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count == 6)
    #expect(names.allSatisfy { $0.count == 64 })
  }

  @Test("an erased owner has no messages, and no byte of them is left; others keep theirs (R-MYM-24)") func erasure()
    async throws
  {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let secret = Array("Secretphotobytes".utf8)
    _ = try await service.receiveMessage(
      try Carrier.retrieved(text: "Secretmessagetext", photo: secret), for: anna)
    _ = try await service.createThread(
      MediaService.ThreadDraft(content: [.text("Secretdrafttext")], to: ["+15550001111"]), of: anna)
    _ = try await service.receiveMessage(try Carrier.retrieved(text: "Othermessagetext"), for: bert)
    let words = ["Secretphotobytes", "Secretmessagetext", "Secretdrafttext", "15550001111"]
    for word in words { #expect(try !fixture.folder.files(containing: Array(word.utf8)).isEmpty, "\(word)") }
    let report = try await service.eraseOwner(for: anna)
    #expect(report.messages == 1)
    #expect(report.drafts == 1)
    #expect(report.unreached == [:])
    #expect(report.library.isWiped)
    for word in words { #expect(try fixture.folder.files(containing: Array(word.utf8)) == [], "\(word)") }
    #expect(try await service.threads(for: anna).threads.isEmpty)
    #expect(try await service.threads(for: bert).threads.count == 1)
    #expect(try await service.eraseOwner(for: anna).messages == 0)
    _ = try await service.receiveMessage(try Carrier.notification(), for: anna)
    #expect(try await service.threads(for: anna).threads.count == 1)
  }

  @Test("a request that began before the erasure of its owner leaves nothing (R-MYM-24)") func running() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let work = service.work.begin(for: "anna")
    _ = try await service.eraseOwner(for: anna)
    let outcome = await code {
      try await service.changeMessages(of: anna, creating: true, during: work) { _ in _ = Issue.record("it runs") }
    }
    #expect(outcome == "gone")
    let folder = service.configuration.library.data.appending("messages".utf8).text
    #expect((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] == [])
  }

  @Test("an erasure that was interrupted is ended by the next start") func interruptedErasure() async throws {
    let fixture = try await ServiceFixture()
    _ = try await fixture.service.receiveMessage(try Carrier.retrieved(text: "Secretmessagetext"), for: anna)
    try await fixture.service.close()
    let folder = fixture.service.configuration.library.data.appending("messages".utf8).text
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    try FileManager.default.moveItem(atPath: "\(folder)/\(name)", toPath: "\(folder)/.erased-1")
    let service = try await ServiceFixture(in: fixture.folder).service
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    #expect(try await service.threads(for: anna).threads.isEmpty)
  }

  @Test("a page of threads and each event of a thread have the number of unread messages of all threads")
  func totalUnread() async throws {
    let service = try await ServiceFixture().service
    #expect(try await service.threads(for: anna).totalUnread == 0)
    for number in 1...3 {
      let octets = try Carrier.retrieved(number, from: "+1555000\(number)", photo: [1])
      _ = try await service.receiveMessage(octets, for: anna)
    }
    let page = try await service.threads(for: anna, limit: 1)
    #expect(page.threads.count == 1)
    #expect(page.totalUnread == 3)
    let events = try service.messageEvents(for: anna, after: page.lastEvent)
    defer { events.end() }
    let thread = try #require(page.threads.first).id
    _ = try await service.markRead(thread: thread, of: anna)
    let event = try #require(await events.next()).last { $0.name == "thread" }
    let text = String(decoding: try #require(event).data, as: UTF8.self)
    #expect(text.contains("\"id\":\"\(thread)\""))
    #expect(text.contains("\"unread\":0"))
    #expect(text.contains("\"totalUnread\":2"))
    try await service.deleteThread(thread, of: anna)
    let removed = try await service.threadEvent(try MediaService.thread(thread), of: "anna")
    #expect(String(decoding: removed, as: UTF8.self) == "{\"id\":\"\(thread)\",\"removed\":true,\"totalUnread\":2}")
  }

  @Test("a stream has each change with what it changes to, and continues after a page of threads") func events()
    async throws
  {
    let service = try await ServiceFixture().service
    let last = try #require(try await service.threads(for: anna).lastEvent)
    let received = try await service.receiveMessage(try Carrier.retrieved(photo: [1]), for: anna)
    let events = try service.messageEvents(for: anna, after: last)
    defer { events.end() }
    let others = try service.messageEvents(for: bert)
    defer { others.end() }
    func next(_ name: String) async throws -> String {
      while true {
        let found = try #require(await events.next()).last { $0.name == name }
        if let found { return String(decoding: found.data, as: UTF8.self) }
      }
    }
    let id = try #require(received.message?.id)
    #expect(try await next("message").contains("\"id\":\"\(id)\""))
    let thread = try #require(received.message?.thread)
    try await service.deleteThread(thread, of: anna)
    #expect(try await next("deleted") == "{\"id\":\"\(id)\",\"thread\":\"\(thread)\"}")
    others.nudge()
    #expect(await others.next()?.count == 0)
    // A shutdown ends streams, and none begins.
    service.endEventStreams()
    #expect(throws: ServiceError.self) { _ = try service.messageEvents(for: anna) }
    #expect(await others.next() == nil)
  }
}
