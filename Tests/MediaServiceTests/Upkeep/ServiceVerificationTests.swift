internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import MetricsTestKit
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("A service compares what it stores with its digests") struct ServiceVerificationTests {
  private let metrics = TestMetrics()

  private func open(in folder: TemporaryFolder? = nil) async throws -> UploadKit {
    try await UploadKit.open(in: folder) { $0.metrics = metrics }
  }

  private func pass(_ kit: UploadKit) throws -> [String: Any] {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: kit.folder.path("library/verification.json")))
    let place = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    return try #require(place["pass"] as? [String: Any])
  }

  @Test("R-MYM-22: once a day, also across restarts, and problems are counted by their kind") func daily()
    async throws
  {
    var kit = try await open()
    let text = UploadKit.text(5_000)
    let id = try await kit.service.attach(Pieces(text), length: text.count, for: UploadKit.ada).id
    await kit.service.sweepVerification()
    let files = try #require(try pass(kit)["checked"] as? Int)
    #expect(files > 0)
    #expect(try pass(kit)["problems"] as? Int == 0)
    let path = try #require(try await kit.service.library.catalogue.file(id)).stamp.path
    try Data([1]).write(to: URL(fileURLWithPath: path.description))
    kit.advance(86_399)
    await kit.service.sweepVerification()
    #expect(try pass(kit)["problems"] as? Int == 0)
    try await kit.service.close()
    kit = try await open(in: kit.folder)
    await kit.service.sweepVerification()
    #expect(try pass(kit)["problems"] as? Int == 0)
    kit.advance(86_400)
    await kit.service.sweepVerification()
    #expect(try pass(kit)["problems"] as? Int == 1)
    #expect(try pass(kit)["ended"] as? Int == 1_700_086_400)
    let problems = try metrics.expectCounter(
      "mediatool_verification_problems_total", [("problem", "originalDamaged")])
    #expect(problems.values == [1])
    #expect(try metrics.expectCounter("mediatool_verified_files_total", []).totalValue == Int64(2 * files))
    let complete = try metrics.expectGauge("mediatool_verification_complete_timestamp_seconds", [])
    #expect(complete.lastValue == 1_700_086_400)
    try await kit.service.close()
  }
}
