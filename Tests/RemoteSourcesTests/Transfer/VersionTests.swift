internal import Foundation
internal import MediaModel
internal import Testing

@testable internal import RemoteSources

/// The version of a file that a request states, against servers with strong, weak and no entity tags.
@Suite("Versions of remote files", .timeLimit(.minutes(10))) struct VersionTests {
  private static let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 11 >> 3) }

  /// A server with this tag. It takes `If-Match` literally, by the strong comparison.
  private func server(etag: String?) throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      if let wanted = request.headers["if-match"], wanted != etag || wanted.hasPrefix("W/") {
        connection.respond("412 Precondition Failed")
        return true
      }
      let range = request.range ?? 0..<Self.bytes.count
      let part = range.clamped(to: 0..<Self.bytes.count)
      let tag = etag.map { ["ETag: \($0)"] } ?? []
      connection.respond(
        "206 Partial Content",
        tag + ["Content-Range: bytes \(part.lowerBound)-\(part.upperBound - 1)/\(Self.bytes.count)"],
        body: Array(Self.bytes[part]))
      return true
    }
  }

  private func code(of etag: String?, from server: ScriptedServer) throws -> String? {
    let client = try RemoteClient(.test(allowing: "127.0.0.1"))
    do throws(MediaFailure) {
      let file = try client.file(server.url(), etag: etag)
      _ = try file.size(until: .far)
      _ = try file.read(900_000..<900_010, until: .far)
      return nil
    } catch {
      return error.code.rawValue
    }
  }

  @Test(
    "a requested version is read, and another one is changed",
    arguments: [
      ("W/\"1\"", "W/\"1\"", nil), ("W/\"1\"", "\"1\"", nil), ("1", "\"1\"", nil), ("\"1\"", "\"1\"", nil),
      ("W/\"1\"", "W/\"2\"", "changed"), ("W/\"1\"", nil, "badResponse"), ("\"\"", "\"\"", nil),
      ("\"\"", "\"1\"", "changed"), (nil, "W/\"1\"", nil), (nil, nil, nil), ("", "\"1\"", "invalidRequest"),
      ("a b", "\"1\"", "invalidRequest"),
    ] as [(String?, String?, String?)])
  func versions(requested: String?, served: String?, expected: String?) throws {
    #expect(try code(of: requested, from: server(etag: served)) == expected)
  }

  @Test("a weak tag that differs between two ranges is changed") func weakChange() throws {
    let server = try ScriptedServer { request, connection in
      let range = (request.range ?? 0..<1).clamped(to: 0..<Self.bytes.count)
      connection.respond(
        "206 Partial Content",
        [
          "ETag: W/\"\(range.lowerBound == 0 ? 1 : 2)\"",
          "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(Self.bytes.count)",
        ], body: Array(Self.bytes[range]))
      return true
    }
    #expect(try code(of: nil, from: server) == "changed")
    #expect(server.seen.allSatisfy { $0.headers["if-match"] == nil })
  }

  @Test("released bytes are fetched again, of the same version") func release() throws {
    let server = try server(etag: "\"1\"")
    let file = try RemoteClient(.test(allowing: "127.0.0.1")).file(server.url())
    #expect(try file.size(until: .far) == Self.bytes.count)
    file.release()
    #expect(file.held(0..<1) == nil)
    #expect(try file.size(until: .far) == Self.bytes.count)
    #expect(server.seen.count == 1)
    #expect(try file.read(0..<10, until: .far) == Array(Self.bytes[..<10]))
    #expect(server.seen.map { $0.headers["if-match"] } == [nil, "\"1\""])
  }
}
