public import Foundation
internal import Synchronization

/// A running mmsd-tng with its MMSC on 127.0.0.1, which does one thing after another as a test says.
///
/// What the daemon posts goes to `/`; another user agent posts to `/other`, and each of its PDUs is kept as `other-1.pdu`, `other-2.pdu` and on.
public final class MMSDaemonSession: Sendable {
  /// The port of the MMSC.
  public let port: Int
  private let folder: URL
  private let process: Process
  private let commands: FileHandle
  private let answers: LineReader

  /// Why a session has ended.
  public struct Ended: Error {}

  /// Starts the daemon.
  /// - Parameter folder: Has `send-conf.pdu`, which the MMSC answers to messages, and what is named later.
  public init(in folder: URL) async throws {
    self.folder = folder
    process = Process()
    process.executableURL = MMSDaemon.python.executable
    process.arguments = [MMSDaemon.script.path, folder.path, "--session"]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    (commands, answers) = (input.fileHandleForWriting, LineReader(output.fileHandleForReading))
    try process.run()
    struct Start: Decodable {
      var port: Int
    }
    port = try JSONDecoder().decode(Start.self, from: try await answers.next()).port
  }

  deinit {
    // The script ends with its standard input, and takes the daemon with it.
    try? commands.close()
    process.waitUntilExit()
  }

  /// Pushes the notification in `NAME.push`, and waits until the daemon has fetched `NAME.pdu` and answered.
  /// - Returns: The PDU of the answer.
  public func push(_ name: String) async throws -> [UInt8] {
    _ = try await ask("push \(name)")
    return [UInt8](try Data(contentsOf: folder.appendingPathComponent("\(name).posted")))
  }

  /// Has the daemon send the message in `send.json`, and waits until it counts as sent.
  /// - Returns: The PDU that was sent.
  public func send() async throws -> [UInt8] {
    _ = try await ask("send")
    return [UInt8](try Data(contentsOf: folder.appendingPathComponent("sent.pdu")))
  }

  /// The messages that the daemon has.
  public func messages() async throws -> [MMSDaemon.Result.Message] {
    try JSONDecoder().decode([MMSDaemon.Result.Message].self, from: try await ask("messages"))
  }

  private func ask(_ command: String) async throws -> Data {
    try commands.write(contentsOf: Data("\(command)\n".utf8))
    return try await answers.next()
  }
}

/// Reads lines, each on a thread of its own that waits for it.
private final class LineReader: Sendable {
  private let handle: FileHandle
  private let rest = Mutex(Data())

  init(_ handle: FileHandle) { self.handle = handle }

  func next() async throws -> Data {
    var buffer = rest.withLock { $0 }
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let left = Data(buffer[buffer.index(after: end)...])
        rest.withLock { $0 = left }
        return Data(buffer[..<end])
      }
      let more = await withCheckedContinuation { continuation in
        Thread.detachNewThread { [handle] in continuation.resume(returning: handle.availableData) }
      }
      guard !more.isEmpty else { throw MMSDaemonSession.Ended() }
      buffer += more
    }
  }
}
