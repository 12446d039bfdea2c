internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import RemoteSources

/// Objects that are written, on a real S3 service and through a proxy that loses requests and responses.
@Suite("Uploads to OpenStack Swift", .serialized, .timeLimit(.minutes(30))) struct UploadTests {
  private static let bytes = (0..<12_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 4) }
  /// The least that services take for a part.
  private static let part = 5_242_880

  private func folder(_ port: Int, _ prefix: String = "out") throws -> S3Folder {
    var settings = RemoteClient.Settings.test()
    settings.endpoint = "http://127.0.0.1:\(port)"
    settings.keySource = .keys(S3Credentials(accessKey: S3Server.accessKey, secretKey: S3Server.secretKey))
    return try RemoteClient(settings).folder("s3://media/\(prefix)")
  }

  private func contents(_ name: String, in folder: S3Folder) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    let isThere = try folder.read(name) { piece in
      bytes += piece
      return true
    }
    return isThere ? bytes : nil
  }

  /// The keys of uploads that are neither complete nor aborted.
  private func incomplete(in folder: S3Folder) throws -> [String] {
    let page = try folder.perform(RemoteOperation(query: [("uploads", "")]), on: nil)
    return ServiceXML(page.bytes).all("Key")
  }

  /// Writes an object in three parts.
  private func upload(_ name: String, to folder: S3Folder) throws {
    let upload = S3Upload(name, in: folder, partBytes: Self.part)
    for start in stride(from: 0, to: Self.bytes.count, by: 900_000) {
      try upload.append(Array(Self.bytes[start..<min(start + 900_000, Self.bytes.count)]))
    }
    #expect(try folder.look(at: name)?.bytes == nil, "it appears only when it is complete")
    try upload.commit()
  }

  @Test("objects are written whole and in parts, listed, read, replaced and removed; faults are survived")
  func objects()
    throws
  {
    guard let server = try S3Server(objects: []) else { return }
    let folder = try folder(server.port)
    #expect(try folder.names(endingWith: "").isEmpty)
    try folder.write([1, 2, 3], to: "ä + &.stats.json")
    try folder.write([], to: "empty")
    try self.folder(server.port, "out/below").write([1], to: "x.stats.json")
    #expect(try folder.names(endingWith: ".stats.json") == ["ä + &.stats.json"])
    #expect(try contents("ä + &.stats.json", in: folder) == [1, 2, 3])
    #expect(try contents("empty", in: folder) == [])
    #expect(try contents("missing", in: folder) == nil)
    #expect(try folder.look(at: "missing")?.bytes == nil)

    try upload("large", to: folder)
    #expect(try contents("large", in: folder) == Self.bytes)
    #expect(try folder.head("large")?.etag?.opaque.hasSuffix("-3\"") == true)
    try folder.write([7], to: "large")
    #expect(try contents("large", in: folder) == [7])
    try folder.remove("large")
    try folder.remove("large")
    #expect(try folder.look(at: "large")?.bytes == nil)

    let abandoned = S3Upload("abandoned", in: folder, partBytes: Self.part)
    try abandoned.append(Self.bytes)
    #expect(try incomplete(in: folder) == ["out/abandoned"])
    #expect(abandoned.abandon())
    #expect(try incomplete(in: folder).isEmpty)
    #expect(try folder.look(at: "abandoned")?.bytes == nil)
    try faults(server)
    try pages(server)
  }

  private func faults(_ server: S3Server) throws {
    let isCompletion: @Sendable (ScriptedServer.Request) -> Bool = {
      $0.method == "POST" && $0.target.contains("uploadId=")
    }
    let (counts, attempts) = (Counter(), Counter())
    let scripts: [@Sendable (Int, ScriptedServer.Request) -> FaultProxy.Fault] = [
      { number, _ in number % 2 == 0 ? .slowDown : .nothing }, { number, _ in number % 2 == 0 ? .closed : .nothing },
      { number, _ in number % 2 == 0 ? .internalError : .nothing },
      // Parts that the service has, and whose responses are lost.
      { _, request in request.target.contains("partNumber=") && counts.next() % 2 == 1 ? .lost : .nothing },
      { _, request in isCompletion(request) && attempts.next() == 1 ? .lost : .nothing },
    ]
    for (index, script) in scripts.enumerated() {
      let proxy = try FaultProxy(to: server.port, fault: script)
      let folder = try folder(proxy.front.port)
      try upload("faults-\(index)", to: folder)
      #expect(try contents("faults-\(index)", in: folder) == Self.bytes)
    }
    let broken = try FaultProxy(to: server.port) { _, request in
      request.target.contains("partNumber=") ? .internalError : .nothing
    }
    let upload = S3Upload("broken", in: try folder(broken.front.port), partBytes: Self.part)
    #expect(throws: MediaFailure.self) { try upload.append(Self.bytes) }
    #expect(upload.abandon())
    #expect(try incomplete(in: folder(server.port)).isEmpty)
  }

  private func pages(_ server: S3Server) throws {
    let folder = try folder(server.port, "many")
    for number in 0..<3 { try folder.write([1], to: "\(number).stats.json") }
    let names = try folder.names(endingWith: ".stats.json", pageSize: 2)
    #expect(names == ["0.stats.json", "1.stats.json", "2.stats.json"])
  }
}

