internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaEngine
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

/// `service.sqlite`, drafts and signed URLs name files by ids, which a new catalogue must not give to others.
@Suite("After a rebuild of a lost catalogue") struct RebuiltCatalogueTests {
  /// What a test removes besides the catalogue.
  enum Loss: String, CaseIterable {
    case catalogue, catalogueWithSnapshot, catalogueAndMarker
  }

  private static let owners = ["ada", "bob", "carl"]

  /// What an owner has and holds before the loss.
  private struct Held {
    let caller: Caller
    var files: [FileID] = []
    var draft = ""
    var upload: Upload.ID?
  }

  @Test("R-MYM-23: no old id, address, draft or answer shows another file, whoever asks", arguments: Loss.allCases)
  func lost(_ loss: Loss) async throws {
    let folder = try TemporaryFolder()
    var options = Library.Options()
    if loss == .catalogueWithSnapshot {
      try FileManager.default.createDirectory(atPath: folder.path("copy"), withIntermediateDirectories: true)
      options.copy = PathBytes(folder.path("copy"))
    }
    func open() async throws -> UploadKit {
      try await UploadKit.open(in: folder) { [options] in
        $0.libraryOptions = options
        $0.signingKeys = SigningKeys([.init(id: "k1", secret: Array(UInt8(0)..<32))])
      }
    }
    var kit = try await open()
    var held: [Held] = []
    for (index, owner) in Self.owners.enumerated() {
      held.append(try await Self.fill(kit, Caller(owner: owner), seed: UInt64(index)))
      // Only the first owner's files are in the snapshot.
      if loss == .catalogueWithSnapshot, index == 0 { _ = try await kit.service.library.backUp() }
    }
    let old = Set(held.flatMap(\.files))
    let contents = try await Self.contents(of: old, in: kit)
    try await kit.service.close()

    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: folder.path("library/catalogue.sqlite\(suffix)"))
    }
    if loss == .catalogueAndMarker { try FileManager.default.removeItem(atPath: folder.path("library/library.json")) }
    let location = LibraryLocation(folder: PathBytes(folder.path("library")))
    try Library.rebuild(at: location, options: options, accepting: { _ in true }).library.close()
    kit = try await open()
    // The owners upload other files, in another order, and the restored ones have ids too.
    var new: Set<FileID> = []
    for (index, owner) in Self.owners.reversed().enumerated() {
      let text = UploadKit.text(3_000, seed: UInt64(100 + index))
      new.insert(try await kit.service.attach(Pieces(text), length: nil, for: Caller(owner: owner)).id)
    }
    #expect(new.isDisjoint(with: old))
    // As the index of words needs them.
    #expect(new.allSatisfy { $0.rawValue < 1 << 31 })
    try await expectNothingOfOthers(old, held, contents, kit)
  }

  /// Asks for every old id as each owner, by label and by signed URL.
  private func expectNothingOfOthers(
    _ old: Set<FileID>, _ held: [Held], _ contents: [FileID: [UInt8]], _ kit: UploadKit
  ) async throws {
    let service = kit.service
    for id in old {
      let readers =
        held.map { MediaService.Reader.caller($0.caller) }
        + (0...3).map { .address(SignedAddress(expires: .max, generation: $0)) }
        + [.caller(Caller(owner: "dora", labels: ["g:ada", "g:bob", "g:carl"]))]
      for reader in readers {
        guard let file = try? await service.original(id, for: reader) else { continue }
        #expect(try await file.read(at: 0, count: 10_000) == contents[id], "\(id) \(reader)")
      }
      for one in held where !one.files.contains(id) {
        #expect(
          await UploadKit.code { () async throws(ServiceError) in
            _ = try await service.attachment(id, for: one.caller)
          } == .notFound)
      }
    }
    for one in held {
      // What a draft, the tray and an answer that is repeated name is what the owner had, or nothing.
      for item in try await service.draft(one.draft, of: one.caller).attachments {
        #expect(item.attachment.flatMap { Int64($0) }.map { one.files.map(\.rawValue).contains($0) } == true)
      }
      let tray = String(decoding: try await service.tray(for: one.caller, select: one.draft), as: UTF8.self)
      for other in held where other.caller != one.caller {
        for id in other.files { #expect(!tray.contains("/v1/attachments/\(id.rawValue)/")) }
      }
      let upload = try #require(one.upload)
      let state = try await service.upload(upload, for: one.caller)
      #expect(state.attachment.map { one.files.contains($0.id) } == true)
      let repeated = try await service.answered(once: "key", request: [1], for: one.caller) {
        () async throws(ServiceError) in
        throw ServiceError(.internalError, "It was forgotten.")
      }
      #expect(repeated.attachment.map { one.files.contains($0) } == true)
    }
  }

  /// Two files, a draft with one of them, and an answer that is repeated.
  private static func fill(_ kit: UploadKit, _ caller: Caller, seed: UInt64) async throws -> Held {
    var held = Held(caller: caller)
    let upload = try await kit.service.create(1_000, for: caller)
    let sent = try await kit.service.send(UploadKit.text(1_000, seed: 10 + seed), to: upload, at: 0, for: caller)
    held.upload = upload.id
    held.files.append(try #require(sent.attachment?.id))
    let answer = try await kit.service.answered(once: "key", request: [1], for: caller) {
      () async throws(ServiceError) in
      let text = UploadKit.text(2_000, seed: 20 + seed)
      let id = try await kit.service.attach(Pieces(text), length: nil, for: caller).id
      var answer = RepeatableAnswer(status: 201)
      answer.attachment = id
      return answer
    }
    held.files.append(try #require(answer.attachment))
    var change = MediaService.AttachmentChange()
    change.originalLabels = .set(["g:\(caller.owner)"])
    for id in held.files { _ = try await kit.service.change(id, change, for: caller) }
    held.draft = try await kit.service.createDraft(for: caller, text: "secret").id
    _ = try await kit.service.addToDraft(
      held.files.map { .init(attachment: "\($0.rawValue)") }, draft: held.draft, of: caller)
    return held
  }

  private static func contents(of ids: Set<FileID>, in kit: UploadKit) async throws -> [FileID: [UInt8]] {
    var contents: [FileID: [UInt8]] = [:]
    for id in ids { contents[id] = try await kit.original(id) }
    return contents
  }

  @Test("ids are reserved outside of the catalogue before they are given, and words find the files that have them")
  func reserved() async throws {
    let kit = try await UploadKit.open()
    func marker() throws -> Int64 {
      let data = try Data(contentsOf: URL(fileURLWithPath: kit.folder.path("library/library.json")))
      return try #require((try JSONSerialization.jsonObject(with: data) as? [String: Any])?["lastID"] as? Int64)
    }
    let step: Int64 = 1 << 20
    #expect(try marker() == step)
    _ = try await kit.service.attach(Pieces(UploadKit.text(100)), length: nil, for: UploadKit.ada)
    #expect(try marker() == step)
    try await kit.service.close()
    let queue = try DatabaseQueue(path: kit.folder.path("library/catalogue.sqlite"))
    try await queue.write { db in try db.execute(sql: "UPDATE sqlite_sequence SET seq = \(step) WHERE name = 'file'") }
    try queue.close()
    let again = try await UploadKit.open(in: kit.folder)
    let id = try await again.service.attach(
      Pieces(UploadKit.text(100, seed: 2)), length: nil, claims: Upload.Claims(name: "zebra.txt"), for: UploadKit.ada
    ).id
    #expect(id.rawValue == step + 1)
    #expect(try marker() == 2 * step + 1)
    var change = MediaService.AttachmentChange()
    change.title = .set("zebra")
    _ = try await again.service.change(id, change, for: UploadKit.ada)
    let found = try await again.service.library.catalogue.call { catalogue in
      try catalogue.search("zebra", in: .all, after: nil, limit: 2)
    }
    #expect(found.files.map(\.id) == [id])
  }
}
