internal import MalwareScanning
internal import MediaLibrary
internal import MediaModel
internal import Testing

@testable internal import MediaService

/// Uploads that the scanner cannot scan, and what a moderator decides about them.
extension ScanningTests {
  private static let labelled = Caller(owner: "bob", labels: ["g"])

  private func isReadable(_ id: FileID, _ kit: UploadKit) async -> Bool {
    await AttachmentLibrary.code { _ = try await kit.service.original(id, for: .caller(Self.labelled)) } == nil
  }

  /// An upload of ada's that is encrypted, with the label `g`.
  private func held(_ kit: UploadKit) async throws -> FileID {
    scanner.find { _ in .unscannable(.encrypted) }
    let id = try await upload(kit).id
    try await kit.service.database.write { db in
      try AttachmentRecord.note(id, owner: "ada", name: nil, labels: ["g": true], in: db)
    }
    return id
  }

  @Test("A moderator reads and accepts a file that could not be scanned; others see it with its images from then on")
  func acceptedUnscannable() async throws {
    let kit = try await open()
    let id = try await held(kit)
    #expect(await isReadable(id, kit) == false)
    let waiting = try await kit.service.unscannable(after: nil, limit: 9, for: .moderator).items
    #expect(waiting.map(\.reason) == ["encrypted"])
    #expect(waiting.flatMap(\.attachments).map(\.id) == ["\(id.rawValue)"])
    #expect(waiting.flatMap(\.attachments).map(\.owner) == ["ada"])
    let bytes = try await kit.service.original(id, forModerator: .moderator).bytes
    #expect(bytes > 0)
    // A moderator is somebody else, who gets the photo without its metadata.
    #expect(bytes < (try UploadKit.photo().count))
    let state = try await kit.service.accept(id, reason: "opened it", by: .moderator)
    #expect(state.accepted)
    #expect(await isReadable(id, kit))
    #expect(try await kit.service.attachment(id, for: UploadKit.ada).own?.isHeld == false)
    #expect(try await kit.service.library.catalogue.renditions(of: id).map(\.name).sorted() == ["grid", "message"])
    #expect(try await kit.service.unscannable(after: nil, limit: 9, for: .moderator).items.isEmpty)
    let decisions = try await kit.service.moderationAudit(after: nil, limit: 1, for: .moderator).items
    #expect(decisions.map(\.action) == ["accept"])
    #expect(decisions.map(\.reason) == ["opened it"])
  }

  @Test("An accepted content is not held when somebody else uploads it, nor when newer signatures cannot scan it")
  func acceptedAgain() async throws {
    let kit = try await open()
    let id = try await held(kit)
    _ = try await kit.service.accept(id, reason: "", by: .moderator)
    #expect(try await upload(kit, for: UploadKit.bob).isHeld == nil)
    scanner.find(signatures: 2) { _ in .unscannable(.encrypted) }
    _ = try await kit.service.sweepScans(everything: true)
    #expect(await isReadable(id, kit))
    scanner.find(signatures: 3) { _ in .infected(name: "Eicar") }
    _ = try await kit.service.sweepScans(everything: true)
    #expect(await isReadable(id, kit) == false)
    let refused = await AttachmentLibrary.code {
      _ = try await kit.service.original(id, forModerator: .moderator)
    }
    #expect(refused == .invalidRequest)
  }

  @Test("A file that could not be scanned is rejected by a block: nobody reads it, and it waits for nobody")
  func rejectedUnscannable() async throws {
    let kit = try await open()
    let id = try await held(kit)
    _ = try await kit.service.accept(id, reason: "", by: .moderator)
    let blocked = try await kit.service.block(id, reason: "no", by: .moderator)
    #expect(blocked.accepted == false)
    #expect(await isReadable(id, kit) == false)
    #expect(try await kit.service.unscannable(after: nil, limit: 9, for: .moderator).items.isEmpty)
    let again = await AttachmentLibrary.code { _ = try await kit.service.accept(id, reason: "", by: .moderator) }
    #expect(again == .invalidRequest)
  }

  @Test("Only moderators list, read and accept what could not be scanned, and a clean file is not accepted")
  func unscannableScope() async throws {
    let kit = try await open()
    let id = try await held(kit)
    #expect(
      await AttachmentLibrary.code {
        _ = try await kit.service.unscannable(after: nil, limit: 9, for: UploadKit.ada)
      } == .forbidden)
    #expect(
      await AttachmentLibrary.code { _ = try await kit.service.original(id, forModerator: UploadKit.ada) }
        == .forbidden)
    #expect(
      await AttachmentLibrary.code { _ = try await kit.service.accept(id, reason: "", by: UploadKit.ada) }
        == .forbidden)
    scanner.find { _ in .clean }
    let clean = try await upload(kit, UploadKit.text(100, seed: 1)).id
    #expect(
      await AttachmentLibrary.code { _ = try await kit.service.accept(clean, reason: "", by: .moderator) }
        == .invalidRequest)
  }
}
