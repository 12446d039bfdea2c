internal import Foundation
internal import Glibc
internal import RawHTTP
internal import TestSupport

/// The program `mediatool-server` on a free port of 127.0.0.1, with a library of its own and the keys of ``Tokens``.
final class ServerProcess: Sendable {
  /// The port.
  let port: Int
  /// The folder of the library and the key file.
  let folder: TemporaryFolder
  private let process: Process

  /// Starts the program, and waits until it accepts connections.
  init(_ arguments: [String] = []) async throws {
    let folder = try TemporaryFolder()
    let secret = Data(Tokens.secret).base64EncodedString()
    let keys =
      "{\"tokens\":[{\"kid\":\"test\",\"alg\":\"HS256\",\"secret\":\"\(secret)\"}],"
      + "\"addresses\":[{\"id\":\"k1\",\"secret\":\"\(secret)\"}]}"
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path("mediatool-server"))
    process.arguments =
      [
        "--listen", "127.0.0.1:0", "--library", folder.path("library"), "--free-bytes", "0", "--keys",
        try folder.write(Array(keys.utf8), to: "keys.json"),
      ] + arguments
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    (self.folder, self.process) = (folder, process)
    port = try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        var text = ""
        var port: Int?
        // Read to the end, so that the program never waits for its log.
        while case let data = errors.fileHandleForReading.availableData, !data.isEmpty {
          guard port == nil else { continue }
          text += String(decoding: data, as: UTF8.self)
          guard let address = text.firstMatch(of: #/listening on http://127\.0\.0\.1:(\d+)\n/#) else { continue }
          port = Int(address.output.1)
          continuation.resume(returning: port ?? 0)
        }
        if port == nil { continuation.resume(throwing: Failure(log: text)) }
      }
    }
  }

  deinit { end() }

  /// Why it did not start.
  struct Failure: Error {
    let log: String
  }

  /// Whether the program runs.
  var isRunning: Bool { process.isRunning }

  /// Ends the program at once: a graceful stop would hold a thread of Swift's pool, on which the other tests run, for seconds.
  func end() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// One request on a connection of its own.
  func request(
    _ method: String, _ target: String, _ fields: [String: String] = [:], body: [UInt8]? = nil
  ) async throws -> RawResponse {
    try await RawConnection.request(port: port, method, target, fields, body: body)
  }
}
