internal import Dispatch
internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaEngine
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

/// The real command in a process of its own.
///
/// Spawned by the system's own call and not by `Process`: arguments are bytes here, standard input and output can be anything or
/// closed, and the child's signals are what a shell would give it, whatever they are in the test's process.
final class Command: Sendable {
  /// What it left behind.
  struct Output {
    /// Exit status; nil when a signal ended it.
    let status: Int32?
    /// The signal that ended it.
    let signal: Int32?
    let output: String
    let errors: String

    /// The lines of standard output, each read as JSON.
    var records: [[String: Any]] {
      get throws {
        try output.split(separator: "\n").map { line in
          let value = try? JSONSerialization.jsonObject(with: Data(line.utf8))
          return try #require(value as? [String: Any], "no object in JSON: \(line)")
        }
      }
    }
  }

  /// What a standard descriptor is connected with.
  enum Connection {
    /// A pipe to this process.
    case pipe
    /// A file, opened for reading or for writing.
    case file(String)
    case closed
  }

  /// Bytes in a pipe whose output is not drained: a page, the least there can be.
  static let smallPipe = 4_096
  /// `F_SETPIPE_SZ` (linux/fcntl.h), which Swift's Glibc module does not show.
  private static let setPipeSize: CInt = 1_031

  /// A hanging command fails the test after so many seconds; nothing that works comes near, also on a slow machine.
  static let patience = Tool.patience

  /// Between the making of a pipe and its closing on exec no other command is started: it would hold the pipe open, and its end
  /// would never be seen.
  private static let starting = NSLock()

  let process: pid_t
  private let input: Locked<CInt>
  private let outputEnd: CInt
  private let output: Drain?
  private let errors: Drain?

