internal import MetricsTestKit
internal import Testing

@testable internal import MediaService

/// What an administrator learns of a scanner that is away.
extension ScanningTests {
  @Test("R-MYM-26: with the policy hold, a scanner that is away is a warning, and files that wait for it are counted")
  func warning() async throws {
    let metrics = TestMetrics()
    let kit = try await UploadKit.open { [scanner] in
      $0.scanning = MediaService.Scanning(scanner)
      $0.metrics = metrics
    }
    scanner.isAway = true
    _ = try await upload(kit)
    _ = try await upload(kit, UploadKit.text(500))
    #expect(kit.service.readinessWarnings == ["scanner"])
    #expect(await kit.service.unreadyReasons() == [])
    _ = try await kit.service.sweepScans()
    #expect(try metrics.expectGauge("mediatool_scanner_up").lastValue == 0)
    #expect(try metrics.expectGauge("mediatool_scan_waiting_files").lastValue == 2)
    scanner.isAway = false
    kit.advance(600)
    _ = try await kit.service.sweepScans()
    #expect(kit.service.readinessWarnings == [])
    #expect(try metrics.expectGauge("mediatool_scanner_up").lastValue == 1)
    #expect(try metrics.expectGauge("mediatool_scan_waiting_files").lastValue == 0)
  }

  @Test("With the policy refuse it is a reason to get no requests, and no warning") func noWarning() async throws {
    let kit = try await open(.refuse)
    scanner.isAway = true
    _ = try await kit.service.sweepScans()
    #expect(kit.service.readinessWarnings == [])
    #expect(await kit.service.unreadyReasons() == ["scanner"])
  }
}
