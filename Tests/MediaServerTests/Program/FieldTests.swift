internal import Foundation
internal import Glibc
internal import TestSupport
internal import Testing

/// Heads of HTTP/2 that would be other requests when a proxy or a log writes them as HTTP/1.1 (RFC 9113, section 8.2.1; GHSA-4px2-pw77-vc85).
@Suite("mediatool serve: fields over HTTP/2", .serialized) struct FieldTests {
  private static let method: [UInt8] = [0x82]
  private static let scheme: [UInt8] = [0x87]
  private static let authority: [UInt8] = [0x41, 9] + Array("localhost".utf8)

  private static func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }

  private static func path(_ path: String) -> [UInt8] { [0x04] + text(path) }

  private static func field(_ name: String, _ value: String) -> [UInt8] { [0x00] + text(name) + text(value) }

  private static var heads: [(name: String, block: [UInt8])] {
    let start = method + scheme + authority
    let whole = start + path("/healthz")
    return [
      ("a line break in the path", start + path("/healthz\r\nX-Evil: 1")),
      ("a line feed in the path", start + path("/healthz\nX-Evil: 1")),
      ("a carriage return in the path", start + path("/healthz\rX-Evil: 1")),
      ("a NUL in the path", start + path("/healthz\0")),
      ("a version in the path", start + path("/healthz HTTP/1.1\r\nHost: evil")),
      ("a space in the path", start + path("/healthz x")), ("an empty path", start + path("")),
      ("a path without its slash", start + path("healthz")),
      ("a path with a fragment", start + path("/healthz#x")),
      ("no path", start), ("two paths", whole + path("/v1/owner")),
      ("a line break in the method", [0x02] + text("GET\r\nX-Evil: 1") + scheme + authority + path("/healthz")),
      ("a target in the method", [0x02] + text("GET /v1/owner HTTP/1.1") + scheme + authority + path("/healthz")),
      ("a line break in the authority", method + scheme + [0x01] + text("localhost\r\nX-Evil: 1") + path("/healthz")),
      ("a pseudo-header field after another field", start + field("x", "y") + path("/healthz")),
      ("an unknown pseudo-header field", start + field(":evil", "1") + path("/healthz")),
      ("a name in upper case", whole + field("X-Evil", "1")),
      ("a line break in a name", whole + field("x\r\nx-evil", "1")),
      ("a line break in a value", whole + field("x", "1\r\nX-Evil: 1")),
      ("a NUL in a value", whole + field("x", "1\0")),
      ("a field of a connection", whole + field("connection", "close")),
      ("a transfer coding", whole + field("transfer-encoding", "chunked")),
    ]
  }

  @Test("A head that HTTP/1.1 would read as another one is not answered with success, and others are served")
  func heads() async throws {
    let folder = try TemporaryFolder()
    let certificate = try Certificate(in: folder, name: "tls")
    try await ServerProgram.serving(
      folder.path("library"), ["--tls-certificate", certificate.file, "--tls-key", certificate.key]
    ) { _, port in
      func answer(_ block: [UInt8]) async throws -> (Frame.Answer?, sent: String) {
        let client = try LiveProgram(
          ["openssl", "s_client", "-quiet", "-alpn", "h2", "-connect", "127.0.0.1:\(port)"])
        try client.write(Frame.preface + Frame.make(1, flags: 5, stream: 1, block))
        let answer = await client.output.firstInBytes { Frame.answer(to: 1, in: $0) }
        client.send(SIGKILL)
        return (answer, client.output.text)
      }
      let good = Self.method + Self.scheme + Self.authority + Self.path("/healthz")
      #expect(try await answer(good).0 == .head(0x88))
      // 200, 204, 206 and 500 in the static table.
      let wrong: Set<Frame.Answer?> = [.head(0x88), .head(0x89), .head(0x8A), .head(0x8E)]
      for (name, block) in Self.heads {
        let (answer, sent) = try await answer(block)
        #expect(!wrong.contains(answer), "\(name): \(String(describing: answer))")
        #expect(!sent.lowercased().contains("evil"), "\(name)")
      }
      #expect(try await answer(good).0 == .head(0x88))
    }
  }
}
