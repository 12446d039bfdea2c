internal import AttachmentPolicy
internal import Foundation
internal import GRDB
internal import MediaEngine
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

/// Who may use an upload.
@Suite struct UploadAccessTests {
  private let ada = UploadKit.ada

  @Test("R-MYM-19: another owner's upload is as unknown as one that does not exist, whatever is asked")
  func foreignUpload() async throws {
    let kit = try await UploadKit.open()
    let upload = try await kit.service.create(100)
    let missing = Upload(owner: "bob", form: .tus, claims: Upload.Claims(), created: 0, expires: 0)
    for target in [upload, missing] {
      #expect(
        await UploadKit.code { () async throws(ServiceError) in
          _ = try await kit.service.upload(target.id, for: UploadKit.bob)
        }
          == .notFound)
      #expect(
        await UploadKit.code { () async throws(ServiceError) in
          _ = try await kit.service.resumeUpload(target.id, for: UploadKit.bob)
        } == .notFound)
      #expect(
        await UploadKit.code { () async throws(ServiceError) in
          try await kit.service.deleteUpload(target.id, for: UploadKit.bob)
        } == .notFound)
      #expect(
        await UploadKit.code { () async throws(ServiceError) in
          _ = try await kit.service.send([1], to: target, at: 0, for: UploadKit.bob)
        } == .notFound)
    }
    #expect(try await kit.service.resumeUpload(upload.id, for: ada).offset == 0)
  }

  @Test("A caller who may only read uploads nothing")
  func reader() async throws {
    let kit = try await UploadKit.open()
    let reader = Caller(owner: "ada", scope: .read)
    #expect(
      await UploadKit.code { () async throws(ServiceError) in _ = try await kit.service.create(1, for: reader) }
        == .forbidden)
    #expect(
      await UploadKit.code { () async throws(ServiceError) in
        _ = try await kit.service.attach(Pieces([1]), length: 1, for: reader)
      }
        == .forbidden)
  }

  @Test("A caller continues an upload only if it may write, and reads its state if it may read or write")
  func scopes() async throws {
    let kit = try await UploadKit.open()
    let upload = try await kit.service.create(100)
    for (scope, resumes, reads) in [
      (Caller.Scope.read, false, true), (.write, true, true), (.moderate, false, false), ([], false, false),
    ] {
      let caller = Caller(owner: "ada", scope: scope)
      let resuming = await UploadKit.code { () async throws(ServiceError) in
        _ = try await kit.service.resumeUpload(upload.id, for: caller)
      }
      let reading = await UploadKit.code { () async throws(ServiceError) in
        _ = try await kit.service.upload(upload.id, for: caller)
      }
      #expect(resuming == (resumes ? nil : .forbidden))
      #expect(reading == (reads ? nil : .forbidden))
    }
  }
}