  /// Starts the command.
  /// - Parameter drains: Whether standard output is read while it runs. Else a test reads it itself, or does not.
  init(
    _ arguments: [PathBytes], input: Connection = .file("/dev/null"), output: Connection = .pipe,
    errors: Connection = .pipe, drains: Bool = true,
    environment: [String: String] = [:], folder: PathBytes? = nil, wrapper: [String] = []
  ) throws {
    Self.starting.lock()
    defer { Self.starting.unlock() }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var ours: [CInt] = [-1, -1, -1]
    var theirs: [CInt] = []
    defer { for descriptor in theirs { close(descriptor) } }
    for (descriptor, connection) in zip(CInt(0)..., [input, output, errors]) {
      switch connection {
      case .pipe:
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError("pipe") }
        if descriptor != 0 { ends.reverse() }
        // ends[0] is the child's now: the reading end of its input, the writing end of its outputs.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        posix_spawn_file_actions_adddup2(&actions, ends[0], descriptor)
        if descriptor == 1, !drains { _ = fcntl(ends[0], Self.setPipeSize, CInt(Self.smallPipe)) }
        theirs.append(ends[0])
        ours[Int(descriptor)] = ends[1]
      case .file(let path):
        posix_spawn_file_actions_addopen(&actions, descriptor, path, descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
      case .closed: posix_spawn_file_actions_addclose(&actions, descriptor)
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, usual) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigemptyset(&usual)
    for signal in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var variables = ProcessInfo.processInfo.environment
    variables["NO_COLOR"] = nil
    variables.merge(environment) { $1 }
    let wrapper = wrapper + (folder.map { ["env", "--chdir=\($0.text)"] } ?? [])
    let words = wrapper.map { PathBytes($0) } + [PathBytes(Self.executable)] + arguments
    var process: pid_t = 0
    let code = Self.withCStrings(words) { words in
      Self.withCStrings(variables.map { PathBytes("\($0)=\($1)") }) { variables in
        posix_spawnp(&process, wrapper.first ?? Self.executable, &actions, &attributes, words, variables)
      }
    }
    guard code == 0 else {
      errno = code
      throw SystemError("spawn \(Self.executable)")
    }
    self.process = process
    self.input = Locked(ours[0])
    outputEnd = ours[1]
    self.output = drains && ours[1] >= 0 ? Drain(ours[1]) : nil
    self.errors = ours[2] >= 0 ? Drain(ours[2]) : nil
  }

  /// Runs the command to its end.
  static func run(
    _ arguments: [PathBytes], input text: [UInt8]? = nil, output: Connection = .pipe,
    environment: [String: String] = [:],
    folder: PathBytes? = nil, wrapper: [String] = []
  ) throws -> Output {
    let command = try Command(
      arguments, input: text == nil ? .file("/dev/null") : .pipe, output: output, environment: environment,
      folder: folder, wrapper: wrapper)
    if let text {
      Thread.detachNewThread {
        command.write(text)
        command.closeInput()
      }
    }
    return try command.finish()
  }

  /// Writes to its standard input.
  func write(_ bytes: [UInt8]) {
    let descriptor = input.withLock { $0 }
    // A command that has ended makes this fail; the signal would end the tests.
    var pipeSignal = sigset_t()
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Whether a write to its standard input would wait.
  var isInputFull: Bool {
    var waiting = pollfd(fd: input.withLock { $0 }, events: Int16(POLLOUT), revents: 0)
    return poll(&waiting, 1, 0) == 0
  }

  func closeInput() {
    input.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  /// Reads one line of its standard output, which is not drained.
  func readLine() -> String {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    var waiting = pollfd(fd: outputEnd, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, Int32(Self.patience * 1_000)) == 1, read(outputEnd, &byte, 1) == 1, byte != 10 {
      line.append(byte)
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// Waits until so many bytes stand in its standard output, unread.
  func waitForOutput(bytes: Int) -> Bool {
    let end = Deadlines.after(Self.patience)
    var count: CInt = 0
    while ioctl(outputEnd, UInt(FIONREAD), &count) == 0, Int(count) < bytes {
      if Deadlines.hasPassed(end) { return false }
      sched_yield()
    }
    return Int(count) >= bytes
  }

  /// Waits until standard error contains a text.
  func waitForErrors(_ text: String) -> Bool {
    let text = Array(text.utf8)
    return errors?.wait(Self.patience) { $0.firstRange(of: text) != nil } ?? false
  }

  /// Repeats a check after each piece of standard output that arrives, until it succeeds. Results are written after they are stored.
  func waitForOutput(until isDone: () throws -> Bool) throws -> Bool {
    let end = Deadlines.after(Self.patience)
    while !Deadlines.hasPassed(end) {
      let before = output?.count ?? 0
      if try isDone() { return true }
      guard output?.wait(Self.patience, until: { $0.count > before }) == true else { return try isDone() }
    }
    return false
  }

  /// Goes away as `head` does.
  func closeOutput() { close(outputEnd) }

  func send(_ signal: Int32) { kill(process, signal) }

  /// How many descriptors it has open while it runs.
  var descriptors: Int {
    get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count }
  }

  /// What is mapped into it while it runs.
  var maps: String {
    get throws {
      // Comes in pieces, which reading by the size of the file, 0, would not notice.
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/\(process)/maps"))
      return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
  }

  /// Waits for its end; one that does not end is killed, and fails the test.
  func finish() throws -> Output {
    let ended = DispatchSemaphore(value: 0)
    let status = Locked<CInt>(0)
    let process = self.process
    let waiter = Thread {
      var value: CInt = 0
      while waitpid(process, &value, 0) < 0, errno == EINTR {}
      status.withLock { $0 = value }
      ended.signal()
    }
    waiter.start()
    if ended.wait(timeout: .now() + Self.patience) == .timedOut {
      Issue.record("The command did not end within \(Self.patience) s.")
      kill(process, SIGKILL)
      ended.wait()
    }
    closeInput()
    let value = status.withLock { $0 }
    let signal = value & 0x7F
    return Output(
      status: signal == 0 ? value >> 8 & 0xFF : nil, signal: signal == 0 ? nil : signal, output: output?.text ?? "",
      errors: errors?.text ?? "")
  }

  /// The command that was built with these tests: beside the test bundle, wherever the build folder is.
  static let executable = BuiltProduct.path("mediatool")

  private static func withCStrings<Result>(
    _ words: [PathBytes], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = words.map { word in word.withCString { strdup($0) } }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}

/// A time after which a test gives up.
enum Deadlines {
  static func after(_ seconds: Double) -> ContinuousClock.Instant { .now.advanced(by: .seconds(seconds)) }
  static func hasPassed(_ instant: ContinuousClock.Instant) -> Bool { ContinuousClock.now > instant }
}

extension PathBytes: ExpressibleByStringLiteral {
  init(stringLiteral text: String) { self.init(text) }
}
