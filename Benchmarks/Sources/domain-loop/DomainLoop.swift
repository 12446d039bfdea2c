internal import Foundation
internal import MediaEngine
internal import MediaModel

/// domain-loop WORKER another|same JOBS: probes a photo, each time for another owner or always for the same, one job after the other.
/// domain-loop WORKER idle SECONDS: starts an engine of two workers, waits, and prints the seconds.
///
/// Prints the median of the jobs' times in milliseconds. Between two jobs is a pause in which the spare worker warms up: that is what a server has
/// between requests, and what is measured is what the change costs the one who waits.
@main
struct DomainLoop {
  static func main() async {
    let words = CommandLine.arguments
    guard words.count == 4, ["another", "same", "idle"].contains(words[2]), let jobs = Int(words[3]), jobs > 0 else {
      exit(64)
    }
    do {
      if words[2] == "idle" { return print(try await idle(worker: words[1], seconds: jobs)) }
      print(try await median(worker: words[1], changes: words[2] == "another", jobs: jobs))
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func idle(worker: String, seconds: Int) async throws -> Int {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .workers(count: 2)
    configuration.spares = 0
    configuration.worker = worker
    let engine = try await MediaEngine.start(configuration)
    try await Task.sleep(for: .seconds(seconds))
    await engine.shutdown()
    return seconds
  }

  private static func median(worker: String, changes: Bool, jobs: Int) async throws -> Double {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .workers(count: 1)
    configuration.worker = worker
    let engine = try await MediaEngine.start(configuration)
    var times: [Duration] = []
    // The first two fill the caches.
    for number in 0..<jobs + 2 {
      try await Task.sleep(for: .milliseconds(300))
      let begun = ContinuousClock.now
      let info = try await engine.probe(.bytes(image), domain: .owner(changes ? "\(number)" : "one"))
      times.append(begun.duration(to: .now))
      guard info.width == 1 else { throw info.error ?? MediaFailure(.corrupt, "The image was not understood.") }
    }
    await engine.shutdown()
    let sorted = times.dropFirst(2).map { $0 / .milliseconds(1) }.sorted()
    return sorted[sorted.count / 2]
  }

  /// A PNG of one grey pixel.
  private static let image: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3A, 0x7E, 0x9B,
    0x55, 0x00, 0x00, 0x00, 0x0A, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x68, 0x00, 0x00, 0x00,
    0x82, 0x00, 0x81, 0xDA, 0x45, 0x08, 0x3B, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE,
    0x42, 0x60, 0x82,
  ]
}
