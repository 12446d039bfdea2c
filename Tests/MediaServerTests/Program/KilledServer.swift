internal import Foundation
internal import TestSupport

/// A server that is killed and started again while clients use it. The only thing that they do not see is its port.
actor KilledServer {
  private let arguments: [String]
  private var program: ServerProgram?
  private var port: Int?
  private var waitingForPort: [CheckedContinuation<Int, Never>] = []
  private var bytes = 0
  private var hasGivenUp = false
  private var waitingForBytes: (count: Int, continuation: CheckedContinuation<Void, Never>)?

  init(library: String) {
    arguments = [
      "--listen", "0", "--library", library, "--free-bytes", "0", "--workers", "1", "--open-uploads", "10000", "--rate",
      "1000000", "--burst", "1000000",
    ]
  }

  /// The port of the server that runs, or of the next one.
  func currentPort() async -> Int {
    if hasGivenUp { return 0 }
    if let port { return port }
    return await withCheckedContinuation { waitingForPort.append($0) }
  }

  /// Starts the server.
  /// - Parameter check: Looks at what the last one left, before clients go on.
  func start(_ check: (Int) async throws -> Void = { _ in }) async throws {
    let program = try ServerProgram(arguments)
    self.program = program
    let port = try await program.port()
    try await check(port)
    self.port = port
    for continuation in waitingForPort { continuation.resume(returning: port) }
    waitingForPort = []
  }

  /// Kills it as a power cut would.
  func kill() async {
    port = nil
    await program?.kill()
  }

  /// Ends the waiting of everybody: the test has failed.
  func giveUp() {
    hasGivenUp = true
    for continuation in waitingForPort { continuation.resume(returning: 0) }
    waitingForPort = []
    waitingForBytes?.continuation.resume()
    waitingForBytes = nil
  }

  func stop() async -> Int { await program?.stop().status ?? -1 }

  /// More bytes were acknowledged.
  func acknowledged(_ count: Int) {
    bytes += count
    guard let (limit, continuation) = waitingForBytes, bytes >= limit else { return }
    waitingForBytes = nil
    continuation.resume()
  }

  /// Waits until so many bytes were acknowledged in all.
  func acknowledges(_ count: Int) async {
    if hasGivenUp || bytes >= count { return }
    await withCheckedContinuation { waitingForBytes = (count, $0) }
  }
}
