internal import AttachmentPolicy
internal import Foundation
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Uploads") struct UploadFlowTests {
  private let ada = UploadKit.ada

  @Test(
    "R-CHAT-3: a file in one request becomes an attachment with verdict, facts, placeholder, renditions and original")
  func oneRequest() async throws {
    let kit = try await UploadKit.open()
    let photo = try UploadKit.photo()
    let attachment = try await kit.service.attach(
      Pieces(photo), length: photo.count, claims: Upload.Claims(name: "IMG_0001.jpg", type: "image/jpeg"), for: ada)
    #expect(attachment.verdict.accepted)
    #expect(attachment.verdict.files.map(\.id.rawValue) == ["\(attachment.id.rawValue)"])
    #expect(attachment.info.type == .jpeg)
    #expect(attachment.info.sha256.map { Array($0.utf8) }?.count == 64)
    #expect(attachment.placeholder != nil)
    #expect(attachment.renditions.map(\.name).sorted() == ["grid", "message"])
    for rendition in attachment.renditions {
      let address = try #require(rendition.digest)
      #expect(try await kit.service.library.rendition(address)?.count == rendition.bytes)
    }
    #expect(try await kit.original(attachment.id) == photo)
    let row = try #require(try await kit.service.library.catalogue.file(attachment.id))
    #expect(row.owner == "ada")
    #expect(row.digest?.bytes == UploadKit.sha256(photo))
    #expect(try kit.parts() == [:])
    let module = try #require(attachment.module(addresses: ["message": "/m"]))
    #expect(module.thumbnail == "/m")
  }

  @Test("Photos that are complete at the same time are all stored, although the engine refuses so many jobs")
  func manyAtOnce() async throws {
    let kit = try await UploadKit.open()
    let photo = try UploadKit.photo()
    let ids = try await withThrowingTaskGroup(of: FileID.self) { group in
      for number in UInt8(0)..<30 {
        group.addTask {
          // The bytes after its end make each photo another file.
          let bytes = photo + [number]
          let claims = Upload.Claims(type: "image/jpeg")
          return try await kit.service.attach(Pieces(bytes), length: bytes.count, claims: claims, for: UploadKit.ada).id
        }
      }
      return try await group.reduce(into: Set<FileID>()) { $0.insert($1) }
    }
    #expect(ids.count == 30)
  }

  @Test("A body that ends before its stated length leaves nothing, and one that is longer is refused")
  func lyingLength() async throws {
    let kit = try await UploadKit.open()
    let text = UploadKit.text(50_000)
    for (length, end) in [(50_001, Pieces.End.whole), (49_999, .whole), (50_000, .cut)] {
      let error = await UploadKit.code { () async throws(ServiceError) in
        _ = try await kit.service.attach(Pieces(text, end: end), length: length, for: ada)
      }
      #expect(error == (length == 49_999 ? .lengthMismatch : .incomplete))
    }
    #expect(try kit.parts() == [:])
    #expect(try await kit.service.library.catalogue.counts(in: .all).isEmpty)
  }

  @Test("What arrived of a lost connection is kept, and the rest makes the whole file")
  func lostConnection() async throws {
    let kit = try await UploadKit.open()
    let text = UploadKit.text(700_000)
    let upload = try await kit.service.create(text.count)
    #expect(
      await UploadKit.code { () async throws(ServiceError) in
        _ = try await kit.service.send(Array(text[..<300_001]), to: upload, at: 0, end: .cut, stated: text.count)
      } == .incomplete)
    let resumed = try await kit.service.resumeUpload(upload.id, for: ada)
    #expect(resumed.offset == 300_001)
    #expect(resumed.state == .receiving)
    let done = try await kit.service.send(Array(text[300_001...]), to: upload, at: 300_001)
    #expect(done.state == .finished)
    let id = try #require(done.attachment?.id)
    #expect(try await kit.original(id) == text)
    #expect(try await kit.service.upload(upload.id, for: ada).attachment == done.attachment)
    #expect(try kit.parts() == [:])
  }

  @Test("A new request ends the one that holds the upload, whose bytes are kept")
  func takeover() async throws {
    let kit = try await UploadKit.open()
    let text = UploadKit.text(200_000)
    let upload = try await kit.service.create(text.count)
    let (body, pieces) = AsyncStream<[UInt8]>.makeStream()
    pieces.yield(Array(text[..<120_000]))
    let held = Task { () -> ServiceError? in
      do throws(ServiceError) {
        _ = try await kit.service.append(
          Upload.Append(form: .tus, offset: 0, bytes: text.count), to: upload.id, body: body,
          interrupt: { pieces.finish() }, for: ada)
        return nil
      } catch {
        return error
      }
    }
    // It holds the upload when its file is open.
    while !kit.service.uploads.registry.isHeld(upload.id) { await Task.yield() }
    let resumed = try await kit.service.resumeUpload(upload.id, for: ada)
    #expect(await held.value?.code == .takenOver)
    #expect(resumed.offset == 120_000)
    let done = try await kit.service.send(Array(text[120_000...]), to: upload, at: 120_000)
    #expect(try await kit.original(try #require(done.attachment?.id)) == text)
  }

  @Test("After a start a part file has exactly the recorded bytes, and files without an upload are removed")
  func restart() async throws {
    var kit = try await UploadKit.open()
    let text = UploadKit.text(400_000)
    let upload = try await kit.service.create(text.count)
    _ = await UploadKit.code { () async throws(ServiceError) in
      _ = try await kit.service.send(Array(text[..<200_000]), to: upload, at: 0, end: .cut, stated: text.count)
    }
    // Bytes that were written and never recorded, and the file of a request that kept no upload.
    let part = kit.folder.path("library/uploads/\(upload.id)")
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: part))
    try file.seekToEnd()
    try file.write(contentsOf: Data(UploadKit.text(5_000, seed: 9)))
    try file.close()
    try kit.folder.write([1, 2, 3], to: "library/uploads/\(Upload.ID())")
    kit = try await kit.restarted()
    #expect(try kit.parts() == [upload.id.rawValue: 200_000])
    #expect(try await kit.service.resumeUpload(upload.id, for: ada).offset == 200_000)
    let done = try await kit.service.send(Array(text[200_000...]), to: upload, at: 200_000)
    #expect(try await kit.original(try #require(done.attachment?.id)) == text)
  }

  @Test(
    "After a start the digest of what is on the disk is made while the rest arrives, eight bytes for each of them",
    arguments: [(100_000, 150_000, 150_000), (800_000, 810_000, 80_000)])
  func digestAfterStart(first: Int, second: Int, covered: Int) async throws {
    var kit = try await UploadKit.open()
    let text = UploadKit.text(900_000)
    let upload = try await kit.service.create(text.count, claims: Upload.Claims(digest: UploadKit.sha256(text)))
    _ = try await kit.service.send(Array(text[..<first]), to: upload, at: 0)
    kit = try await kit.restarted()
    _ = try await kit.service.send(Array(text[first..<second]), to: upload, at: first)
    let digest = kit.service.uploads.registry.takeDigest(upload.id)
    #expect(digest.covered == covered)
    kit.service.uploads.registry.keep(digest, of: upload.id)
    let done = try await kit.service.send(Array(text[second...]), to: upload, at: second)
    #expect(done.state == .finished)
  }

  @Test("A file whose bytes had all arrived before a crash is examined afterwards")
  func crashBeforeExamination() async throws {
    var kit = try await UploadKit.open()
    let photo = try UploadKit.photo()
    var upload = try await kit.service.create(photo.count)
    // The state between the last byte and the row of the attachment.
    (upload.state, upload.offset) = (.examining, photo.count)
    try await kit.service.uploads.write(upload)
    try kit.folder.write(photo, to: "library/uploads/\(upload.id)")
    kit = try await kit.restarted()
    try await kit.service.sweepUploads()
    let done = try await kit.service.upload(upload.id, for: ada)
    #expect(done.state == .finished)
    #expect(try await kit.original(try #require(done.attachment?.id)) == photo)
  }

  @Test("A file is refused by its first bytes, without reading the rest, and its upload is gone")
  func earlyRefusal() async throws {
    let kit = try await UploadKit.open { $0.rules.allowedKinds = [.image] }
    let body = Pieces(UploadKit.text(10_000_000))
    let upload = try await kit.service.create(10_000_000)
    let error = await #expect(throws: ServiceError.self) {
      _ = try await kit.service.append(
        Upload.Append(form: .tus, offset: 0, bytes: 10_000_000), to: upload.id, body: body, interrupt: {}, for: ada)
    }
    #expect(error?.code == .unsupportedType)
    #expect(error?.verdict?.files.first?.reasons == [.kindNotAllowed(.text)])
    #expect(body.taken.withLock { $0 } < 20)
    #expect(
      await UploadKit.code { () async throws(ServiceError) in
        _ = try await kit.service.resumeUpload(upload.id, for: ada)
      }
        == .gone)
    let remembered = try await kit.service.upload(upload.id, for: ada)
    #expect(remembered.state == .refused)
    #expect(remembered.refusal?.verdict == error?.verdict)
    #expect(try kit.parts() == [:])
  }

  @Test(
    "A type that contradicts what was declared is refused by the first bytes of a large file, and at the end of a small one"
  )
  func lyingType() async throws {
    let kit = try await UploadKit.open()
    for bytes in [200_000, 2_000] {
      let page = Array("<!DOCTYPE html><script>alert(1)</script>".utf8) + UploadKit.text(bytes)
      let error = await UploadKit.code { () async throws(ServiceError) in
        _ = try await kit.service.attach(
          Pieces(page), length: page.count, claims: Upload.Claims(name: "a.jpg", type: "image/jpeg"), for: ada)
      }
      #expect(error == .unsupportedType)
    }
    // The type is right, the name is not.
    let page = Array("<!DOCTYPE html><p>".utf8)
    #expect(
      await UploadKit.code { () async throws(ServiceError) in
        _ = try await kit.service.attach(
          Pieces(page), length: page.count, claims: Upload.Claims(name: "a.jpg", type: "text/html"), for: ada)
      } == .unsupportedType)
  }

  @Test("The stated digest of the whole file is compared with its bytes")
  func wholeDigest() async throws {
    let kit = try await UploadKit.open()
    let text = UploadKit.text(3_000)
    let right = Upload.Claims(digest: UploadKit.sha256(text))
    #expect(try await kit.service.attach(Pieces(text), length: nil, claims: right, for: ada).verdict.accepted)
    let upload = try await kit.service.create(text.count, claims: Upload.Claims(digest: UploadKit.sha256([1])))
    #expect(
      await UploadKit.code { () async throws(ServiceError) in _ = try await kit.service.send(text, to: upload, at: 0) }
        == .checksumMismatch)
    #expect(try await kit.service.upload(upload.id, for: ada).state == .refused)
  }

  @Test("A piece with a wrong checksum leaves the offset and the digest as they were")
  func pieceChecksum() async throws {
    let kit = try await UploadKit.open()
    let text = UploadKit.text(400_000)
    let upload = try await kit.service.create(text.count, claims: Upload.Claims(digest: UploadKit.sha256(text)))
    _ = try await kit.service.send(Array(text[..<100_000]), to: upload, at: 0)
    let rest = Array(text[100_000...])
    #expect(
      await UploadKit.code { () async throws(ServiceError) in
        _ = try await kit.service.send(
          rest.reversed(), to: upload, at: 100_000, checksum: Upload.Checksum(.sha256, UploadKit.sha256(rest)))
      } == .checksumMismatch)
    #expect(try await kit.service.resumeUpload(upload.id, for: ada).offset == 100_000)
    #expect(try kit.parts() == [upload.id.rawValue: 100_000])
    let done = try await kit.service.send(
      rest, to: upload, at: 100_000, checksum: Upload.Checksum(.sha256, UploadKit.sha256(rest)))
    #expect(done.state == .finished)
  }

  @Test("The same content of one owner is stored once and keeps its id; another owner gets an id of its own")
  func sameContent() async throws {
    let kit = try await UploadKit.open()
    let photo = try UploadKit.photo()
    let first = try await kit.service.attach(Pieces(photo), length: nil, claims: Upload.Claims(name: "a.jpg"), for: ada)
    let second = try await kit.service.attach(
      Pieces(photo), length: nil, claims: Upload.Claims(name: "b.jpg"), for: ada)
    #expect(second.id == first.id)
    #expect(second.placeholder == first.placeholder)
    #expect(Set(second.renditions) == Set(first.renditions))
    let other = try await kit.service.attach(Pieces(photo), length: nil, for: UploadKit.bob)
    #expect(other.id != first.id)
    _ = try await kit.service.library.erase(.owner("ada"))
    #expect(try await kit.original(other.id) == photo)
  }
}
