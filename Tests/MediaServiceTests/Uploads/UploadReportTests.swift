internal import AttachmentPolicy
internal import MediaLibrary
internal import Metrics
internal import MetricsTestKit
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Metrics of uploads") struct UploadReportTests {
  @Test("bytes are counted by protocol, uploads by protocol and outcome, and open ones are a gauge")
  func metrics() async throws {
    let metrics = TestMetrics()
    let service = try await ServiceFixture { configuration in
      (configuration.metrics, configuration.rules) = (metrics, AttachmentRules())
    }.service
    let anna = Caller(owner: "anna")
    let photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
    _ = try await service.attach(Pieces(photo), length: photo.count, for: anna)
    let first = try await service.createUpload(.init(form: .tus, length: 10), for: anna)
    let second = try await service.createUpload(.init(form: .ietf, length: nil), for: anna)
    #expect(try metrics.expectGauge("mediatool_uploads_open").lastValue == 2)
    _ = try await service.append(
      .init(form: .tus, offset: 0, bytes: 4), to: first.id, body: Pieces([1, 2, 3, 4], by: 2), interrupt: {}, for: anna)
    try await service.deleteUpload(first.id, for: anna)
    _ = try await service.append(
      .init(form: .ietf, offset: 0, bytes: 3, isLast: true), to: second.id, body: Pieces(Array("abc".utf8)),
      interrupt: {}, for: anna)

    func bytes(_ form: String) throws -> Int64 {
      try metrics.expectCounter("mediatool_upload_bytes_total", [("protocol", form)]).totalValue
    }
    func uploads(_ form: String, _ outcome: String) throws -> Int64 {
      try metrics.expectCounter("mediatool_uploads_total", [("protocol", form), ("outcome", outcome)]).totalValue
    }
    #expect(try bytes("single") == Int64(photo.count))
    #expect(try bytes("tus") == 4)
    #expect(try bytes("ietf") == 3)
    #expect(try uploads("single", "finished") == 1)
    #expect(try uploads("tus", "created") == 1)
    #expect(try uploads("tus", "deleted") == 1)
    #expect(try uploads("ietf", "finished") == 1)
    #expect(try metrics.expectGauge("mediatool_uploads_open").lastValue == 0)
    #expect(try metrics.expectTimer("mediatool_upload_examination_seconds").values.count == 2)
  }

  @Test("a request that a newer one ended is counted as taken over") func takeover() async throws {
    let metrics = TestMetrics()
    let service = try await ServiceFixture { configuration in configuration.metrics = metrics }.service
    let anna = Caller(owner: "anna")
    let upload = try await service.createUpload(.init(form: .tus, length: 10), for: anna)
    let (body, pieces) = AsyncStream<[UInt8]>.makeStream()
    pieces.yield([1, 2, 3, 4])
    let held = Task {
      try await service.append(
        .init(form: .tus, offset: 0, bytes: 10), to: upload.id, body: body, interrupt: { pieces.finish() }, for: anna)
    }
    while !service.uploads.registry.isHeld(upload.id) { await Task.yield() }
    #expect(try await service.resumeUpload(upload.id, for: anna).state == .receiving)
    await #expect(throws: ServiceError.takenOver) { try await held.value }
    let count = try metrics.expectCounter(
      "mediatool_uploads_total", [("protocol", "tus"), ("outcome", "takenOver")]
    ).totalValue
    #expect(count == 1)
  }
}
