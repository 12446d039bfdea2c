internal import AttachmentPolicy
internal import Foundation
internal import GRDB
internal import MediaEngine
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

/// What uploads may take of an owner's quota and of the disk.
@Suite struct UploadQuotaTests {
  private let ada = UploadKit.ada

  @Test("Open uploads, and bytes that they may still have, count against the quota until they end")
  func quota() async throws {
    let kit = try await UploadKit.open {
      $0.limits.openUploads = 3
      $0.limits.ownerBytes = 1_000
    }
    let first = try await kit.service.create(600)
    #expect(
      await UploadKit.code { () async throws(ServiceError) in _ = try await kit.service.create(401) } == .quotaExceeded)
    _ = try await kit.service.create(200)
    _ = try await kit.service.create(200)
    #expect(
      await UploadKit.code { () async throws(ServiceError) in _ = try await kit.service.create(0) } == .rateLimited)
    // Another owner has a quota of its own.
    _ = try await kit.service.create(600, for: UploadKit.bob)
    try await kit.service.deleteUpload(first.id, for: ada)
    let done = try await kit.service.send(UploadKit.text(600), to: try await kit.service.create(600), at: 0)
    #expect(done.state == .finished)
    #expect(
      await UploadKit.code { () async throws(ServiceError) in _ = try await kit.service.create(1) } == .quotaExceeded)
    #expect(
      await UploadKit.code { () async throws(ServiceError) in _ = try await kit.service.create(1_001) } == .tooLarge)
  }

  @Test("Reservations are restored after a start")
  func restoredReservations() async throws {
    var kit = try await UploadKit.open { $0.limits.ownerBytes = 1_000 }
    _ = try await kit.service.create(600)
    kit = try await kit.restarted { $0.limits.ownerBytes = 1_000 }
    #expect(
      await UploadKit.code { () async throws(ServiceError) in _ = try await kit.service.create(401) } == .quotaExceeded)
    _ = try await kit.service.create(400)
  }

  @Test("Uploads are refused while the disk has less room than is to stay free")
  func diskFloor() async throws {
    let kit = try await UploadKit.open { $0.limits.freeBytes = .max / 2 }
    #expect(await UploadKit.code { () async throws(ServiceError) in _ = try await kit.service.create(1) } == .diskFull)
  }

  @Test("The disk is asked for room now and then, not for each piece of a file that is synced at its end")
  func roomChecks() async throws {
    let kit = try await UploadKit.open()
    let (uploads, bytes) = (kit.service.uploads, UploadKit.text(1_000_000))
    var upload = try await kit.service.create(bytes.count)
    var writer = PartWriter(
      try await uploads.part(of: upload.id), at: 0, digest: RunningDigest(), checksum: nil,
      syncing: PartWriter.Syncing(bytes: 100_000, interval: .seconds(86_400)), threads: uploads.threads,
      buffers: uploads.buffers)
    let before = uploads.threads.calls
    let arrival = try await kit.service.take(
      Pieces(bytes, by: 1_000), into: &writer, of: &upload, until: bytes.count,
      counting: kit.service.report.bytes(.single))
    #expect(arrival == .ended(bytes.count))
    // Ten questions, and a write for each full buffer.
    #expect(uploads.threads.calls - before < 30)
  }

  @Test("An upload of unknown length takes of the quota what arrives, and is refused where the quota ends")
  func unknownLength() async throws {
    let kit = try await UploadKit.open { $0.limits.ownerBytes = 1_000_000 }
    let (first, second) = (try await kit.service.create(nil), try await kit.service.create(nil))
    #expect(kit.service.uploads.registry.reserved(of: "ada") == UploadRegistry.Reserved(bytes: 0, uploads: 2))
    #expect(
      await UploadKit.code { () async throws(ServiceError) in
        _ = try await kit.service.send(UploadKit.text(600_000), to: first, at: 0, end: .cut)
      } == .incomplete)
    // Asked for ahead of what arrives, as far as the quota allows.
    #expect(kit.service.uploads.registry.reserved(of: "ada").bytes == 1_000_000)
    #expect(
      await UploadKit.code { () async throws(ServiceError) in
        _ = try await kit.service.send(UploadKit.text(600_000), to: second, at: 0, end: .cut)
      } == .quotaExceeded)
    let done = try await kit.service.send(
      UploadKit.text(100), to: try await kit.service.resumeUpload(first.id, for: ada), at: 600_000, length: 600_100)
    #expect(done.state == .finished)
    #expect(
      await UploadKit.code { () async throws(ServiceError) in
        _ = try await kit.service.send(UploadKit.text(399_900), to: second, at: 0, end: .cut)
      } == .incomplete)
  }
}
