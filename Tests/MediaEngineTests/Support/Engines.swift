internal import Foundation
internal import MediaEngine
internal import MediaEngineInProcess
internal import MediaModel
internal import TestSupport

/// Engines for tests.
enum Engines {
  /// `scripts/sanitize` says so. A sanitizer maps terabytes and asks the kernel for things that a worker may not have.
  static let isSanitized = ProcessInfo.processInfo.environment["MEDIATOOL_SANITIZER"] != nil

  /// With real workers.
  static func real(
    _ count: Int = 2, change: (inout MediaEngine.Configuration) -> Void = { _ in }
  ) async throws -> MediaEngine {
    var configuration = MediaEngine.Configuration()
    configuration.kind = .workers(count: count)
    configuration.worker = BuiltProduct.path("mediatool-worker")
    configuration.spares = 0
    change(&configuration)
    return try await MediaEngine.start(configuration)
  }

  /// With workers that do what the file says, or break the protocol. On a busy machine a worker may wait long for a processor, so it is killed
  /// at a deadline only where a test says when.
  static func rogue(
    _ word: String = "--stub", _ count: Int = 1, change: (inout MediaEngine.Configuration) -> Void = { _ in }
  ) async throws -> MediaEngine {
    try await real(count) { configuration in
      configuration.worker = BuiltProduct.path("rogue-worker")
      configuration.workerArguments = [word]
      configuration.limits.graceSeconds = 100
      change(&configuration)
    }
  }

  /// A probe whose deadline is short, so that a hang is over soon.
  static let hasty: ProbeOptions = {
    var options = ProbeOptions()
    options.limits.probeSeconds = 0.1
    return options
  }()

  /// A probe whose deadline is far, for a fault that a busy machine may be slow to have.
  static let patient: ProbeOptions = {
    var options = ProbeOptions()
    options.limits.probeSeconds = 100
    return options
  }()
}

extension MediaEngine.Configuration {
  /// Kills a tenth of a second after a deadline.
  mutating func beHasty() { limits.graceSeconds = 0.1 }
}

extension MediaSource {
  /// A file of which a stub does the first line.
  static func does(_ line: String) -> MediaSource { .bytes(Array((line + "\n").utf8)) }
}
