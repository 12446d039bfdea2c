internal import FileSupport
internal import Foundation
internal import MalwareScanning
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("The erasure of an owner, by class (R-MYM-24)") struct OwnerErasureTests {
  /// Words that stand in what the owner has, each in another class.
  private static let secrets = [
    "Attachmenttitle", "Attachmentname", "labelofmine", "Momenttitle", "Notetext", "Triptitle", "Tripdescription",
    "Drafttext", "Alternativetext", "Senttext", "Uploadname", "Answertext", "Collectionname", "Threadtext",
    "Reportreason",
  ]
  /// The first half of an upload that is under way.
  private static let part = UploadKit.text(50)

  /// Opens a service whose library has a copy.
  private func open(_ configure: (inout MediaService.Configuration) -> Void = { _ in }) async throws -> UploadKit {
    let folder = try TemporaryFolder()
    return try await UploadKit.open(in: folder) {
      $0.libraryOptions.copy = PathBytes(folder.path("copy"))
      $0.scanning = MediaService.Scanning(CleanScanner())
      configure(&$0)
    }
  }

  /// A scanner that finds nothing, and leaves verdicts.
  private struct CleanScanner: MalwareScanner {
    func scan(_ path: PathBytes) async -> MalwareScan { MalwareScan(.clean, engine: "test", signatures: 1) }

    func status() async -> MalwareScan.ScannerStatus {
      MalwareScan.ScannerStatus(isUp: true, engine: "test", signatures: 1)
    }
  }

  /// Everything that an owner can have.
  private func fill(_ kit: UploadKit) async throws {
    let (service, ada) = (kit.service, UploadKit.ada)
    let photo = try UploadKit.photo()
    let file = try await service.attach(
      Pieces(photo), length: photo.count, claims: Upload.Claims(name: "Attachmentname.jpg"), for: ada
    ).id
    var change = MediaService.AttachmentChange()
    (change.title, change.labels) = (.set("Attachmenttitle"), .set(["labelofmine"]))
    change.collection = .set("Collectionname")
    _ = try await service.change(file, change, for: ada)
    var trip = MediaService.NewTrip(title: "Triptitle")
    trip.description = "Tripdescription"
    _ = try await service.add(trip, for: ada)
    var moment = MediaService.NewMoment(attachment: "\(file.rawValue)")
    moment.title = "Momenttitle"
    _ = try await service.post(moment, for: ada)
    _ = try await service.post(.init(note: "Notetext"), for: ada)
    let open = try await service.createDraft(for: ada, text: "Drafttext")
    _ = try await service.addToDraft(
      [.init(attachment: "\(file.rawValue)", altText: "Alternativetext")], draft: open.id, of: ada)
    let sent = try await service.createDraft(for: ada, text: "Senttext")
    _ = try await service.addToDraft([.init(attachment: "\(file.rawValue)")], draft: sent.id, of: ada)
    _ = try await service.commitDraft(sent.id, of: ada)
    try await service.setAvatar("\(file.rawValue)", for: ada)
    let upload = try await service.create(100, claims: Upload.Claims(name: "Uploadname.txt"))
    _ = try await service.send(Self.part, to: upload, at: 0)
    _ = try await service.receiveMessage(try Carrier.retrieved(text: "Threadtext"), for: ada)
    let bobs = try await service.attach(
      Pieces(UploadKit.text(500, seed: 9)), length: 500, for: UploadKit.bob
    ).id
    var shared = MediaService.AttachmentChange()
    shared.labels = .set(["g:42"])
    _ = try await service.change(bobs, shared, for: UploadKit.bob)
    try await service.report(bobs, reason: "Reportreason", by: Caller(owner: "ada", labels: ["g:42"]))
    _ = try await service.answered(once: "key", request: [1], for: ada) { () async throws(ServiceError) in
      RepeatableAnswer(status: 201, headers: ["Location": "Answertext"])
    }
    await service.sweepCopy()
  }

  @Test("the report has each class with its number, and the second one has nothing") func report() async throws {
    let kit = try await open { $0.backupDays = 30 }
    try await fill(kit)
    let report = try await kit.service.eraseOwner(for: UploadKit.ada)
    #expect(report.library.files == 1)
    #expect(report.library.originals == 1)
    #expect(report.library.renditions > 0)
    #expect(report.library.collections == 1)
    #expect(report.library.moments == 2)
    #expect(report.notes == 1)
    #expect(report.library.trips == 1)
    #expect(report.drafts == 1)
    #expect(report.messages == 2)
    #expect(report.library.reports == 1)
    #expect(report.library.verdicts == 1)
    #expect(report.library.copies == 1)
    #expect(report.uploads == 1)
    #expect(report.avatars == 1)
    #expect(report.labels == 1)
    #expect(report.answers == 1)
    #expect(report.backupsUntil == 1_700_000_000 + 30 * 86_400)
    #expect(report.unreached == [:])
    #expect(report.locations == 2)
    #expect(report.library.isWiped)
    var nothing = try await kit.service.eraseOwner(for: UploadKit.ada)
    (nothing.library.isWiped, nothing.backupsUntil) = (false, nil)
    #expect(nothing == MediaService.Erasure())
  }

  @Test("the report about an attachment has the same classes with its numbers, and 0 for other data of its owner")
  func ofAttachment() async throws {
    let kit = try await open { $0.backupDays = 30 }
    try await fill(kit)
    let file = try #require(
      try await kit.service.library.catalogue.newest(.owner("ada"), after: nil, limit: 9).files.first)
    let report = try await kit.service.erase(file.id, for: UploadKit.ada)
    #expect(report.files == 1)
    #expect(report.originals == 1)
    #expect(report.copies == 1)
    #expect(report.renditions > 0)
    #expect(report.moments == 1)
    #expect(report.notes == 0)
    #expect(report.locations == 2, "of the file and of its moment")
    #expect(report.verdicts == 1)
    #expect(report.attachments == 1, "of the open draft")
    #expect(report.messages == 1, "the kept answer of the sent draft")
    #expect(report.labels == 1)
    #expect(report.avatars == 1)
    #expect(report.backupsUntil == 1_700_000_000 + 30 * 86_400)
    #expect(report.collections == 0)
    #expect(report.trips == 0)
    #expect(report.drafts == 0)
    #expect(report.answers == 0)
    #expect(report.reports == 0)
    #expect(report.unreached == [:])
    let note = try #require(
      try await kit.service.library.readMoments { try $0.newest(.owner("ada"), after: nil, limit: 9).moments.first })
    let second = try await kit.service.eraseMoment(note.id, for: UploadKit.ada)
    #expect(second.moments == 1)
    #expect(second.notes == 1)
    #expect(second.files == 0)
  }

  @Test("nothing of an erased owner is in any byte that the service has written; everything of others is")
  func bytes() async throws {
    let kit = try await open()
    try await fill(kit)
    _ = try await kit.service.post(.init(note: "Othernote"), for: UploadKit.bob)
    let image = try await kit.service.avatar(of: UploadKit.ada).bytes
    let original = Array(try UploadKit.photo().dropFirst(5_000).prefix(64))
    let binary = [Array(image.dropFirst(60).prefix(40)), original, Self.part]
    let texts = Self.secrets.map { Array($0.utf8) }
    for bytes in texts + binary {
      #expect(try !kit.folder.files(containing: bytes).isEmpty, "\(String(decoding: bytes, as: UTF8.self))")
    }
    _ = try await kit.service.eraseOwner(for: UploadKit.ada)
    for bytes in texts + binary {
      #expect(try kit.folder.files(containing: bytes) == [], "\(String(decoding: bytes, as: UTF8.self))")
    }
    for spelling in ["attachmenttitle", "momenttitle", "notetext", "triptitle"] {
      #expect(try kit.folder.files(containing: Array(spelling.utf8)) == [], "\(spelling)")
    }
    #expect(try !kit.folder.files(containing: Array("Othernote".utf8)).isEmpty)
  }

  @Test("a moderator's text about an erased owner's image is in no byte, and the image stays blocked for others")
  func reasons() async throws {
    let kit = try await UploadKit.open()
    let image = try Fixture.bytes("color/rgb8.png")
    func attach(_ owner: String) async throws -> FileID {
      try await kit.service.attach(Pieces(image), length: image.count, for: Caller(owner: owner)).id
    }
    let file = try await attach("ada")
    let bobs = try await attach("bob")
    _ = try await kit.service.block(file, reason: "Quokkareason", similar: true, by: .moderator)
    #expect(try !kit.folder.files(containing: Array("Quokkareason".utf8)).isEmpty)
    _ = try await kit.service.eraseOwner(for: UploadKit.ada)
    #expect(try kit.folder.files(containing: Array("Quokkareason".utf8)) == [])
    for id in [bobs, try await attach("eve")] {
      #expect(try await kit.service.library.catalogue.file(id)?.state == .quarantined)
    }
    let blocked = try await kit.service.library.readModeration { try $0.imageBlocks(after: nil, limit: 9).blocks }
    #expect(blocked.map(\.decision.reason) == [""])
  }

  @Test("what cannot be read is reported by its class, and keeps nothing else from being erased") func unreached()
    async throws
  {
    let kit = try await open()
    try await fill(kit)
    _ = try await kit.service.createDraft(for: UploadKit.bob, text: "of bob")
    try damageStoredDrafts(in: kit.folder.path("library/drafts"))
    let report = try await kit.service.eraseOwner(for: UploadKit.ada)
    // Nobody can say what the draft of bob has.
    #expect(report.unreached == ["draft": 1])
    #expect(!report.library.isWiped)
    #expect(report.library.files == 1)
    #expect(report.drafts == 1)
    #expect(try kit.folder.files(containing: Array("Momenttitle".utf8)) == [])
  }
}
