internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaLibrary
internal import MediaModel
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Deleting moments of the service") struct MomentErasingTests {
  private func post(
    _ file: FileID, in library: AttachmentLibrary, trips: [String]? = nil
  ) async throws -> Moment.ID {
    var new = MediaService.NewMoment(attachment: "\(file.rawValue)")
    new.trips = trips
    return Moment.ID(rawValue: try #require(Int64(try await library.service.post(new, for: .alice).id)))
  }

  private func isThere(_ file: FileID, in library: AttachmentLibrary) async throws -> Bool {
    try await library.service.library.catalogue.file(file) != nil
  }

  @Test("the attachment is erased with its last moment: original, row and addresses (R-MYM-12)") func last()
    async throws
  {
    let library = try await AttachmentLibrary()
    let service = library.service
    let file = try await library.add("camera-roll/IMG_0001.jpg")
    let path = try #require(try await service.library.catalogue.file(file)).stamp.path
    let moments = [try await post(file, in: library), try await post(file, in: library)]
    let first = try await service.eraseMoment(moments[0], for: .alice)
    #expect(first.moments == 1)
    #expect(first.files == 0)
    _ = try await service.original(file, for: .caller(.alice))
    let second = try await service.eraseMoment(moments[1], for: .alice)
    #expect(second.moments == 1)
    #expect(second.originals == 1)
    #expect(throws: FileError.self) { _ = try FileStatus(at: path) }
    #expect(try await service.database.read { db in try AttachmentRecord.read(file, db) }.isErased)
    #expect(await AttachmentLibrary.code { _ = try await service.eraseMoment(moments[1], for: .alice) } == .notFound)
    await service.sweepErasures()
  }

  @Test("an attachment that a label, a draft, a message or the profile uses stays, as one does that is to be kept")
  func used() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let labelled = try await library.add("camera-roll/IMG_0001.jpg", labels: ["g:42": false])
    let drafted = try await library.add("camera-roll/IMG_0002.jpg")
    let draft = try await service.createDraft(for: .alice, text: "")
    _ = try await service.addToDraft([.init(attachment: "\(drafted.rawValue)")], draft: draft.id, of: .alice)
    let sent = try await library.add("camera-roll/IMG_0003.jpg")
    let message = try await service.createDraft(for: .alice, text: "")
    _ = try await service.addToDraft([.init(attachment: "\(sent.rawValue)")], draft: message.id, of: .alice)
    _ = try await service.commitDraft(message.id, of: .alice)
    let avatar = try await library.add("color/palette.png")
    try await service.setAvatar("\(avatar.rawValue)", for: .alice)
    let inThread = try await library.add("camera-roll/IMG_0004.jpg")
    let content = [MediaService.ThreadDraft.Item.attachment(.init(attachment: "\(inThread.rawValue)"), crop: nil)]
    _ = try await service.createThread(.init(content: content, to: ["+15551234567"]), of: .alice)
    for file in [labelled, drafted, sent, avatar, inThread] {
      let moment = try await post(file, in: library)
      let report = try await service.eraseMoment(moment, for: .alice)
      #expect(report.moments == 1)
      #expect(report.files == 0, "\(file)")
      #expect(try await isThere(file, in: library), "\(file)")
    }
    let kept = try await library.add("camera-roll/VID_0008.mp4")
    _ = try await service.eraseMoment(try await post(kept, in: library), attachment: .keep, for: .alice)
    #expect(try await isThere(kept, in: library))
    // A use that has ended keeps nothing.
    var change = MediaService.AttachmentChange()
    change.labels = .set([])
    _ = try await service.change(labelled, change, for: .alice)
    _ = try await service.eraseMoment(try await post(labelled, in: library), for: .alice)
    #expect(try await !isThere(labelled, in: library))
  }

  @Test("signed URLs that readers of a deleted moment hold end, also if its attachment stays") func addresses()
    async throws
  {
    let library = try await AttachmentLibrary()
    let service = library.service
    let file = try await library.add("camera-roll/IMG_0001.jpg", labels: ["g:42": false])
    let moment = try await post(file, in: library)
    let before = try await service.database.read { db in try AttachmentRecord.read(file, db) }.generation
    _ = try await service.eraseMoment(moment, for: .alice)
    let after = try await service.database.read { db in try AttachmentRecord.read(file, db) }.generation
    #expect(after > before)
  }

  @Test("addresses end before a moment is deleted or shown to fewer people, also if the second database fails then")
  func failing() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let file = try await library.add("camera-roll/IMG_0001.jpg", labels: ["g:42": false])
    var new = MediaService.NewMoment(attachment: "\(file.rawValue)")
    new.visibility = .public
    let moment = Moment.ID(rawValue: try #require(Int64(try await service.post(new, for: .alice).id)))
    func generation() async throws -> Int {
      try await service.database.read { db in try AttachmentRecord.read(file, db) }.generation
    }
    // The second of two changes of the generation fails.
    try await service.database.write { db in
      try db.execute(
        sql: """
          CREATE TEMP TABLE failing (count INTEGER);
          CREATE TEMP TRIGGER failing BEFORE UPDATE OF generation ON attachment BEGIN
            SELECT CASE WHEN (SELECT count(*) FROM failing) = 1 THEN RAISE(ABORT, 'disk') END;
            INSERT INTO failing VALUES (1);
          END
          """)
    }
    var change = MediaService.MomentChange()
    change.visibility = .private
    let before = try await generation()
    #expect(await AttachmentLibrary.code { _ = try await service.change(moment, change, for: .alice) } != nil)
    #expect(try await generation() == before + 1)
    try await service.database.write { db in try db.execute(sql: "DELETE FROM failing") }
    #expect(await AttachmentLibrary.code { _ = try await service.eraseMoment(moment, for: .alice) } != nil)
    #expect(try await generation() == before + 2)
  }

  @Test("a draft that cannot be read keeps the file of a deleted moment") func damagedDraft() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let file = try await library.add("camera-roll/IMG_0001.jpg")
    let draft = try await service.createDraft(for: .alice, text: "")
    _ = try await service.addToDraft([.init(attachment: "\(file.rawValue)")], draft: draft.id, of: .alice)
    try library.damageDrafts()
    #expect(try await service.eraseMoment(try await post(file, in: library), for: .alice).files == 0)
    #expect(try await isThere(file, in: library))
  }

  @Test("a file that is added to a draft while its last moment is deleted is refused") func draftRace() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let file = try await library.add("camera-roll/IMG_0001.jpg")
    let moment = try await post(file, in: library)
    let draft = try await service.createDraft(for: .alice, text: "x")
    let gate = await ThreadGate(holding: service.library.writing)
    let erasing = Task { try await service.eraseMoment(moment, for: .alice) }
    try await waitUntil { service.library.writing.waiting == 1 }
    let isAdded = Mutex(false)
    async let adding = AttachmentLibrary.code {
      defer { isAdded.withLock { $0 = true } }
      _ = try await service.addToDraft([.init(attachment: "\(file.rawValue)")], draft: draft.id, of: .alice)
    }
    try await waitUntil { service.library.writing.waiting == 2 || isAdded.withLock { $0 } }
    try await gate.open()
    #expect(try await erasing.value.files == 1)
    #expect(await adding == .notFound)
    #expect(try await service.draft(draft.id, of: .alice).attachments.isEmpty)
  }

  @Test("a message that cannot be sent uses no file; the use of one that was sent stays") func unsentMessage()
    async throws
  {
    let library = try await AttachmentLibrary { $0.limits.labels = 1 }
    let service = library.service
    for (isSent, name) in [(false, "IMG_0001"), (true, "IMG_0002")] {
      let file = try await library.add("camera-roll/\(name).jpg")
      let moment = try await post(file, in: library)
      if isSent {
        let sent = try await service.createDraft(for: .alice, text: "")
        _ = try await service.addToDraft([.init(attachment: "\(file.rawValue)")], draft: sent.id, of: .alice)
        _ = try await service.commitDraft(sent.id, of: .alice)
      }
      let draft = try await service.createDraft(for: .alice, text: "")
      _ = try await service.addToDraft([.init(attachment: "\(file.rawValue)")], draft: draft.id, of: .alice)
      let code = await AttachmentLibrary.code {
        _ = try await service.commitDraft(draft.id, of: .alice, labels: ["a", "b"])
      }
      #expect(code == .invalidRequest)
      try await service.deleteDraft(draft.id, of: .alice)
      _ = try await service.eraseMoment(moment, for: .alice)
      #expect(try await isThere(file, in: library) == isSent)
    }
  }

  @Test("moments whose attachment is blocked are deleted too, alone and with a trip, and leave no row") func blocked()
    async throws
  {
    let library = try await AttachmentLibrary()
    let service = library.service
    let trip = try await service.add(MediaService.NewTrip(title: "One"), for: .alice)
    let files = [
      try await library.add("camera-roll/IMG_0001.jpg"), try await library.add("camera-roll/IMG_0002.jpg"),
    ]
    let alone = try await post(files[0], in: library)
    _ = try await post(files[1], in: library, trips: [trip.id])
    for file in files { _ = try await service.block(file, reason: "test", by: .moderator) }
    #expect(try await service.eraseMoment(alone, for: .alice).moments == 1)
    let id = Trip.ID(rawValue: try #require(Int64(trip.id)))
    #expect(try await service.eraseTrip(id, withMoments: true, for: .alice).moments == 1)
    for file in files {
      #expect(try await !isThere(file, in: library))
      #expect(try await service.database.read { db in try AttachmentRecord.read(file, db) }.isErased)
    }
  }

  @Test("a deleted trip keeps its moments, unless those that are in no other trip are to be deleted too (R-MYM-18)")
  func trips() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let (one, two) = (
      try await service.add(MediaService.NewTrip(title: "One"), for: .alice),
      try await service.add(MediaService.NewTrip(title: "Two"), for: .alice)
    )
    func id(_ trip: MediaService.TripAnswer) throws -> Trip.ID { Trip.ID(rawValue: try #require(Int64(trip.id))) }
    let shared = try await library.add("camera-roll/IMG_0001.jpg")
    let alone = try await library.add("camera-roll/IMG_0002.jpg")
    let inBoth = try await post(shared, in: library, trips: [one.id, two.id])
    let inOne = try await post(alone, in: library, trips: [one.id])
    #expect(await AttachmentLibrary.code { _ = try await service.eraseTrip(try id(one), for: .bob) } == .notFound)
    let stale = await AttachmentLibrary.code { _ = try await service.eraseTrip(try id(one), ifVersion: 1, for: .alice) }
    #expect(stale == .versionConflict)
    let report = try await service.eraseTrip(try id(one), withMoments: true, for: .alice)
    #expect(report.trips == 1)
    #expect(report.moments == 1)
    #expect(report.originals == 1)
    #expect(try await !isThere(alone, in: library))
    #expect(await AttachmentLibrary.code { _ = try await service.moment(inOne, for: .alice) } == .notFound)
    let kept = try await service.eraseTrip(try id(two), for: .alice)
    #expect(kept.trips == 1)
    #expect(kept.moments == 0)
    _ = try await service.moment(inBoth, for: .alice)
    #expect(await AttachmentLibrary.code { _ = try await service.eraseTrip(try id(two), for: .alice) } == .notFound)
  }

  @Test("nothing is posted for an owner whose erasure began before it was written (R-MYM-24)") func erasedOwner()
    async throws
  {
    let library = try await AttachmentLibrary()
    let service = library.service
    let gate = await ThreadGate(holding: service.library.writing)
    let posting = Task { await AttachmentLibrary.code { _ = try await service.post(.init(note: "late"), for: .alice) } }
    try await waitUntil { service.library.writing.waiting == 1 }
    try await service.eraseUploads(of: "alice")
    try await gate.open()
    #expect(await posting.value == .gone)
    #expect(try await service.moments(.init(), for: .alice).moments.isEmpty)
  }
}
