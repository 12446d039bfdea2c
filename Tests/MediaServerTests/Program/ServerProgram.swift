internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

/// `mediatool serve` as a process of its own, which can be stopped, killed and started again.
struct ServerProgram: Sendable {
  let live: LiveProgram

  /// Starts the program and returns at once.
  /// - Parameter wrapper: Words before it, such as `prlimit --nofile=100`.
  init(_ arguments: [String], environment: [String: String] = [:], wrapper: [String] = []) throws {
    live = try LiveProgram(
      wrapper + [BuiltProduct.path("mediatool"), "serve"] + arguments, environment: environment)
  }

  /// A program that was started.
  init(live: LiveProgram) { self.live = live }

  /// Runs the program to its end.
  static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> LiveProgram.Ending {
    await (try ServerProgram(arguments, environment: environment)).live.end()
  }

  /// Starts a server on a library and a free port, with one worker and without a limit of free bytes, for the disk of a test machine may be small;
  /// runs the test, and stops the server, which must end with status 0.
  static func serving(
    _ library: String, _ arguments: [String] = [], environment: [String: String] = [:], wrapper: [String] = [],
    _ body: (ServerProgram, Int) async throws -> Void
  ) async throws {
    let program = try ServerProgram(
      ["--listen", "0", "--library", library, "--free-bytes", "0", "--workers", "1"] + arguments,
      environment: environment, wrapper: wrapper)
    try await body(program, try await program.port())
    let ending = await program.stop()
    #expect(ending.status == 0, "\(ending.errors)")
  }

  /// Waits for the line that says that connections are accepted.
  /// - Returns: The port.
  func port() async throws -> Int {
    let port = await live.errors.first { log in
      log.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        .first { $0.hasPrefix("mediatool: listening on ") }?.split(separator: ":").last.flatMap { Int($0) }
    }
    guard let port else {
      throw Tool.Failure.failed(name: "mediatool serve", status: (await live.end()).status, errors: live.errors.text)
    }
    return port
  }

  /// Asks the program to end, and waits for it.
  func stop() async -> LiveProgram.Ending {
    live.send(SIGTERM)
    return await live.end()
  }

  /// Ends the program as a power cut would, and waits until its workers have gone too.
  func kill() async {
    live.send(SIGKILL)
    _ = await live.end()
  }
}

/// Runs a blocking call on a thread of its own: those of Swift's pool are needed by others.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}
