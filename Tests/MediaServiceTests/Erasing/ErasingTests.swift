internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite struct ErasingTests {
  @Test("An erased attachment is gone with original, renditions, name and labels, and its addresses stay dead")
  func attachment() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add(
      "camera-roll/IMG_0001.jpg", name: "secret name.jpg", labels: ["g:42": true], renditions: ["grid"])
    let other = try await library.add("camera-roll/IMG_0002.jpg")
    let path = try #require(try await service.library.catalogue.file(id)).stamp.path
    let report = try await service.erase(id, for: .alice)
    #expect(report.files == 1)
    #expect(report.originals == 1)
    #expect(report.renditions == 1)
    #expect(throws: FileError.self) { _ = try FileStatus(at: path) }
    let record = try await service.database.read { db in try AttachmentRecord.read(id, db) }
    #expect(record.isErased)
    #expect(record.generation == 1)
    #expect(record.name == nil)
    #expect(record.labels.isEmpty)
    for generation in 0...2 {
      let address = SignedAddress(expires: .max, generation: generation)
      #expect(await AttachmentLibrary.code { _ = try await service.original(id, for: .address(address)) } == .notFound)
    }
    _ = try await service.original(other, for: .caller(.alice))
    // The same file again is another attachment.
    let again = try await library.add("camera-roll/IMG_0001.jpg")
    #expect(again != id)
    _ = try await service.original(again, for: .caller(.alice))
  }

  @Test("An erasure that was interrupted after its tombstone can be repeated, and nobody reads the file meanwhile")
  func interrupted() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg")
    try await service.database.write { db in try AttachmentRecord.bury(id, db) }
    #expect(await AttachmentLibrary.code { _ = try await service.original(id, for: .caller(.alice)) } == .notFound)
    #expect(try await service.erase(id, for: .alice).files == 1)
    #expect(try await service.library.catalogue.file(id) == nil)
  }

  @Test("A rendition that is finished after its file was erased leaves nothing in the store")
  func lateRendition() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg")
    let file = try #require(try await service.library.catalogue.file(id))
    let name = try #require(MediaService.RenditionName(named: "grid", format: .webp))
    var request = RenditionRequest(name: "grid.webp", box: name.box, fit: name.fit)
    request.format = .webp
    let rendition = try await service.render(request, of: file)
    _ = try await service.erase(id, for: .alice)
    #expect(await AttachmentLibrary.code { try await service.keep([rendition], of: id) } == .notFound)
    #expect(try service.library.library.store.addresses(after: nil, limit: 10).isEmpty)
  }

  @Test("Erasing an owner takes its files, drafts and answers, and nothing of others")
  func owner() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let mine = try await library.add("camera-roll/IMG_0001.jpg", labels: ["g": false])
    _ = try await library.add("camera-roll/IMG_0002.jpg")
    let others = try await library.add("camera-roll/IMG_0001.jpg", owner: "bob", labels: ["g": false])
    let report = try await service.eraseOwner(for: .alice).library
    #expect(report.files == 2)
    #expect(report.originals == 2)
    #expect(report.isWiped)
    #expect(await AttachmentLibrary.code { _ = try await service.attachment(mine, for: .alice) } == .notFound)
    #expect(try await service.usage(for: .alice).files == 0)
    _ = try await service.original(others, for: .caller(.bob))
    #expect(try await service.attachment(others, for: .bob).own?.labels == ["g"])
    #expect(try await service.eraseOwner(for: .alice).library.files == 0)
  }

  @Test("The hourly sweep rewrites the catalogue after an erasure, also one of an earlier process")
  func sweep() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg")
    var change = MediaService.AttachmentChange()
    change.caption = .set("a very unusual caption")
    _ = try await service.change(id, change, for: .alice)
    _ = try await service.erase(id, for: .alice)
    await service.sweepErasures()
    for name in ["catalogue.sqlite", "catalogue.sqlite-wal"] {
      let bytes = (try? Data(contentsOf: URL(fileURLWithPath: library.folder.path("data/\(name)")))) ?? Data()
      #expect(bytes.range(of: Data("very unusual".utf8)) == nil)
    }
  }

  @Test("Erasing an owner takes the labels of files that the service has no row of, and ends their addresses")
  func withoutRow() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg")
    try await service.database.write { db in try db.execute(sql: "DELETE FROM attachment") }
    var change = MediaService.AttachmentChange()
    change.labels = .set(["family"])
    _ = try await service.change(id, change, for: .alice)
    try await service.database.write { db in try db.execute(sql: "UPDATE attachment SET owner = NULL") }
    let cut = Locked<Set<FileID>>([])
    service.onAddressesCut { ids in cut.withLock { $0.formUnion(ids) } }
    _ = try await service.eraseOwner(for: .alice)
    #expect(try await service.database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM label") } == 0)
    #expect(cut.withLock { $0 } == [id])
  }

  @Test("What the service itself knew of erased attachments cannot be read in its database's files")
  func serviceDatabase() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    func isReadable(_ text: String) -> Bool {
      ["service.sqlite", "service.sqlite-wal"].contains { name in
        let bytes = (try? Data(contentsOf: URL(fileURLWithPath: library.folder.path("data/\(name)")))) ?? Data()
        return bytes.range(of: Data(text.utf8)) != nil
      }
    }
    let one = try await library.add(
      "camera-roll/IMG_0001.jpg", name: "first secret.jpg", labels: ["secret label": true])
    _ = try await library.add("camera-roll/IMG_0002.jpg", name: "second secret.jpg")
    #expect(isReadable("first secret"))
    #expect(isReadable("secret label"))
    #expect(isReadable("second secret"))
    _ = try await service.erase(one, for: .alice)
    await service.sweepErasures()
    #expect(!isReadable("first secret"))
    #expect(!isReadable("secret label"))
    #expect(isReadable("second secret"))
    _ = try await service.eraseOwner(for: .alice)
    #expect(!isReadable("second secret"))
  }

  @Test("A draft that cannot be read keeps no file and no owner from being erased, and is reported")
  func damagedDraft() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let id = try await library.add("camera-roll/IMG_0001.jpg")
    _ = try await service.createDraft(for: .alice, text: "hello")
    try library.damageDrafts()
    let report = try await service.erase(id, for: .alice)
    #expect(report.files == 1)
    #expect(!report.notErased.isEmpty)
    _ = try await library.add("camera-roll/IMG_0002.jpg")
    #expect(try await service.eraseOwner(for: .alice).library.files == 1)
    #expect(try await service.drafts(of: .alice).drafts.isEmpty)
  }

  @Test("R-MYM-24: an erased attachment takes the image of a profile with it")
  func profile() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    for erase in [true, false] {
      let id = try await library.add("camera-roll/IMG_0001.jpg")
      try await service.setAvatar("\(id.rawValue)", for: .alice)
      if erase { _ = try await service.erase(id, for: .alice) } else { _ = try await service.eraseOwner(for: .alice) }
      #expect(try await service.database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM profile") } == 0)
    }
  }

  @Test("The usage of an owner is its own files by kind, with the quotas")
  func usage() async throws {
    let library = try await AttachmentLibrary { $0.limits.ownerFiles = 7 }
    _ = try await library.add("camera-roll/IMG_0001.jpg")
    _ = try await library.add("camera-roll/VID_0008.mp4")
    _ = try await library.add("camera-roll/IMG_0002.jpg", owner: "bob")
    let usage = try await library.service.usage(for: .alice)
    #expect(usage.owner == "alice")
    #expect(usage.files == 2)
    #expect(usage.limits.files == 7)
    #expect(usage.kinds.mapValues(\.files) == ["image": 1, "video": 1])
    #expect(usage.bytes == usage.kinds.values.reduce(0) { $0 + $1.bytes })
    #expect(usage.bytes > 0)
  }

  @Test("What `mediatool erase` took while no service ran leaves neither name, label, image of a profile nor answer")
  func outside() async throws {
    let kit = try await UploadKit.open()
    let photo = try UploadKit.photo()
    let upload = try await kit.service.create(photo.count, claims: Upload.Claims(name: "first secret.jpg"))
    let id = try #require(try await kit.service.send(photo, to: upload, at: 0).attachment?.id)
    let kept = try await kit.service.attach(
      Pieces(UploadKit.text(100)), length: 100, claims: Upload.Claims(name: "kept.txt"), for: UploadKit.ada
    ).id
    try await kit.service.setAvatar("\(id.rawValue)", for: UploadKit.ada)
    var change = MediaService.AttachmentChange()
    change.labels = .set(["secret label"])
    _ = try await kit.service.change(id, change, for: UploadKit.ada)
    let image = try await kit.service.avatar(of: UploadKit.ada).bytes
    try await kit.service.close()
    let library = try Library.open(at: kit.service.configuration.library, for: .writing)
    try library.erase(.file(id))
    try library.close()

    let again = try await UploadKit.open(in: kit.folder)
    await again.service.buryLost()
    for table in ["profile", "label", "upload"] {
      #expect(try await again.service.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table)") } == 0)
    }
    #expect(try await again.service.attachment(kept, for: UploadKit.ada).name == "kept.txt")
    await again.service.sweepErasures()
    for name in ["service.sqlite", "service.sqlite-wal"] {
      let bytes = (try? Data(contentsOf: URL(fileURLWithPath: kit.folder.path("library/\(name)")))) ?? Data()
      for secret in [Array("first secret".utf8), Array("secret label".utf8), Array(image.dropFirst(100).prefix(40))] {
        #expect(bytes.range(of: Data(secret)) == nil, "\(name)")
      }
    }
  }
}
