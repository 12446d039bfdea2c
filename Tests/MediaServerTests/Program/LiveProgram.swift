internal import Foundation
internal import Glibc
internal import Synchronization
internal import TestSupport

/// A program that runs while its test reads what it writes, sends it signals and writes to it.
///
/// Waits without a bound for text and for the end: a test never expects something within a time.
final class LiveProgram: Sendable {
  /// How the program ended.
  struct Ending: Sendable {
    /// The exit status; 128 + number when a signal ended it.
    let status: Int
    /// What it wrote on standard output and on standard error.
    let output: String, errors: String
  }

  let process: pid_t
  let output = LiveText()
  let errors = LiveText()
  private let input: FileHandle
  private let ended: AsyncStream<Ending>

  /// Starts a program.
  /// - Parameters:
  ///   - words: The program, by its path or its name, and its arguments.
  ///   - environment: Variables besides those of the tests, without those of ours.
  init(_ words: [String], environment: [String: String] = [:]) throws {
    let process = Process()
    process.executableURL = try Tool("env", package: "coreutils").executable
    // A test process may block signals or ignore them, which a program would inherit.
    process.arguments = ["--default-signal"] + words
    process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MEDIATOOL_") }
      .merging(environment) { $1 }
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
    self.input = input.fileHandleForWriting
    let (ended, ending) = AsyncStream<Ending>.makeStream()
    self.ended = ended
    // Not `waitUntilExit`, which runs a loop of its thread that never rests.
    let exited = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in exited.signal() }
    try process.run()
    self.process = process.processIdentifier
    let drained = DispatchGroup()
    for (text, pipe) in [(self.output, output), (self.errors, errors)] {
      drained.enter()
      Thread.detachNewThread {
        while let bytes = try? pipe.fileHandleForReading.readSome(), !bytes.isEmpty { text.append(bytes) }
        text.complete()
        drained.leave()
      }
    }
    Thread.detachNewThread { [output = self.output, errors = self.errors] in
      exited.wait()
      drained.wait()
      let status = Int(process.terminationStatus) + (process.terminationReason == .uncaughtSignal ? 128 : 0)
      ending.yield(Ending(status: status, output: output.text, errors: errors.text))
      ending.finish()
    }
  }

  deinit { kill(process, SIGKILL) }

  func send(_ signal: Int32) { kill(process, signal) }

  func write(_ bytes: [UInt8]) throws { try input.write(contentsOf: Data(bytes)) }

  func closeInput() throws { try input.close() }

  /// Waits for the end of the program, and of those that have its pipes. Once.
  func end() async -> Ending {
    for await ending in ended { return ending }
    return Ending(status: -1, output: "", errors: "end() was called twice")
  }
}

extension FileHandle {
  /// Waits for some bytes, and returns those that are there; empty at the end. `read(upToCount:)` waits until there are as many.
  fileprivate func readSome() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = bytes.withUnsafeMutableBytes { Glibc.read(fileDescriptor, $0.baseAddress, $0.count) }
      if count >= 0 { return Array(bytes[..<count]) }
      if errno != EINTR { throw POSIXError(.EIO) }
    }
  }
}

/// Text that arrives piece by piece.
final class LiveText: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var isComplete = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// What has arrived.
  var text: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

  /// Whether no more will come.
  var isComplete: Bool { state.withLock { $0.isComplete } }

  /// Waits until the text meets a condition.
  /// - Returns: nil if it ended before.
  func first<Value>(_ find: (String) -> Value?) async -> Value? {
    await firstInBytes { find(String(decoding: $0, as: UTF8.self)) }
  }

  /// Waits until the bytes meet a condition.
  /// - Returns: nil if they ended before.
  func firstInBytes<Value>(_ find: ([UInt8]) -> Value?) async -> Value? {
    while true {
      let (bytes, isComplete) = state.withLock { ($0.bytes, $0.isComplete) }
      if let value = find(bytes) { return value }
      if isComplete { return nil }
      await more(than: bytes.count)
    }
  }

  /// Waits until the text has a part.
  func has(_ part: String) async -> Bool { await first { $0.contains(part) ? true : nil } ?? false }

  func append(_ bytes: [UInt8]) { resume { $0.bytes += bytes } }

  func complete() { resume { $0.isComplete = true } }

  private func resume(_ change: (inout State) -> Void) {
    let waiting = state.withLock { state in
      change(&state)
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  private func more(than count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.isComplete || state.bytes.count > count { return true }
        state.waiting.append(continuation)
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}
