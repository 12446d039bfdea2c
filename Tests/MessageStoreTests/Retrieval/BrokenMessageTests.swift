internal import MMSCodec
internal import MediaModel
internal import Messaging
internal import Testing

@testable internal import MessageStore

@Suite("Broken messages in a message store") struct BrokenMessageTests {
  private let network = FakeNetwork()

  /// Downloads a message, as it was sent.
  private func received(_ parts: [MMSMessage.Part], subject: String? = nil) async throws -> MessageStore.Message {
    let test = try TestStore()
    try test.store.changeSettings { $0.retrievalMode = .automatic }
    var message = try OperatorPDU.retrieved()
    message[.subject] = subject.map { EncodedString($0) }
    message.content = MMSMessage.Content(type: ContentType("application/vnd.wap.multipart.related"), parts: parts)
    try network.keep(message, at: "http://mmsc/1")
    let id = try #require(try test.store.receive(try OperatorPDU.notification()))
    try await MessageOutbox(test.store, network: network).runDue()
    #expect(try test.store.verify().isEmpty)
    return try test.store.message(id)
  }

  private static let parts = [
    MMSMessage.Part(type: .jpeg, name: "a.jpg", body: Array("a".utf8)),
    MMSMessage.Part(type: MediaType("text/plain"), name: "text.txt", body: Array("text".utf8)),
    MMSMessage.Part(type: .jpeg, name: "b.jpg", body: Array("b".utf8)),
  ]

  @Test(
    "R-MMS-63: a message is shown as its presentation says, and in the order of its parts if that cannot be read or names other parts",
    arguments: [
      ("<par><img src='b.jpg'/></par><par><img src='a.jpg'/><text src='text.txt'/></par>", ["b.jpg", "a.jpg", "text"]),
      ("<par><img src='b.jpg'/></par><par><img src='gone.jpg'/></par>", ["a.jpg", "text", "b.jpg"]),
      ("<par><img src='b.jpg'/></par>", ["a.jpg", "text", "b.jpg"]),
      ("", ["a.jpg", "text", "b.jpg"]),
      ("<par><img src=", ["a.jpg", "text", "b.jpg"]),
    ])
  func order(presentation: String, expected: [String]) async throws {
    let smil = MMSMessage.Part(
      type: MediaType("application/smil"), name: "p.smil", body: Array("<smil><body>\(presentation)</body></smil>".utf8)
    )
    let message = try await received([smil] + Self.parts)
    #expect(message.parts.map { $0.text ?? $0.name } == expected)
    let modules = MessageModule.modules(of: message.content())
    #expect(modules.map { $0.text ?? $0.filename } == expected)
    #expect(!message.isInvalidEmpty)
  }

  @Test("R-MMS-63: a message without parts and subject is received and invalid; a subject alone is valid")
  func empty() async throws {
    let message = try await received([])
    #expect(message.retrieval?.state == .received)
    #expect(message.isInvalidEmpty)
    #expect(message.content().isEmpty)
    #expect(try await !received([], subject: "Hello").isInvalidEmpty)
    // One that is not downloaded may have parts.
    let test = try TestStore()
    try test.store.changeSettings { $0.retrievalMode = .manual }
    let id = try #require(try test.store.receive(try OperatorPDU.notification()))
    #expect(try !test.store.message(id).isInvalidEmpty)
  }

  @Test("R-MMS-63: an image that an engine finds damaged is shown as damaged, and the others as they are")
  func damaged() async throws {
    let message = try await received(Self.parts)
    let content = message.content { part in
      var file = MessageModule.File(part)
      if part.name == "b.jpg" {
        file.failure = MediaFailure(.corrupt, "The image is damaged.")
      } else {
        file.images = [.init("thumbnail", from: .image)]
      }
      return file
    }
    let modules = MessageModule.modules(of: content)
    #expect(modules.map(\.state) == [.ready, .ready, .corrupted])
    #expect(modules.map(\.reason) == [nil, nil, "corrupt"])
    #expect(modules.last?.action == .view)
  }

  @Test("R-MMS-63: a download that is no message fails, the carrier gets to know, and its notification stays")
  func unreadable() async throws {
    let test = try TestStore()
    try test.store.changeSettings { $0.retrievalMode = .automatic }
    try network.keep(MMSMessage(.sendConf, transactionID: "x"), at: "http://mmsc/1")
    network.keep(Array("<html>".utf8), at: "http://mmsc/2")
    for number in [1, 2] {
      let id = try #require(try test.store.receive(try OperatorPDU.notification(number)))
      try await MessageOutbox(test.store, network: network).runDue()
      let message = try test.store.message(id)
      #expect(message.retrieval?.state == .failed)
      #expect(message.retrieval?.error == .unrecognized)
      #expect(network.pdus.last?[.status] == .unrecognised)
      #expect(MessageModule.modules(of: message.content()).map(\.action) == [.download])
    }
    #expect(try test.store.verify().isEmpty)
  }
}
