internal import Foundation
internal import MalwareScanning
internal import MediaLibrary
internal import MediaModel
internal import MessageStore
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Files of messages that are blocked or held") struct HeldPartTests {
  private let anna = Caller(owner: "anna")
  private let scanner = FakeScanner()

  /// A message that was sent with a photo, whose original has another content than the file of the message.
  private struct Sent {
    let service: MediaService
    let message: String
    let original: FileID
    let content: ContentDigest
  }

  private func send(
    scanned: Bool = false, configure: (inout MediaService.Configuration) -> Void = { _ in }
  ) async throws -> Sent {
    let fixture = try await ServiceFixture(configure: configure)
    let service = fixture.service
    let original = try MediaService.fileID(try await fixture.add("camera-roll/IMG_0001.jpg"))
    let content = try #require(try await service.library.catalogue.file(original)?.digest)
    if scanned { try await service.apply(Moderation.Verdict(content, .clean, at: fixture.clock.now)) }
    let draft = try JSONDecoder().decode(
      MediaService.ThreadDraft.self,
      from: Data(
        "{\"to\":[\"\(Carrier.ann)\"],\"content\":[{\"attachment\":\"\(original.rawValue)\"}]}".utf8))
    let thread = try await service.createThread(draft, of: anna).thread
    let message = try await service.commitDraft(ofThread: thread, .init(), of: anna).message.id
    let part = try #require(try await service.storedMessage(message, of: anna).parts.first { $0.path != nil })
    #expect(part.digest != content)
    #expect(part.source == content)
    return Sent(service: service, message: message, original: original, content: content)
  }

  /// What happens to the file, its image and the PDU: the code of the error, nil without one.
  private func outcomes(_ sent: Sent) async throws -> [String?] {
    let grid = try #require(MediaService.RenditionName("grid.webp", boxes: []))
    let service = sent.service
    return [
      await code { _ = try await service.messageFile(1, of: sent.message, for: anna) },
      await code { _ = try await service.messageImage(grid, ofFile: 1, of: sent.message, for: anna) },
      await code { _ = try await service.requests(of: sent.message, for: anna) },
    ]
  }

  @Test("who blocks a photo blocks the smaller copies in messages too, until it is released (R-MYM-26)")
  func blocked() async throws {
    let sent = try await send()
    let moderator = Caller(owner: "moderator", scope: .moderate)
    #expect(try await outcomes(sent) == [nil, nil, nil])
    _ = try await sent.service.block(sent.original, reason: "spam", by: moderator)
    #expect(try await outcomes(sent) == ["notFound", "notFound", "refused"])
    let modules = try await sent.service.modules(of: sent.message, for: anna).modules
    #expect(modules.map(\.media) == [nil])
    #expect(modules.map(\.thumbnail) == [nil])
    _ = try await sent.service.release(sent.original, by: moderator)
    #expect(try await outcomes(sent) == [nil, nil, nil])
    // The block lasts when the photo is erased.
    let content = sent.content
    _ = try await sent.service.erase(sent.original, for: anna)
    #expect(try await outcomes(sent) == [nil, nil, nil])
    _ = try await sent.service.library.moderate { try $0.block(content, reason: "spam", by: "m", at: 1) }
    #expect(try await outcomes(sent) == ["notFound", "notFound", "refused"])
  }

  @Test("a photo that is quarantined alone is in no message of its owner either (R-MYM-26)") func quarantined()
    async throws
  {
    let sent = try await send()
    let original = sent.original
    _ = try await sent.service.library.moderate { try $0.quarantine([original], reason: "reports", by: "m", at: 1) }
    #expect(try await outcomes(sent) == ["notFound", "notFound", "refused"])
  }

  @Test("a copy of a photo is held, or gone, by the last verdict on the photo (R-MYM-26)") func verdicts()
    async throws
  {
    let sent = try await send(scanned: true) { [scanner] in $0.scanning = MediaService.Scanning(scanner) }
    #expect(try await outcomes(sent) == [nil, nil, nil])
    let time = sent.service.now() + 1
    let encrypted = Moderation.Verdict(sent.content, .unscannable, detail: "encrypted", signatures: 2, at: time)
    try await sent.service.apply(encrypted)
    #expect(try await outcomes(sent) == ["unavailable", "unavailable", "refused"])
    try await sent.service.apply(Moderation.Verdict(sent.content, .infected, detail: "Eicar", signatures: 3, at: time))
    #expect(try await outcomes(sent) == ["notFound", "notFound", "refused"])
  }

  @Test("a received file is handed out and decoded when it was found clean; not each request asks the scanner")
  func received() async throws {
    let fixture = try await ServiceFixture { [scanner] in $0.scanning = MediaService.Scanning(scanner) }
    let service = fixture.service
    scanner.isAway = true
    let arrived = try await service.receiveMessage(try Carrier.retrieved(), for: anna)
    let message = try #require(arrived.message?.id)
    for _ in 1...3 {
      #expect(await code { _ = try await service.messageFile(1, of: message, for: anna) } == "unavailable")
    }
    #expect(try await service.modules(of: message, for: anna).modules.map(\.media) == [nil, nil])
    #expect(scanner.scans == 1)
    scanner.isAway = false
    fixture.clock.advance(UnscannedParts.pause)
    #expect(try await service.messageFile(1, of: message, for: anna).content.type == .jpeg)
    #expect(scanner.scans == 2)
    // Malware that a later message has.
    scanner.find { _ in .infected(name: "Eicar") }
    let other = try await service.receiveMessage(try Carrier.retrieved(2, photo: [1, 2, 3]), for: anna)
    let malware = try #require(other.message?.id)
    #expect(await code { _ = try await service.messageFile(1, of: malware, for: anna) } == "notFound")
  }
}
