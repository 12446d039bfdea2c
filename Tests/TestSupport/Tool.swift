public import Foundation
internal import Synchronization

/// Another program that a test asks for a second opinion: `exiftool`, `vips`, `ffmpeg`, or our own command.
///
/// No shell: arguments go to the program as they are. Both pipes are drained while it runs, so that a talkative program does not
/// wait for us, and one that does not end is killed.
public struct Tool: Sendable {
  /// The program's file.
  public let executable: URL
  /// How it is called in messages.
  public let name: String

  /// The program of that name on the search path.
  /// - Parameter package: The Debian package that has it, for the message when it is missing.
  /// - Throws: ``Failure/missing(name:package:)``.
  public init(_ name: String, package: String) throws {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let candidates = path.split(separator: ":").map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
    guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
      throw Failure.missing(name: name, package: package)
    }
    self.init(executable: found)
  }

  /// The program in that file.
  public init(executable: URL) {
    self.executable = executable
    self.name = executable.lastPathComponent
  }

  /// What a program left behind.
  public struct Output: Sendable {
    /// Exit status; 128 + number when a signal ended it, as a shell counts.
    public let status: Int
    /// Everything it wrote on standard output.
    public let bytes: [UInt8]
    /// Everything it wrote on standard error.
    public let errors: String
    /// Standard output as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// Why there is no output.
  public enum Failure: Error, CustomStringConvertible {
    /// It is not installed.
    case missing(name: String, package: String)
    /// It could not be started.
    case notStarted(name: String, reason: String)
    /// It did not end in time and was killed.
    case overTime(name: String, seconds: Double)
    /// It ended with another status than 0.
    case failed(name: String, status: Int, errors: String)

    /// One sentence, with what to do about it where that is known.
    public var description: String {
      switch self {
      case .missing(let name, let package): "\(name) is not installed; install it with: apt-get install \(package)"
      case .notStarted(let name, let reason): "\(name) could not be started: \(reason)"
      case .overTime(let name, let seconds): "\(name) did not end within \(seconds) s and was killed"
      case .failed(let name, let status, let errors): "\(name) ended with status \(status): \(errors)"
      }
    }
  }

  /// Seconds after which a program that works has surely ended: far over what any test needs on a slow machine with other tests beside it.
  public static let patience = 900.0

  /// Runs the program to its end and gives what it wrote, whatever its status.
  ///
  /// - Parameters:
  ///   - input: Standard input; empty by default.
  ///   - seconds: The time after which it is killed. Default ``patience``, so that load fails nothing.
  /// - Throws: ``Failure``.
  public func run(_ arguments: [String], input: [UInt8] = [], seconds: Double = Tool.patience) throws -> Output {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8", "TZ": "UTC"]) { $1 }
    let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = standardOutput
    process.standardError = standardError
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    do { try process.run() } catch { throw Failure.notStarted(name: name, reason: "\(error)") }

    let output = Drain(standardOutput.fileHandleForReading)
    let errors = Drain(standardError.fileHandleForReading)
    Self.feed(input, to: standardInput.fileHandleForWriting)
    if ended.wait(timeout: .now() + seconds) == .timedOut {
      // Foundation makes a child the leader of a group of its own; its children hold our pipes open as well.
      kill(-process.processIdentifier, SIGKILL)
      kill(process.processIdentifier, SIGKILL)
      ended.wait()
      throw Failure.overTime(name: name, seconds: seconds)
    }
    let status = Int(process.terminationStatus) + (process.terminationReason == .uncaughtSignal ? 128 : 0)
    return Output(
      status: status, bytes: [UInt8](output.data), errors: String(decoding: errors.data, as: UTF8.self))
  }

  /// What the program wrote on standard output.
  /// - Throws: ``Failure``, also for another status than 0.
  public func output(_ arguments: [String], input: [UInt8] = [], seconds: Double = Tool.patience) throws -> [UInt8] {
    let output = try run(arguments, input: input, seconds: seconds)
    guard output.status == 0 else {
      throw Failure.failed(name: name, status: output.status, errors: output.errors)
    }
    return output.bytes
  }

  /// Writes standard input from a thread of its own, and closes it.
  private static func feed(_ bytes: [UInt8], to handle: FileHandle) {
    Thread.detachNewThread {
      // A program that stops reading makes a write raise SIGPIPE, which would end the tests; blocked, it is only an error.
      var pipeSignal = sigset_t()
      sigemptyset(&pipeSignal)
      sigaddset(&pipeSignal, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)
      if !bytes.isEmpty { try? handle.write(contentsOf: Data(bytes)) }
      try? handle.close()
    }
  }
}

/// Reads a pipe to its end on a thread of its own.
private final class Drain: Sendable {
  private let bytes = Mutex(Data())
  private let done = DispatchSemaphore(value: 0)

  init(_ handle: FileHandle) {
    Thread.detachNewThread { [self] in
      let everything = (try? handle.readToEnd()) ?? Data()
      bytes.withLock { $0 = everything }
      done.signal()
    }
  }

  /// Everything up to the end; waits for it.
  var data: Data {
    done.wait()
    done.signal()
    return bytes.withLock { $0 }
  }
}
