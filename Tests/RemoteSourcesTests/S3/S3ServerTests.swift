internal import FileSupport
internal import Foundation
internal import MediaEngine
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import RemoteSources

/// Objects of a real S3 service that checks signatures.
@Suite("S3 on OpenStack Swift", .serialized, .timeLimit(.minutes(30))) struct S3ServerTests {
  private static let keys = ["plain.bin", "a b//../ü+~(x)*'!.bin", "%41%2F&=?#;:@,$.bin", "日本/😀.bin"]
  private static let bytes = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 4) }

  private func settings(_ port: Int, secret: String = S3Server.secretKey) -> RemoteClient.Settings {
    var settings = RemoteClient.Settings()
    settings.environment = [:]
    settings.endpoint = "http://127.0.0.1:\(port)"
    settings.jitter = { 0.01 }
    settings.keySource = .keys(S3Credentials(accessKey: S3Server.accessKey, secretKey: secret))
    return settings
  }

  private func code(_ body: () throws -> Void) -> MediaFailure.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? MediaFailure)?.code
    }
  }

  @Test("objects are read by ranges and whole, whatever their keys; faults are survived or reported") func objects()
    throws
  {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.bytes, to: "bytes")
    guard let server = try S3Server(objects: Self.keys.map { ($0, path) }) else { return }

    let client = try RemoteClient(settings(server.port))
    for key in Self.keys {
      let file = try client.file("s3://media/\(key)")
      #expect(try file.size(until: .far) == Self.bytes.count, "\(key)")
      let range = 1_400_000..<1_400_100
      #expect(try file.read(range, until: .far) == Array(Self.bytes[range]), "\(key)")
      #expect(file.requests == 2)
      let whole = try file.whole(limit: .max, until: .far).count
      #expect(whole == Self.bytes.count)
    }
    try refusals(server, client)
    try presigned(server)
    try faults(server)
  }

  private func refusals(_ server: S3Server, _ client: RemoteClient) throws {
    #expect(code { _ = try client.file("s3://media/missing").size(until: .far) } == .notFound)
    #expect(code { _ = try client.file("s3://nobody/missing").size(until: .far) } == .notFound)
    let wrong = try RemoteClient(settings(server.port, secret: "wrong"))
    #expect(code { _ = try wrong.file("s3://media/plain.bin").size(until: .far) } == .noCredentials)
    #expect(
      code { _ = try client.file("s3://media/plain.bin", etag: "0123").size(until: .far) } == .changed)
    #expect(code { _ = try client.file("s3://media/plain.bin", bytes: 7).size(until: .far) } == .changed)
    #expect(
      code { _ = try client.file("s3://media/plain.bin").whole(limit: 1_000, until: .far) } == .tooLarge)
  }

  private func presigned(_ server: S3Server) throws {
    let signer = SigV4(
      credentials: S3Credentials(accessKey: S3Server.accessKey, secretKey: S3Server.secretKey), region: "us-east-1")
    let request = SigV4.Request(host: "127.0.0.1:\(server.port)", path: "/media/plain.bin")
    let url = signer.presigned(request, scheme: "http", seconds: 600, at: Date())
    let client = try RemoteClient(.test(allowing: "127.0.0.1"))
    #expect(try client.file(url).size(until: .far) == Self.bytes.count)
    let tampered = url.replacingOccurrences(of: "plain", with: "plane")
    #expect(code { _ = try client.file(tampered).size(until: .far) } == .accessDenied)
  }

  private func faults(_ server: S3Server) throws {
    func result(
      _ fault: @escaping @Sendable (Int) -> FaultProxy.Fault
    ) throws -> (code: MediaFailure.Code?, requests: Int) {
      let proxy = try FaultProxy(to: server.port, fault: fault)
      let file = try RemoteClient(settings(proxy.front.port)).file("s3://media/plain.bin")
      let found = code { () throws in
        #expect(try file.size(until: .far) == Self.bytes.count)
        let range = 1_000_000..<1_400_000
        #expect(try file.read(range, until: .far) == Array(Self.bytes[range]))
      }
      return (found, file.requests)
    }
    #expect(try result { _ in .nothing }.code == nil)
    #expect(try result { $0 % 2 == 0 ? .slowDown : .nothing }.code == nil)
    #expect(try result { $0 % 3 == 0 ? .cut(after: 5_000) : .nothing }.code == nil)
    #expect(try result { $0 % 2 == 0 ? .closed : .nothing }.code == nil)
    let down = try result { _ in .internalError }
    #expect(down.code == .sourceUnavailable)
    #expect(down.requests == 3)
    #expect(try result { _ in .cut(after: 5_000) }.code == .sourceUnavailable)
    #expect(try result { _ in .wholeStatus }.code == .badResponse)
  }
}
