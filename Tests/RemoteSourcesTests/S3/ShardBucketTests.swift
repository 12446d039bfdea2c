internal import Foundation
internal import Glibc
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import RemoteSources

/// `mediatool batch` with a bucket, on a real S3 service.
@Suite("Shards in a bucket", .serialized, .timeLimit(.minutes(30))) struct ShardBucketTests {
  private let scratch: TemporaryFolder

  init() throws { scratch = try TemporaryFolder() }

  private func environment(_ port: Int) -> [String] {
    [
      "AWS_ACCESS_KEY_ID=\(S3Server.accessKey)", "AWS_SECRET_ACCESS_KEY=\(S3Server.secretKey)",
      "AWS_ENDPOINT_URL_S3=http://127.0.0.1:\(port)", "AWS_REGION=us-east-1", "HOME=/nonexistent",
    ]
  }

  private func run(_ arguments: [String], port: Int) throws -> Tool.Output {
    try Tool("env", package: "coreutils").run(
      ["-u", "AWS_PROFILE"] + environment(port) + [BuiltProduct.path("mediatool"), "batch"] + arguments, seconds: 600)
  }

  private func folder(_ server: S3Server) throws -> S3Folder {
    var settings = RemoteClient.Settings.test()
    settings.endpoint = "http://127.0.0.1:\(server.port)"
    settings.keySource = .keys(S3Credentials(accessKey: S3Server.accessKey, secretKey: S3Server.secretKey))
    return try RemoteClient(settings).folder("s3://media/shards")
  }

  private func contents(_ name: String, in folder: S3Folder) throws -> [UInt8] {
    var bytes: [UInt8] = []
    _ = try folder.read(name) { piece in
      bytes += piece
      return true
    }
    return bytes
  }

  private func uploads(in folder: S3Folder) throws -> Int {
    ServiceXML(try folder.perform(RemoteOperation(query: [("uploads", "")]), on: nil).bytes).all("Key").count
  }

  /// A list whose shard has some 30 MB: large images of photos, again and again.
  private func large(_ name: String) throws -> (list: String, options: [String]) {
    let photos = Fixture.path("camera-roll/IMG_0001.jpg") + "\n" + Fixture.path("camera-roll/IMG_0002.jpg") + "\n"
    let list = try scratch.write(Array(String(repeating: photos, count: 15).utf8), to: name)
    return (list, ["--size", "1200", "--format", "png", "--upscale", "--json"])
  }

  @Test("a shard in a bucket has the bytes of one in a folder, is done only once, and is listed") func whole() throws {
    guard let server = try S3Server(objects: []) else { return }
    let text = "\(Fixture.path("camera-roll/IMG_0001.jpg"))\nmissing.jpg\n\(Fixture.path("camera-roll/IMG_0003.jpg"))\n"
    let list = try scratch.write(Array(text.utf8), to: "17.txt")
    let output = try run(["--list", list, "-o", "s3://media/shards/", "--json"], port: server.port)
    #expect(output.status == 0, "\(output.errors)")
    let local = try run(["--list", list, "-o", scratch.path("out"), "--json"], port: server.port)
    #expect(local.status == 0, "\(local.errors)")
    let folder = try folder(server)
    for name in ["17.tar", "17.ndjson"] {
      let bytes = try contents(name, in: folder)
      #expect(!bytes.isEmpty)
      #expect(try bytes == Array(Data(contentsOf: URL(fileURLWithPath: scratch.path("out/\(name)")))), "\(name)")
    }
    #expect(try contents("17.stats.json", in: folder) == output.bytes)

    let again = try run(["--list", list, "-o", "s3://media/shards", "--json"], port: server.port)
    #expect(again.bytes == output.bytes)
    #expect(again.errors.contains("shard 17 is done"), "\(again.errors)")

    let other = try scratch.write(Array("gone\n".utf8), to: "18.txt")
    let named = ["--status", "s3://media/shards", "--json", "--list", list, "--list", other]
    let status = try run(named + ["--check"], port: server.port)
    #expect(status.status == 1, "\(status.errors)")
    #expect(status.text.contains(#""shard":"17","state":"failing""#), "\(status.text)")
    #expect(status.text.contains(#""shard":"18","state":"missing""#))
    let retry = try run(["--status", "s3://media/shards", "--retry", "notFound"], port: server.port)
    #expect(retry.text == "missing.jpg\n", "\(retry.errors)")

    // Another object of the same size, and one of another size.
    let tar = try contents("17.tar", in: folder)
    try folder.write([UInt8](repeating: 7, count: tar.count), to: "17.tar")
    #expect(try run(named, port: server.port).text.contains(#""state":"changed""#), "its entity tag is another one")
    try folder.write([7], to: "17.tar")
    #expect(try run(named, port: server.port).text.contains(#""state":"changed""#))
    #expect(try run(["--list", list, "-o", "s3://media/shards", "--json"], port: server.port).status == 0)
    #expect(try contents("17.tar", in: folder) == tar)
    try foreign(server, folder)
  }

  /// Objects that no run of the shard has made stay.
  private func foreign(_ server: S3Server, _ folder: S3Folder) throws {
    for name in ["19.tar", "19.ndjson"] {
      try folder.write(Array("a photo".utf8), to: name)
      let list = try scratch.write(Array("gone\n".utf8), to: "19.txt")
      let output = try run(["--list", list, "-o", "s3://media/shards", "--json"], port: server.port)
      #expect(output.status == 64, "\(output.errors)")
      #expect(output.errors.contains("s3://media/shards/\(name)"), "\(output.errors)")
      #expect(try contents(name, in: folder) == Array("a photo".utf8))
      try folder.remove(name)
    }
    let list = try scratch.write(Array("s3://media/shards/20.tar\n".utf8), to: "20.txt")
    let output = try run(["--list", list, "-o", "s3://media/shards", "--json"], port: server.port)
    #expect(output.status == 64)
    #expect(output.errors.contains("would replace its input"), "\(output.errors)")
    let wrong = try run(["--list", list, "-o", "s3://nobody/shards", "--json"], port: server.port)
    #expect(wrong.status == 70)
    #expect(wrong.errors.contains("s3://nobody/shards"), "\(wrong.errors)")
  }

  /// Starts a run, and returns when a part of its tar file is at the service.
  private func start(_ name: String, _ server: S3Server, _ folder: S3Folder) throws -> Process {
    let (list, options) = try large(name)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: BuiltProduct.path("mediatool"))
    process.arguments = ["batch", "--list", list, "-o", "s3://media/shards", "-j", "1"] + options
    process.environment = Dictionary(
      uniqueKeysWithValues: environment(server.port).map { pair in
        let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
        return (parts[0], parts[1])
      })
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    while process.isRunning, try uploads(in: folder) == 0 { usleep(10_000) }
    return process
  }

  @Test("a run that is killed or stopped leaves no object, and two at once leave one shard") func ended() throws {
    guard let server = try S3Server(objects: []) else { return }
    let folder = try folder(server)
    // The first request is for the bucket, which has no container for parts yet.
    let killed = try start("1.txt", server, folder)
    kill(killed.processIdentifier, SIGKILL)
    killed.waitUntilExit()
    #expect(try folder.names(endingWith: "").isEmpty)
    #expect(try uploads(in: folder) == 1, "a lifecycle rule removes it")

    let stopped = try start("2.txt", server, folder)
    stopped.interrupt()
    stopped.waitUntilExit()
    #expect(stopped.terminationStatus == 130)
    #expect(try folder.names(endingWith: "").isEmpty)
    #expect(try uploads(in: folder) == 1)

    let runs = try (0..<2).map { _ in try start("1.txt", server, folder) }
    for run in runs {
      run.waitUntilExit()
      // The times in their statistics differ, but the shard is done.
      #expect(run.terminationStatus == 0)
    }
    // As an engine repeats it. Of a shard that is done nothing is made again.
    let repeated = try start("1.txt", server, folder)
    repeated.waitUntilExit()
    #expect(repeated.terminationStatus == 0)
    #expect(try Set(folder.names(endingWith: "")) == ["1.tar", "1.ndjson", "1.stats.json"])
    let status = try run(["--status", "s3://media/shards", "--check", "--json"], port: server.port)
    #expect(status.text.contains(#""shard":"1","state":"done""#), "\(status.text)")
  }

  @Test("faults of the service are survived, or end the run without a shard") func faults() throws {
    guard let server = try S3Server(objects: []) else { return }
    let folder = try folder(server)
    let (list, options) = try large("3.txt")
    let arguments = ["--list", list, "-o", "s3://media/shards"] + options
    let broken = try FaultProxy(to: server.port) { _, request in
      request.target.contains("partNumber=2") ? .internalError : .nothing
    }
    let failed = try run(arguments, port: broken.front.port)
    #expect(failed.status == 70)
    #expect(failed.errors.contains("cannot write the shard in s3://media/shards"), "\(failed.errors)")
    #expect(try folder.names(endingWith: "").isEmpty)
    #expect(try uploads(in: folder) == 0)
    let poor = try FaultProxy(to: server.port) { number, _ in
      number % 3 == 0 ? .internalError : number % 3 == 1 ? .closed : .nothing
    }
    let survived = try run(arguments, port: poor.front.port)
    #expect(survived.status == 0, "\(survived.errors)")
    let status = try run(["--status", "s3://media/shards", "--check", "--json"], port: server.port)
    #expect(status.text.contains(#""shard":"3","state":"done""#), "\(status.text)")
  }
}
