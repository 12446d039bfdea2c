internal import AttachmentPolicy
internal import Crypto
internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

/// Faults around an upload, which must neither cost bytes nor mix up files.
@Suite struct UploadFaultTests {
  private let ada = UploadKit.ada

  @Test("Bytes that were acknowledged and are missing end an upload; no file gets a hole instead")
  func lostBytes() async throws {
    let kit = try await UploadKit.open()
    let text = UploadKit.text(300_000)
    let upload = try await kit.service.create(text.count)
    do throws(ServiceError) {
      _ = try await kit.service.send(Array(text[..<100_000]), to: upload, at: 0, end: .cut, stated: text.count)
      Issue.record("a cut body is whole")
    } catch {
      #expect(error.code == .incomplete)
    }
    try FileManager.default.removeItem(atPath: kit.folder.path("library/uploads/\(upload.id)"))
    do throws(ServiceError) {
      _ = try await kit.service.send(Array(text[100_000...]), to: upload, at: 100_000)
      Issue.record("a file with a hole is accepted")
    } catch {
      #expect(error.code == .gone)
    }
    #expect(try await kit.service.library.catalogue.counts(in: .all).isEmpty)
  }

  @Test("A digest of bytes whose number was not recorded is not used for the bytes that replace them")
  func digestAhead() async throws {
    let kit = try await UploadKit.open()
    let text = UploadKit.text(300_000)
    let upload = try await kit.service.create(text.count)
    do throws(ServiceError) {
      _ = try await kit.service.send(Array(text[..<200_000]), to: upload, at: 0, end: .cut, stated: text.count)
    } catch { #expect(error.code == .incomplete) }
    // As if the database had been busy when the offset was to be recorded.
    try await kit.service.database.write { db in
      try db.execute(sql: "UPDATE upload SET offset = 50000 WHERE id = ?", arguments: [upload.id.rawValue])
    }
    let other = Array(text[..<50_000]) + UploadKit.text(250_000).reversed()
    let done = try await kit.service.send(Array(other[50_000...]), to: upload, at: 50_000)
    let id = try #require(done.attachment?.id)
    #expect(try await kit.original(id) == other)
    let digest = try #require(try await kit.service.library.catalogue.file(id)?.digest)
    #expect(digest.bytes == Array(SHA256.hash(data: other)))
  }

  @Test("The content of an erasure that was interrupted gets an id of its own when it is uploaded again")
  func buried() async throws {
    let kit = try await UploadKit.open()
    let text = UploadKit.text(10_000)
    func upload() async throws -> FileID {
      let created = try await kit.service.create(text.count)
      return try #require(try await kit.service.send(text, to: created, at: 0).attachment?.id)
    }
    let first = try await upload()
    try await kit.service.database.write { db in try AttachmentRecord.bury(first, db) }
    let second = try await upload()
    #expect(second != first)
    #expect(try await kit.service.library.catalogue.file(first) == nil)
    #expect(try await kit.original(second) == text)
    _ = try await kit.service.original(second, for: .caller(ada))
  }

  @Test("A start ends erasures that were interrupted after their tombstones")
  func finishedAtStart() async throws {
    let kit = try await UploadKit.open()
    let text = UploadKit.text(10_000)
    let created = try await kit.service.create(text.count)
    let id = try #require(try await kit.service.send(text, to: created, at: 0).attachment?.id)
    let path = try #require(try await kit.service.library.catalogue.file(id)).stamp.path
    try await kit.service.database.write { db in try AttachmentRecord.bury(id, db) }
    let again = try await kit.restarted()
    #expect(try await again.service.library.catalogue.file(id) == nil)
    #expect(throws: FileError.self) { _ = try FileStatus(at: path) }
  }

  @Test("A quota without an end and rules without a limit overflow nothing")
  func withoutLimits() async throws {
    let kit = try await UploadKit.open {
      $0.limits.ownerBytes = .max
      $0.rules.maxFileBytes = nil
    }
    for _ in 0..<3 { _ = try await kit.service.create(nil) }
    let again = try await kit.restarted {
      $0.limits.ownerBytes = .max
      $0.rules.maxFileBytes = nil
    }
    _ = try await again.service.create(nil)
  }
}
