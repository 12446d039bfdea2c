internal import FileSupport
internal import Foundation
internal import LibraryScanner
internal import MediaLibrary
internal import MediaModel
internal import Testing

@testable internal import MediatoolCommand

@Suite("The progress of a scan") struct ScanProgressTests {
  private func totals(files: Int, of bytes: Int, failed: Int = 0) -> MediaScan.Totals {
    var totals = MediaScan.Totals()
    for number in 0..<files {
      let stamp = FileStamp(
        path: PathBytes("/r/\(number)"), device: 1, inode: 1, size: Int64(bytes), modified: 0, changed: 0)
      var outcome = ScanOutcome(ScanTarget(stamp: stamp, folder: nil, reason: .new))
      if number < failed { outcome.error = MediaFailure(.truncated, "It ends early.") }
      totals.add(outcome)
    }
    return totals
  }

  private func line(
    _ totals: MediaScan.Totals, of all: Int, isCounted: Bool = true, seconds: Double = 10, width: Int = 100
  ) -> String {
    var ahead = MediaScan.Totals.Count()
    ahead.add(files: all, bytes: 0)
    let progress = MediaScan.Progress(
      phase: .scanning, totals: totals, expected: ahead, isCounted: isCounted, seconds: seconds)
    return ScanProgressLine.line(progress, width: width)
  }

  @Test func `Progress states files done, rate, failures and time left`() {
    let half = line(totals(files: 50, of: 2_000_000, failed: 3), of: 100)
    #expect(half.hasSuffix("] 50 of 100  5.0 files/s  10 MB/s  3 failed  0:10 left"), "\(half)")
    let bar = half.prefix { $0 != "]" }.dropFirst()
    #expect(bar.count == 30)
    #expect(bar.count { $0 == "#" } == 15)
    let end = line(totals(files: 100, of: 0), of: 100)
    #expect(!end.contains("left"))
    #expect(!end.contains("failed"))
    #expect(end.prefix { $0 != "]" }.count { $0 == "#" } == 30)
  }

  @Test func `While files are still counted, there is no bar and no time left`() {
    let text = line(totals(files: 50, of: 0), of: 70, isCounted: false)
    #expect(text.hasPrefix("50 of 70+  "))
    #expect(!text.contains("left"))
    // More were scanned than were there when they were counted.
    #expect(line(totals(files: 50, of: 0), of: 20).contains("50 of 50  "))
  }

  @Test(arguments: [0, 1, 20, 40, 60, 80, 200])
  func `Progress fits the width of the terminal`(width: Int) {
    let text = line(totals(files: 50, of: 0), of: 100, width: width)
    #expect(text.count <= max(width, 47), "\(text)")
    #expect(line(totals(files: 0, of: 0), of: 0, seconds: 0, width: width).hasPrefix("0 of 0"))
  }

  @Test func `On a terminal progress is shown and removed`() throws {
    let world = try ScanWorld()
    for number in 0..<1_500 { try world.write("\(number % 10)/\(number)", number) }
    let terminal = try PseudoTerminal()
    let began = ContinuousClock.now
    let command = try Command(
      world.arguments(["--jobs", "1"]), errors: .file(terminal.path), environment: ["TERM": "xterm"])
    #expect(try command.finish().status == 0)
    let took = began.duration(to: .now)
    let text = terminal.text()
    guard took > .seconds(1) else {
      print("the scan took \(took): too short for a line to be shown")
      return
    }
    #expect(text.contains(" of 1500"), "\(text.suffix(300))")
    #expect(text.contains("files/s"), "\(text.suffix(300))")
    #expect(text.hasSuffix("\r\u{1B}[K"), "\(text.suffix(300))")
  }
}