@Suite("Responses about uploads", .timeLimit(.minutes(10))) struct UploadResponseTests {
  /// A service that answers the requests of one upload.
  private func service(completion: String, size: Int = 12, etag: String = "\"x\"") throws -> ScriptedServer {
    try ScriptedServer { request, connection in
      switch request.method {
      case "POST" where request.target.hasSuffix("?uploads="):
        connection.respond("200 OK", body: Array("<R><UploadId>a&amp;b/c</UploadId></R>".utf8))
      case "PUT": connection.respond("200 OK", ["ETag: \"p\""])
      case "POST": connection.respond("200 OK", body: Array(completion.utf8))
      case "HEAD":
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\nETag: \(etag)\r\n\r\n")
      default: connection.respond("204 No Content")
      }
      return true
    }
  }

  private func code(_ server: ScriptedServer) throws -> String? {
    var settings = RemoteClient.Settings.test()
    settings.endpoint = "http://127.0.0.1:\(server.port)"
    settings.keySource = .anonymous
    let upload = S3Upload("o.tar", in: try RemoteClient(settings).folder("s3://b/p/"), partBytes: 5)
    do throws(MediaFailure) {
      try upload.append(Array("hello world!".utf8))
      try upload.commit()
      return nil
    } catch {
      return error.code.rawValue
    }
  }

  private let done = "<CompleteMultipartUploadResult><ETag>&quot;x&quot;</ETag></CompleteMultipartUploadResult>"

  @Test("parts have numbers and equal sizes, and the completion lists their tags") func parts() throws {
    let server = try service(completion: done)
    #expect(try code(server) == nil)
    let seen = server.seen
    #expect(seen.map(\.method) == ["POST", "PUT", "PUT", "PUT", "POST", "HEAD"])
    #expect(seen.map(\.target).dropFirst().first == "/b/p/o.tar?partNumber=1&uploadId=a%26b%2Fc")
    #expect(seen.dropFirst().prefix(3).map { String(decoding: $0.body, as: UTF8.self) } == ["hello", " worl", "d!"])
    #expect(seen.first?.headers["content-type"] == "application/x-tar")
    let body = String(decoding: seen[4].body, as: UTF8.self)
    #expect(
      body.contains("<Part><PartNumber>1</PartNumber><ETag>&quot;p&quot;</ETag></Part>"))
  }

  @Test("an error with status 200, another size and another entity tag fail the upload") func lies() throws {
    let error = "<?xml version=\"1.0\"?><Error><Code>InternalError</Code></Error>"
    let failing = try service(completion: error)
    #expect(try code(failing) == "sourceUnavailable")
    let completions = failing.seen.count { $0.method == "POST" && !$0.target.hasSuffix("?uploads=") }
    #expect(completions == RetryPolicy.attempts)
    #expect(try code(service(completion: done, size: 11)) == "badResponse")
    #expect(try code(service(completion: done, etag: "\"y\"")) == "badResponse")
  }

  @Test(
    "a prefix that names no folder of objects is refused",
    arguments: ["s3://", "s3:///x", "s3://b//x", "s3://b/../x", "https://b/x"])
  func names(url: String) throws {
    let client = try RemoteClient(.test())
    #expect(throws: MediaFailure.self) { try client.folder(url) }
  }
}
