internal import Foundation
internal import Glibc

/// A program with its arguments, and what proves that it did its work.
struct Command {
  /// The program, looked up on the PATH, and its arguments.
  var arguments: [String]
  /// Folder that is emptied before each run.
  var folder: String
  /// Files that have to be in the folder afterwards.
  var files = 0
  /// Lines that have to be on standard output afterwards; nil when the form is the peer's own affair.
  var lines: Int?
  /// The memory of its workers that is measured, instead of its own.
  var workerMemory: WorkerWatch.Memory?
}

/// What one run took.
struct Measurement {
  /// From before the start of the process to after its end.
  var seconds: Double
  /// Processor time of all its threads.
  var processorSeconds: Double
  /// Largest resident size of the process in bytes, children not included; or that of its workers.
  var peak: Int
  /// Number of workers that were started; 0 where they are not watched.
  var workers = 0
}

struct BenchError: Error, CustomStringConvertible {
  var description: String
}

extension Command {
  /// The same with the decoders in the command's own process: what a worker needs is not counted as the command's.
  var inProcess: Command {
    var command = self
    command.arguments.insert("--in-process", at: 2)
    command.folder += "-in-process"
    if let place = command.arguments.firstIndex(of: folder) { command.arguments[place] = command.folder }
    return command
  }

  /// The same with the memory of its workers measured.
  func watching(_ memory: WorkerWatch.Memory) -> Command {
    var command = self
    command.workerMemory = memory
    return command
  }

  /// Runs it once, and throws unless it did everything it should have: a tool that fails is fast.
  func run() throws -> Measurement {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let output = folder + ".stdout"
    let errors = folder + ".stderr"

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
    argv.append(nil)
    defer { for word in argv { free(word) } }

    let clock = ContinuousClock()
    let start = clock.now
    var child = pid_t()
    let code = posix_spawnp(&child, arguments[0], &actions, nil, argv, environ)
    guard code == 0 else { throw BenchError(description: "\(arguments[0]): \(String(cString: strerror(code)))") }
    var status: CInt = 0
    // Linux counts in a child's peak what its parent had resident when it was started; this program stays far below either side.
    var usage = rusage()
    var watch = workerMemory.map { WorkerWatch($0) }
    while true {
      let ended = wait4(child, &status, watch == nil ? 0 : WNOHANG, &usage)
      if ended == child { break }
      guard ended == 0 || errno == EINTR else {
        throw BenchError(description: "wait4: \(String(cString: strerror(errno)))")
      }
      watch?.look(at: child)
      usleep(500)
    }
    let elapsed = start.duration(to: clock.now).components

    try check(status: status, output: output, errors: errors)
    let (user, system) = (usage.ru_utime, usage.ru_stime)
    return Measurement(
      seconds: Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18,
      processorSeconds: Double(user.tv_sec + system.tv_sec) + Double(user.tv_usec + system.tv_usec) / 1e6,
      peak: watch?.bytes ?? usage.ru_maxrss * 1_024, workers: watch?.count ?? 0)
  }

  private func check(status: CInt, output: String, errors: String) throws {
    let name = arguments.prefix(2).joined(separator: " ")
    guard status == 0 else {
      let stated = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
      throw BenchError(
        description: "\(name) ended with status \(status >> 8), signal \(status & 0x7F): \(stated.prefix(500))")
    }
    let made = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { !$0.hasSuffix("/") }.count
    guard made >= files else { throw BenchError(description: "\(name) made \(made) files, not \(files)") }
    if let lines {
      let stated = try Data(contentsOf: URL(fileURLWithPath: output)).count { $0 == UInt8(ascii: "\n") }
      guard stated == lines else { throw BenchError(description: "\(name) printed \(stated) lines, not \(lines)") }
    }
  }
}
