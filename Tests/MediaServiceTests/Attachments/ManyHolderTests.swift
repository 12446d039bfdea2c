internal import Crypto
internal import MalwareScanning
internal import MediaLibrary
internal import MediaModel
internal import MetricsTestKit
internal import TestSupport
internal import Testing

@testable internal import MediaService

/// One content of many owners: a moderator's request renders it once, however many files have it.
@Suite struct ManyHolderTests {
  /// A content with an image, and one without.
  enum Content: CaseIterable, Sendable {
    case photo, text

    func bytes() throws -> [UInt8] { try self == .photo ? UploadKit.photo() : UploadKit.text(1_000) }
  }

  /// Uploads of seven owners with the same bytes.
  private func upload(_ bytes: [UInt8], to library: AttachmentLibrary) async throws -> [FileID] {
    var ids: [FileID] = []
    for number in 0..<7 {
      let owner = Caller(owner: "owner\(number)")
      ids.append(try await library.service.attach(Pieces(bytes), length: bytes.count, for: owner).id)
    }
    #expect(Set(ids).count == 7)
    return ids
  }

  private func renders(_ metrics: TestMetrics) -> Int64 {
    metrics.counters(label: "mediatool_jobs_total").filter { counter in
      counter.dimensions.contains { $0 == ("work", "render") }
    }.reduce(0) { $0 + $1.totalValue }
  }

  private func expectShown(_ ids: [FileID], _ content: Content, in library: AttachmentLibrary) async throws {
    for id in ids {
      let file = try #require(try await library.service.library.catalogue.file(id))
      #expect(file.state == .done)
      #expect((file.placeholder != nil) == (content == .photo))
    }
  }

  @Test(arguments: Content.allCases)
  func `A blocked content of many owners that is shown again is rendered once`(content: Content) async throws {
    let metrics = TestMetrics()
    let library = try await AttachmentLibrary(metrics: metrics) { $0.limits.freeBytes = 0 }
    let bytes = try content.bytes()
    let digest = try #require(ContentDigest(bytes: SHA256.hash(data: bytes)))
    _ = try await library.service.block(content: digest, reason: "law", by: .moderator)
    let ids = try await upload(bytes, to: library)
    let before = renders(metrics)
    #expect(try await library.service.unblock(content: digest, by: .moderator).attachments == 7)
    #expect(renders(metrics) - before == 1)
    try await expectShown(ids, content, in: library)
  }

  @Test(arguments: Content.allCases, [MediaService.SimilarImages.ignore, .hold])
  func `A content of many owners that a moderator accepts is rendered once`(
    content: Content, similar: MediaService.SimilarImages
  ) async throws {
    let metrics = TestMetrics()
    let scanner = FakeScanner()
    scanner.find { _ in .unscannable(.encrypted) }
    let library = try await AttachmentLibrary(metrics: metrics) {
      $0.limits.freeBytes = 0
      $0.scanning = MediaService.Scanning(scanner, policy: .hold)
      $0.similarImages = similar
    }
    let ids = try await upload(try content.bytes(), to: library)
    let before = renders(metrics)
    let first = try #require(ids.first)
    #expect(try await library.service.accept(first, reason: "opened it", by: .moderator).accepted)
    #expect(renders(metrics) - before == 1)
    try await expectShown(ids, content, in: library)
  }
}
