internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import RemoteSources

/// HTTPS with a certificate authority of the test, behind a proxy that ends TLS.
@Suite("Certificates", .timeLimit(.minutes(10))) struct CertificateTests {
  private static let bytes = [UInt8](repeating: 7, count: 400_000)

  /// A certificate of its own authority for `s3.test` and `*.s3.test`.
  private func makeCertificate(in folder: TemporaryFolder) throws {
    let openssl = try Tool("openssl", package: "openssl")
    _ = try openssl.output([
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=test", "-addext",
      "subjectAltName=DNS:s3.test,DNS:*.s3.test", "-keyout", folder.path("key.pem"), "-out", folder.path("ca.pem"),
    ])
  }

  private func client(port: Int, host: String = "s3.test", trustFile: String?) throws -> RemoteClient {
    var settings = RemoteClient.Settings.test(http: false)
    settings.endpoint = "https://\(host):\(port)"
    settings.style = .host
    settings.keySource = .keys(S3Credentials(accessKey: "AKID", secretKey: "secret"))
    settings.resolve = { _ in [IPAddress("127.0.0.1")].compactMap { $0 } }
    settings.environment = trustFile.map { ["AWS_CA_BUNDLE": $0] } ?? [:]
    return try RemoteClient(settings)
  }

  @Test("a service with a certificate of AWS_CA_BUNDLE is read, and no other one") func bundle() throws {
    let folder = try TemporaryFolder()
    try makeCertificate(in: folder)
    let server = try ScriptedServer { request, connection in
      connection.serve(Self.bytes, request)
      return true
    }
    let proxy = Process()
    proxy.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    proxy.arguments = [Python.peer("tls_proxy.py"), folder.path("ca.pem"), folder.path("key.pem"), "\(server.port)"]
    let (input, output) = (Pipe(), Pipe())
    (proxy.standardInput, proxy.standardOutput) = (input, output)
    try proxy.run()
    defer {
      try? input.fileHandleForWriting.close()
      proxy.waitUntilExit()
    }
    var line: [UInt8] = []
    while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 { line.append(byte) }
    let port = try #require(Int(String(decoding: line, as: UTF8.self)))

    let file = try client(port: port, trustFile: folder.path("ca.pem")).file("s3://bucket/key")
    #expect(try file.size(until: .far) == Self.bytes.count)
    #expect(try file.read(300_000..<300_010, until: .far).count == 10)
    let count = server.seen.count
    for client in [
      // An unknown authority, and a name that is not in the certificate.
      try client(port: port, trustFile: nil),
      try client(port: port, host: "other.test", trustFile: folder.path("ca.pem")),
    ] {
      let file = try client.file("s3://bucket/key")
      #expect(throws: MediaFailure.self) { try file.size(until: .far) }
    }
    #expect(server.seen.count == count)
  }

  @Test("AWS_CA_BUNDLE that cannot be read is refused at once") func missing() {
    #expect(throws: MediaFailure.self) { try client(port: 443, trustFile: "/nonexistent/ca.pem") }
  }
}
