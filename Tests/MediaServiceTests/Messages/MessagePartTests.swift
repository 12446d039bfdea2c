internal import FileSupport
internal import MMSCodec
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Parts of a stored message (R-MMS-44)") struct MessagePartTests {
  private let anna = Caller(owner: "anna")

  @Test("each module has the address of its file, which gives the bytes of the part under its real type")
  func addresses() async throws {
    let fixture = try await ServiceFixture { $0.signingKeys = SigningKeys([.init(id: "k1", secret: Array(0..<32))]) }
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    var request = MediaService.CompositionRequest()
    (request.attachments, request.text, request.to) = ([photo], "Look!", ["+15551234567"])
    let pdu = try #require(try await service.compose(request, for: anna).pdu)
    let stored = try await fixture.add(path: try fixture.folder.write(pdu, to: "sent.mms"))
    let file = try MediaService.fileID(stored)

    let modules = try await service.modules(of: stored, for: anna).modules
    let image = try #require(modules.first { $0.kind == .image })
    let address = try #require(image.media)
    let parts = address.split(separator: "?").map(String.init)
    #expect(parts[0] == "/v1/attachments/\(stored)/parts/1")
    #expect(modules.first { $0.kind == .text }?.media == nil)
    let keys = try #require(service.configuration.signingKeys)
    let signed = try #require(keys.verify(path: parts[0], query: parts[1], now: fixture.clock.now))
    let (content, name) = try await service.messagePart(1, of: file, for: .address(signed))
    #expect(content.type == .jpeg)
    #expect(content.bytes.count == image.bytes)
    #expect(name != nil)

    for number in [0, -1, 2, 65, .max, .min] {
      #expect(await code { _ = try await service.messagePart(number, of: file, for: .caller(anna)) } == "notFound")
    }
    let bert = Caller(owner: "bert")
    #expect(await code { _ = try await service.messagePart(1, of: file, for: .caller(bert)) } == "notFound")
    let other = try MediaService.fileID(photo)
    #expect(await code { _ = try await service.messagePart(1, of: other, for: .caller(anna)) } == "unavailable")
  }

  @Test("the files of a message wait for their turn with the engine, so that they are not refused when it is busy")
  func turns() async throws {
    let fixture = try await ServiceFixture()
    let service = fixture.service
    let photo = try await fixture.add("camera-roll/IMG_0001.jpg")
    var request = MediaService.CompositionRequest()
    (request.attachments, request.to) = ([photo], ["+15551234567"])
    let pdu = try #require(try await service.compose(request, for: anna).pdu)
    let stored = try await fixture.add(path: try fixture.folder.write(pdu, to: "sent.mms"))
    let turns = service.examinations
    let (opened, gate) = AsyncStream<Void>.makeStream()
    let opening = Task { for await _ in opened {} }
    let others = Task {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0...2 * service.engine.running {
          group.addTask { try await turns.take(for: "bert") { await opening.value } }
        }
        try await group.waitForAll()
      }
    }
    // One more than there are turns.
    try await waitUntil { await turns.waitingCount("bert") == 1 }
    let reading = Task { try await service.modules(of: stored, for: anna) }
    try await waitUntil { await turns.waitingCount("anna") == 1 }
    gate.finish()
    try await others.value
    #expect(try await reading.value.modules.contains { $0.kind == .image })
  }
}
