internal import Foundation
internal import TestSupport
internal import Testing

@Suite("mediatool serve: floods over HTTP/2", .serialized) struct FloodTests {
  private struct Flood: Sendable {
    let name: String
    let frames: [UInt8]
    /// The error codes that may end it (RFC 9113, section 7): 1 protocol, 9 compression, 11 too much.
    var codes: Set<UInt8> = [11]
  }

  private static func repeated(_ count: Int, _ frame: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * frame.count)
    for _ in 0..<count { bytes += frame }
    return bytes
  }

  private static var floods: [Flood] {
    let head = Frame.make(1, flags: 1, stream: 1, Frame.get)
    var resets: [UInt8] = []
    for number: UInt32 in 0..<10_000 {
      resets += Frame.make(1, flags: 5, stream: 2 * number + 1, Frame.get)
      resets += Frame.make(3, stream: 2 * number + 1, Frame.bytes(8))
    }
    // A field of 4,000 bytes in the table, named 3,000 times: 12 MB in a head of 3 kB.
    let entry: [UInt8] = [0x40, 1, 97, 0x7F, 0xA1, 0x1E] + [UInt8](repeating: 120, count: 4_000)
    var bomb = Frame.make(1, flags: 5, stream: 1, Frame.get + entry)
    bomb += Frame.make(1, flags: 5, stream: 3, Frame.get + [UInt8](repeating: 0xBE, count: 3_000))
    let post = Frame.make(1, flags: 4, stream: 1, Frame.post)
    return [
      // CVE-2023-44487
      Flood(name: "streams that are reset at once", frames: resets),
      // CVE-2024-27316
      Flood(
        name: "a head without an end", frames: head + repeated(10_000, Frame.make(9, stream: 1, [0, 1, 97, 1, 98]))),
      Flood(name: "empty continuations", frames: head + repeated(10_000, Frame.make(9, stream: 1))),
      // CVE-2019-9515, CVE-2019-9512, CVE-2019-9513, CVE-2019-9518
      Flood(name: "settings", frames: repeated(50_000, Frame.make(4, [0, 3, 0, 0, 0, 100]))),
      Flood(name: "pings", frames: repeated(50_000, Frame.make(6, Array("12345678".utf8)))),
      Flood(name: "priorities", frames: repeated(50_000, Frame.make(2, stream: 3, [0, 0, 0, 0, 16]))),
      Flood(name: "empty pieces of a body", frames: post + repeated(50_000, Frame.make(0, stream: 1))),
      Flood(name: "a head that is large only when it is decoded", frames: bomb, codes: [1, 9, 11]),
    ]
  }

  @Test("Each flood ends its connection with the reason, and others are served")
  func floods() async throws {
    let folder = try TemporaryFolder()
    let certificate = try Certificate(in: folder, name: "tls")
    try await ServerProgram.serving(
      folder.path("library"), ["--tls-certificate", certificate.file, "--tls-key", certificate.key]
    ) { _, port in
      for flood in Self.floods {
        // openssl ends when the server has closed the connection: it is not asked to end before.
        let answer = try await onThread {
          try Tool("openssl", package: "openssl").run(
            ["s_client", "-quiet", "-alpn", "h2", "-connect", "127.0.0.1:\(port)"],
            input: Frame.preface + flood.frames, seconds: 3_600)
        }
        // A reset may come before the reason is read.
        if let code = Frame.goAway(in: answer.bytes) { #expect(flood.codes.contains(code), "\(flood.name): \(code)") }
        let status = try await onThread {
          try Tool("curl", package: "curl").output(
            [
              "--silent", "--http2", "--cacert", certificate.file, "--output", "/dev/null", "--write-out",
              "%{http_code}", "https://localhost:\(port)/healthz",
            ], seconds: 3_600)
        }
        #expect(String(decoding: status, as: UTF8.self) == "200", "\(flood.name)")
      }
    }
  }
}
