internal import Foundation
internal import RawHTTP
internal import Synchronization
internal import TestSupport

/// What clients know of their uploads.
final class UploadLog: Sendable {
  struct Entry: Sendable {
    let number: Int
    /// The address, once the server has answered with it.
    var address: String
    /// The last offset that the server reported.
    var offset = 0
    var attachment: String?
  }

  private let entries = Mutex<[Int: Entry]>([:])

  var all: [Entry] { entries.withLock { $0.values.sorted { $0.number < $1.number } } }

  subscript(number: Int) -> Entry? {
    get { entries.withLock { $0[number] } }
    set { entries.withLock { $0[number] = newValue } }
  }
}

/// A client that uploads files in pieces, by tus or by the IETF's protocol, and goes on after each lost connection.
struct ResumingClient: Sendable {
  static let length = 240_000
  private static let piece = 30_000

  let server: KilledServer
  let log: UploadLog

  /// Something that the server may never do.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// The bytes of an upload by its number.
  static func text(_ number: Int) -> [UInt8] {
    var generator = SeededGenerator(seed: UInt64(number))
    return (0..<length).map { $0 % 64 == 63 ? 10 : UInt8(ascii: "a") + UInt8.random(in: 0..<26, using: &generator) }
  }

  /// Uploads a file to its end.
  func upload(_ number: Int) async throws {
    let isTus = number % 2 == 0
    let text = Self.text(number)
    while true {
      try Task.checkCancellation()
      let port = await server.currentPort()
      do {
        let connection = try await RawConnection(port: port)
        defer { connection.close() }
        if try await attempt(number, text, isTus, connection) { return }
      } catch is RawConnection.Failure {
        // The server was killed. The next one has another port.
        await Task.yield()
      }
    }
  }

  /// Goes on with an upload on a connection.
  /// - Returns: Whether it is finished.
  private func attempt(_ number: Int, _ text: [UInt8], _ isTus: Bool, _ connection: RawConnection) async throws -> Bool
  {
    if log[number] == nil { try await create(number, isTus, connection) }
    guard var entry = log[number] else { return false }
    let state = try await connection.request("GET", entry.address)
    guard state.status == 200, let offset = state.json["offset"] as? Int else {
      throw Fault(description: "upload \(number) was forgotten: \(state.status) \(state.text)")
    }
    guard offset >= entry.offset else {
      throw Fault(description: "upload \(number) went back from \(entry.offset) to \(offset)")
    }
    try await note(offset, of: &entry)
    while entry.offset < Self.length {
      let end = min(Self.length, entry.offset + Self.piece)
      let answer = try await connection.request(
        "PATCH", entry.address, fields(isTus, entry.offset, isLast: end == Self.length),
        body: Array(text[entry.offset..<end]))
      guard answer.status < 300 else {
        throw Fault(description: "upload \(number) at \(entry.offset): \(answer.status) \(answer.text)")
      }
      try await note(end, of: &entry)
    }
    // The examination may still run: after a kill between the last byte and the attachment it is begun again.
    let finished = try await connection.request("GET", entry.address)
    guard finished.json["state"] as? String == "finished" else {
      if ["refused", "gone"].contains(finished.json["state"] as? String) {
        throw Fault(description: "upload \(number): \(finished.text)")
      }
      try await Task.sleep(for: .milliseconds(50))
      return false
    }
    entry.attachment = (finished.json["attachment"] as? [String: Any])?["id"] as? String
    log[number] = entry
    return true
  }

  private func create(_ number: Int, _ isTus: Bool, _ connection: RawConnection) async throws {
    let fields =
      isTus
      ? ["Tus-Resumable": "1.0.0", "Upload-Length": "\(Self.length)"]
      : ["Upload-Draft-Interop-Version": "6", "Upload-Complete": "?0", "Upload-Length": "\(Self.length)"]
    let answer = try await connection.request("POST", "/v1/uploads", fields, body: [])
    guard answer.status == 201, let address = answer["Location"] else {
      throw Fault(description: "creation of \(number): \(answer.status) \(answer.text)")
    }
    log[number] = UploadLog.Entry(number: number, address: address)
  }

  private func note(_ offset: Int, of entry: inout UploadLog.Entry) async throws {
    let more = offset - entry.offset
    entry.offset = offset
    log[entry.number] = entry
    await server.acknowledged(more)
  }

  private func fields(_ isTus: Bool, _ offset: Int, isLast: Bool) -> [String: String] {
    isTus
      ? [
        "Tus-Resumable": "1.0.0", "Upload-Offset": "\(offset)", "Content-Type": "application/offset+octet-stream",
      ]
      : [
        "Upload-Draft-Interop-Version": "6", "Upload-Offset": "\(offset)", "Upload-Complete": isLast ? "?1" : "?0",
        "Content-Type": "application/partial-upload",
      ]
  }
}
