internal import Foundation
internal import GRDB
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("The setting for locations in the service (R-MYM-27)") struct LocationSwitchTests {
  @Test("the setting is private until its owner sets it, and decides about what is posted afterwards") func posted()
    async throws
  {
    let library = try await AttachmentLibrary()
    let service = library.service
    #expect(try await service.locationSettings(for: .alice).sharing == .private)
    let file = try await library.add("camera-roll/IMG_0001.jpg")
    var new = MediaService.NewMoment(attachment: "\(file.rawValue)")
    new.visibility = .friends
    let friend = Caller(owner: "bob", labels: ["friends:alice"])
    func isLocated(for caller: Caller) async throws -> Bool {
      let moment = Moment.ID(rawValue: try #require(Int64(try await service.post(new, for: .alice).id)))
      return try await service.moment(moment, for: caller).location != nil
    }
    #expect(try await !isLocated(for: friend))
    #expect(try await isLocated(for: .alice))
    #expect(try await service.setLocationSharing(.friends, for: .alice).sharing == .friends)
    #expect(try await isLocated(for: friend))
    _ = try await service.setLocationSharing(.none, for: .alice)
    #expect(try await !isLocated(for: .alice))
    #expect(try await service.locationSettings(for: .alice).sharing == Moment.LocationSharing.none)
    #expect(try await service.locationSettings(for: .bob).sharing == .private)
    let readOnly = Caller(owner: "alice", scope: .read)
    #expect(
      await AttachmentLibrary.code { _ = try await service.setLocationSharing(.friends, for: readOnly) } == .forbidden)
  }

  @Test("turned off for what is there, no location is in rows, maps, drafts, answers, or the bytes of the databases")
  func existing() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let file = try await library.add("camera-roll/IMG_0001.jpg")
    let others = try await library.add("camera-roll/IMG_0002.jpg", owner: "bob")
    _ = try await service.post(.init(attachment: "\(file.rawValue)"), for: .alice)
    let info = try #require(try await service.library.catalogue.file(file)?.info())
    let latitude = try #require(info.latitude)
    let draft = try await service.createDraft(for: .alice, text: "open")
    _ = try await service.addToDraft([.init(attachment: "\(file.rawValue)")], draft: draft.id, of: .alice)
    let message = try await service.createDraft(for: .alice, text: "sent")
    _ = try await service.addToDraft([.init(attachment: "\(file.rawValue)")], draft: message.id, of: .alice)
    #expect(try await service.commitDraft(message.id, of: .alice).attachments[0].info?.latitude == latitude)
    func isWritten() throws -> Bool {
      let big = withUnsafeBytes(of: latitude.bitPattern.bigEndian) { Array($0) }
      return try [big, Array("\(latitude)".utf8)].contains { bytes in
        try library.folder.files(containing: bytes).contains { !$0.contains("originals") }
      }
    }
    #expect(try isWritten())

    _ = try await service.setLocationSharing(.none, appliesToExisting: true, for: .alice)
    #expect(try await service.moments(.init(), for: .alice).moments.allSatisfy { $0.location == nil })
    #expect(try await service.momentLocations(in: .world, zoom: 3, .init(), for: .alice).clusters.isEmpty)
    #expect(try await service.locations(in: .world, zoom: 3, for: .alice).clusters.isEmpty)
    let facts = try await service.attachment(file, for: .alice)
    #expect(facts.own?.location == nil)
    #expect(facts.info?.latitude == nil)
    let open = try await service.draft(draft.id, of: .alice)
    #expect(open.text == "open")
    #expect(open.attachments.map(\.info.latitude) == [nil])
    #expect(try await service.commitDraft(message.id, of: .alice).attachments[0].info?.latitude == nil)
    #expect(try await service.commitDraft(message.id, of: .alice).attachments[0].info?.width == info.width)
    await service.sweepErasures()
    #expect(try !isWritten())
    #expect(try await service.attachment(others, for: .bob).own?.location != nil)
  }

  @Test("facts of a file that is uploaded while no location is stored have none, in its answer and afterwards")
  func uploaded() async throws {
    let kit = try await UploadKit.open()
    let service = kit.service
    _ = try await service.setLocationSharing(.none, for: UploadKit.ada)
    let photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
    let added = try await service.attach(
      Pieces(photo), length: photo.count, claims: Upload.Claims(name: "a.jpg"), for: UploadKit.ada)
    #expect(added.info.latitude == nil)
    #expect(added.info.width != nil)
    #expect(try await service.attachment(added.id, for: UploadKit.ada).info?.latitude == nil)
  }

  @Test(
    "originals are delivered without location, upright as before, while none is stored, and in every range",
    arguments: [
      "IMG_0001.jpg", "IMG_0002.jpg", "IMG_0003.jpg", "IMG_0006.heic", "IMG_0007.avif", "sticker.webp", "VID_0008.mp4",
      "MOV_0009.mov", "two-notes.mp3",
    ])
  func originals(name: String) async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let file = try await library.add("camera-roll/\(name)")
    func bytes() async throws -> (MediaService.OriginalFile, [UInt8]) {
      let original = try await service.original(file, for: .caller(.alice))
      return (original, try await original.read(at: 0, count: original.bytes))
    }
    let (before, original) = try await bytes()
    #expect(original == (try Fixture.bytes("camera-roll/\(name)")))
    let info = try await service.engine.probe(.bytes(original))
    _ = try await service.setLocationSharing(.none, for: .alice)
    let (after, stripped) = try await bytes()
    let shown = try await service.engine.probe(.bytes(stripped))
    #expect(shown.latitude == nil)
    #expect(shown.type == info.type)
    #expect(shown.orientation ?? .up == info.orientation ?? .up)
    #expect(shown.width == info.width)
    #expect(shown.height == info.height)
    #expect(after.bytes == stripped.count)
    if stripped != original { #expect(after.entityTag != before.entityTag) }
    #expect(try await after.read(at: 10, count: 5) == Array(stripped[10..<15]))
    #expect(try await after.read(at: stripped.count - 1, count: 5) == [stripped[stripped.count - 1]])
    #expect(try await after.read(at: stripped.count + 1, count: 5).isEmpty)
    _ = try await service.setLocationSharing(.private, for: .alice)
    #expect(try await bytes().1 == original)
  }

  @Test("an original of which the location cannot be removed is not delivered; its renditions are") func refused()
    async throws
  {
    let library = try await AttachmentLibrary()
    let service = library.service
    let file = try await library.add("formats/picture.bmp")
    let grid = try #require(MediaService.RenditionName(named: "grid", format: .webp))
    _ = try await service.setLocationSharing(.none, for: .alice)
    #expect(await AttachmentLibrary.code { _ = try await service.original(file, for: .caller(.alice)) } == .unavailable)
    #expect(try await !service.rendition(grid, of: file, for: .caller(.alice)).bytes.isEmpty)
  }

  @Test("a mail is not delivered while no location is stored; its photos are, without location") func mails()
    async throws
  {
    let library = try await AttachmentLibrary()
    let service = library.service
    let photo = Data(try Fixture.bytes("camera-roll/IMG_0001.jpg")).base64EncodedString()
    let lines = [
      "From: a@example.org", "To: b@example.org", "Subject: x", "Content-Type: multipart/mixed; boundary=b", "", "--b",
      "Content-Type: image/jpeg; name=a.jpg", "Content-Transfer-Encoding: base64", "", photo, "--b--", "",
    ]
    let path = try library.folder.write(Array(lines.joined(separator: "\r\n").utf8), to: "a.eml")
    let file = try await library.add(path: path, name: "a.eml")
    #expect(try await service.original(file, for: .caller(.alice)).bytes > 0)
    _ = try await service.setLocationSharing(.none, for: .alice)
    #expect(await AttachmentLibrary.code { _ = try await service.original(file, for: .caller(.alice)) } == .unavailable)
    let part = try await service.messagePart(1, of: file, for: .caller(.alice)).content
    #expect(try await service.engine.probe(.bytes(part.bytes)).latitude == nil)
    // A mail within the mail, also one that no signature knows.
    let mail = try #require(try await service.library.catalogue.file(file))
    for (type, name) in [("message/rfc822", nil), ("text/plain", "b.EML")] as [(String, String?)] {
      let code = await AttachmentLibrary.code {
        _ = try await service.withoutMetadata(
          [1], MediaInfo(type: MediaType(type), bytes: 1), name: name, owner: mail.owner)
      }
      #expect(code == .unavailable)
    }
    let text = try await service.withoutMetadata(
      [1], MediaInfo(type: MediaType("text/plain"), bytes: 1), name: "b.txt", owner: mail.owner)
    #expect(text == [1])
  }

  @Test("a draft that cannot be read is reported as not reached, and a key of what has an address alone stays")
  func unreached() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let file = try await library.add("camera-roll/IMG_0001.jpg")
    let draft = try await service.createDraft(for: .alice, text: "")
    _ = try await service.addToDraft([.init(attachment: "\(file.rawValue)")], draft: draft.id, of: .alice)
    let address = RepeatableAnswer(status: 201, headers: ["Location": "/v1/moments/1"])
    let facts = RepeatableAnswer(status: 201, body: [1])
    for (key, answer) in [("address", address), ("facts", facts)] {
      _ = try await service.answered(once: key, request: [], for: .alice) { answer }
    }
    #expect(try await service.setLocationSharing(.none, appliesToExisting: true, for: .alice).unreached == nil)
    let keys = try await service.database.read { db in try String.fetchAll(db, sql: "SELECT key FROM idempotency") }
    #expect(keys == ["address"])
    try library.damageDrafts()
    let settings = try await service.setLocationSharing(.none, appliesToExisting: true, for: .alice)
    #expect(settings.unreached == ["draft": 1])
  }

  @Test("an address of an original from before the setting was turned off is worth nothing") func addresses()
    async throws
  {
    let library = try await AttachmentLibrary()
    let service = library.service
    let file = try await library.add("camera-roll/IMG_0001.jpg")
    let generation = try #require(try await service.attachment(file, for: .alice).own?.generation)
    let address = SignedAddress(expires: .max, generation: generation)
    _ = try await service.original(file, for: .address(address))
    _ = try await service.setLocationSharing(.none, for: .alice)
    #expect(await AttachmentLibrary.code { _ = try await service.original(file, for: .address(address)) } == .notFound)
  }

  @Test("an original without metadata is not kept in memory beyond its erasure") func erased() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let file = try await library.add("camera-roll/IMG_0001.jpg")
    _ = try await service.setLocationSharing(.none, for: .alice)
    let first = try await service.original(file, for: .caller(.alice))
    #expect(try await service.original(file, for: .caller(.alice)) === first)
    _ = try await service.erase(file, for: .alice)
    struct Made: Error {}
    await #expect(throws: Made.self) {
      let key = StrippedOriginals.Key(id: file, entityTag: first.entityTag.replacing("-stripped", with: ""))
      _ = try await service.attachments.stripped.file(key, bytes: 1) { _ in throw Made() }
    }
  }

  @Test("an upload while no location is stored leaves the facts of other owners' files as they are") func sharedFacts()
    async throws
  {
    let kit = try await UploadKit.open()
    let photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
    let bobs = try await kit.service.attach(Pieces(photo), length: photo.count, for: UploadKit.bob)
    let latitude = try #require(bobs.info.latitude)
    _ = try await kit.service.setLocationSharing(.none, for: UploadKit.ada)
    let adas = try await kit.service.attach(Pieces(photo), length: photo.count, for: UploadKit.ada)
    #expect(adas.info.latitude == nil)
    #expect(try await kit.service.attachment(adas.id, for: UploadKit.ada).info?.latitude == nil)
    #expect(try await kit.service.attachment(adas.id, for: UploadKit.ada).own?.location == nil)
    #expect(try await kit.service.attachment(bobs.id, for: UploadKit.bob).info?.latitude == latitude)
  }
}
