internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import RemoteSources

/// A server that answers a range with status 200, and ignores `If-Match`.
@Suite("S3 on rclone", .timeLimit(.minutes(10))) struct RcloneTests {
  @Test("a part with status 200 and its Content-Range is taken as that part") func ranges() throws {
    let program = Corpus.packageRoot.appendingPathComponent(".build/python/bin/rclone")
    guard FileManager.default.isExecutableFile(atPath: program.path) else {
      print("S3 on rclone: not tested, because .build/python has no rclone; `scripts/setup test` installs it")
      return
    }
    let bytes = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 4) }
    let folder = try TemporaryFolder()
    _ = try folder.write(bytes, to: "served/media/a b.bin")
    // A free port: that of a server that has ended.
    let port = try ScriptedServer { _, _ in false }.port
    let process = Process()
    process.executableURL = program
    process.arguments = [
      "serve", "s3", "--auth-key", "ACCESSKEY1,SECRETKEY1", "--addr", "127.0.0.1:\(port)", folder.path("served"),
    ]
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    var settings = RemoteClient.Settings()
    settings.environment = [:]
    settings.endpoint = "http://127.0.0.1:\(port)"
    settings.keySource = .keys(S3Credentials(accessKey: "ACCESSKEY1", secretKey: "SECRETKEY1"))
    let client = try RemoteClient(settings)
    // Until it listens.
    var size: Int?
    while size == nil, process.isRunning { size = try? client.file("s3://media/a b.bin").size(until: .far) }
    #expect(size == bytes.count)
    let file = try client.file("s3://media/a b.bin")
    #expect(try file.read(1_400_000..<1_400_100, until: .far) == Array(bytes[1_400_000..<1_400_100]))
    settings.keySource = .keys(S3Credentials(accessKey: "ACCESSKEY1", secretKey: "wrong"))
    let wrong = try RemoteClient(settings).file("s3://media/a b.bin")
    #expect(throws: MediaFailure.self) { try wrong.size(until: .far) }
  }
}
