internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import MMSCodec
internal import MediaModel
internal import MessageStore
internal import Messaging
internal import RawHTTP
internal import TestSupport
internal import Testing

/// A store and mmsd-tng send messages to each other, through an MMSC on 127.0.0.1.
@Suite("A message store and mmsd-tng", .enabled(if: MMSDaemon.isPresent, "mmsd-tng is not installed"))
struct StoreMMSDaemonTests {
  private static let own = "+15550001"
  private static let theirs = "+15550002"

  /// The MMSC over HTTP, as a phone reaches it.
  private struct HTTPNetwork: MessageOutbox.Network {
    let port: Int

    func submit(_ request: MessageOutbox.Request) async throws -> MessageOutbox.Answer {
      guard case .mms(let octets) = request else { throw MessageOutbox.Failure.permanent(.refused) }
      let answer = try await RawConnection(port: port).request(
        "POST", "/other", ["Content-Type": "application/vnd.wap.mms-message"], body: octets)
      guard answer.status == 200 else { throw MessageOutbox.Failure.transient(.transient) }
      return .mms(answer.body)
    }

    func fetch(_ location: String, progress: MessageOutbox.Progress) async throws -> [UInt8] {
      let path = try #require(URL(string: location)).path
      let answer = try await RawConnection(port: port).request("GET", path)
      if let failure = MessageRetrieval.FetchFailure(httpStatus: answer.status) {
        if case .transient(let code) = failure { throw MessageOutbox.Failure.transient(code) }
        throw MessageOutbox.Failure.permanent(.notFound)
      }
      return answer.body
    }
  }

  /// What the MMSC makes of a message that was sent: what it lets the recipient fetch.
  private func relayed(_ request: MMSMessage, _ number: Int, from sender: String) -> MMSMessage {
    var message = MMSMessage(.retrieveConf, transactionID: TextString("T\(number)"))
    message[.messageID] = TextString("m\(number)@example.org")
    message[.date] = 1_777_600_000
    message[.from] = .address(EncodedString(MMSAddress(sender, kind: .phone)))
    message[all: .to] = request[all: .to]
    message[.subject] = request[.subject]
    message[.messageClass] = .personal
    message.content = request.content
    return message
  }

  private func notification(_ number: Int, from sender: String, at location: String) throws -> [UInt8] {
    var message = MMSMessage(.notificationInd, transactionID: TextString("T\(number)"))
    message[.from] = .address(EncodedString(MMSAddress(sender, kind: .phone)))
    message[.messageClass] = .personal
    message[.messageSize] = 4_096
    message[.expiry] = .relative(259_200)
    message[.contentLocation] = TextString(location)
    return try message.encoded()
  }

  private func session(_ folder: TemporaryFolder) async throws -> MMSDaemonSession {
    var confirmation = MMSMessage(.sendConf, transactionID: "TRANSACTION")
    confirmation[.responseStatus] = .ok
    confirmation[.messageID] = "sent@example.org"
    try folder.write(confirmation.encoded(), to: "send-conf.pdu")
    return try await MMSDaemonSession(in: folder.url)
  }

  @Test("what the store sends is read by the daemon, and the delivery report reaches the recipient")
  func sends() async throws {
    let folder = try TemporaryFolder()
    let daemon = try await session(folder)
    let test = try TestStore { $0.ownAddresses = [Self.own] }
    try test.store.changeSettings { $0.requestsMMSDeliveryReports = true }
    let id = try test.store.send(
      Sample.picture(to: Self.theirs, subject: "Grüße"), files: ["photo": try test.file("bytes of a photo")])
    try await MessageOutbox(test.store, network: HTTPNetwork(port: daemon.port)).runDue()
    #expect(try test.store.message(id).sending?.state == .sent)

    let request = try MMSMessage(decoding: [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.path("other-1.pdu")))))
    #expect(request.type == .sendReq)
    try folder.write(relayed(request, 1, from: Self.own).encoded(), to: "1.pdu")
    let headers = octets("'application/vnd.wap.mms-message' 00 AF 84")
    let pdu = try notification(1, from: Self.own, at: "http://127.0.0.1:\(daemon.port)/1")
    try folder.write([0x01, 0x06, UInt8(headers.count)] + headers + pdu, to: "1.push")
    let answer = try MMSMessage(decoding: try await daemon.push("1"))
    #expect(answer[.status] == .retrieved)

    let seen = try #require(try await daemon.messages().first)
    #expect(seen.subject == "Grüße")
    #expect(seen.sender == Self.own)
    let parts = try seen.attachments.map { attachment in
      let stored = try Data(contentsOf: URL(fileURLWithPath: attachment.file))
      return String(
        decoding: stored.dropFirst(attachment.offset).prefix(attachment.length), as: UTF8.self)
    }
    #expect(parts == ["before", "bytes of a photo", "after"])

    #expect(try test.store.receive(try OperatorPDU.delivery("sent@example.org", to: Self.theirs)) == id)
    #expect(try test.store.message(id).sending?.isDelivered == true)
  }

  @Test("what the daemon sends is notified, downloaded, answered and stored with its file")
  func receives() async throws {
    let folder = try TemporaryFolder()
    let daemon = try await session(folder)
    let image = Array(repeating: UInt8(0xD8), count: 500)
    let order = MMSDaemon.Order(
      recipients: [Self.own], subject: "from the daemon",
      smil: "<smil><head><layout/></head><body><par><img src=\"i.jpg\"/><text src=\"t.txt\"/></par></body></smil>",
      attachments: [
        ["i.jpg", "image/jpeg", try folder.write(image, to: "files/i.jpg")],
        ["t.txt", "text/plain", try folder.write(Array("grüße".utf8), to: "files/t.txt")],
      ])
    try folder.write(Array(JSONEncoder().encode(order)), to: "send.json")
    let sent = try MMSMessage(decoding: try await daemon.send())
    try folder.write(relayed(sent, 2, from: Self.theirs).encoded(), to: "2.pdu")

    let test = try TestStore { $0.ownAddresses = [Self.own] }
    try test.store.changeSettings { $0.retrievalMode = .automatic }
    let pdu = try notification(2, from: Self.theirs, at: "http://127.0.0.1:\(daemon.port)/other/2")
    let id = try #require(try test.store.receive(pdu))
    let outbox = MessageOutbox(test.store, network: HTTPNetwork(port: daemon.port))
    try await outbox.runDue()
    let message = try test.store.message(id)
    #expect(message.retrieval?.state == .received)
    #expect(message.subject == "from the daemon")
    #expect(message.sender == Self.theirs)
    #expect(message.text == "grüße")
    let file = try #require(message.parts.compactMap(\.path).first)
    #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: file.text))) == image)
    let answer = try MMSMessage(decoding: [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.path("other-1.pdu")))))
    #expect(answer.type == .notifyRespInd)
    #expect(answer.transactionID == "T2")
    #expect(answer[.status] == .retrieved)
    #expect(try test.store.verify().isEmpty)
  }
}
