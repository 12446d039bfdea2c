internal import Foundation
internal import TestSupport
internal import Testing

/// What `mediatool thumbnail` and `batch` fetch of files without an image.
@Suite("URLs of files without an image", .timeLimit(.minutes(30))) struct FactsFirstTests {
  private let scratch: TemporaryFolder
  private let photo: [UInt8]
  private let text = [UInt8](repeating: 0x61, count: 3_000_000)

  init() throws {
    scratch = try TemporaryFolder()
    photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
  }

  private let options = ["--json", "--allow-http", "--allow-source", "127.0.0.1"]

  /// The photo behind every name that has `photo` in it, with zeros behind its end if it is `large`, and a text behind the others.
  private func server() throws -> ScriptedServer {
    try ScriptedServer { [photo, text] request, connection in
      let zeros = [UInt8](repeating: 0, count: request.target.contains("large") ? 4_000_000 : 0)
      connection.serve(request.target.contains("photo") ? photo + zeros : text, request)
      return true
    }
  }

  private func run(_ arguments: [String]) throws -> Tool.Output {
    try Tool("env", package: "coreutils").run(
      ["-u", "AWS_PROFILE", "HOME=/nonexistent", BuiltProduct.path("mediatool")] + arguments, seconds: 600)
  }

  /// Number of bytes that the server was asked for; all of the text for a request without a range.
  private func bytes(_ server: ScriptedServer) -> Int {
    server.seen.reduce(0) { $0 + ($1.range.map { min($0.upperBound, text.count) - $0.lowerBound } ?? text.count) }
  }

  @Test(
    "thumbnail reads only the ranges that the facts of a text need, whatever its name",
    arguments: ["a.txt", "a.zip", "a"])
  func thumbnail(name: String) throws {
    let server = try server()
    let output = try run(["thumbnail"] + options + [server.url("/\(name)"), "-s", "grid", "-o", scratch.path("out")])
    #expect(output.status == 0, "\(output.text) \(output.errors)")
    let found = try #require(try JSONSerialization.jsonObject(with: Data(output.bytes)) as? [String: Any])
    #expect(found["icon"] as? String == "text")
    #expect(server.seen.allSatisfy { $0.range != nil })
    #expect(bytes(server) <= 600_000)
    #expect(found["bytesRead"] as? Int == bytes(server))
    #expect(found["requests"] as? Int == server.seen.count)
  }

  @Test("batch reads only the ranges that the facts of a text need") func batch() throws {
    let server = try server()
    let list = try scratch.write(Array("\(server.url("/a.txt"))\n\(server.url("/photo.jpg"))\n".utf8), to: "1.txt")
    let output = try run(["batch", "--list", list, "-s", "grid", "-o", scratch.path("out"), "-j", "1"] + options)
    #expect(output.status == 0, "\(output.text) \(output.errors)")
    let (texts, photos) = (server.seen.filter { $0.target == "/a.txt" }, server.seen.filter { $0.target != "/a.txt" })
    #expect(!texts.isEmpty)
    #expect(texts.allSatisfy { $0.range != nil })
    // A name of an image: the whole file, at once.
    #expect(photos.map(\.range) == [nil])
    let results = try String(contentsOfFile: scratch.path("out/1.ndjson"), encoding: .utf8).split(separator: "\n")
    #expect(results.first?.contains(#""icon":"text""#) == true)
    #expect(results.last?.contains(#""renditions":[{"#) == true)
  }

  @Test("a digest takes the whole file, by one request") func digest() throws {
    let server = try server()
    let list = try scratch.write(Array("\(server.url("/a.txt"))\n".utf8), to: "1.txt")
    let output = try run(["batch", "--list", list, "--digest", "-o", scratch.path("out")] + options)
    #expect(output.status == 0, "\(output.text) \(output.errors)")
    #expect(server.seen.map(\.range) == [nil])
    #expect(try String(contentsOfFile: scratch.path("out/1.ndjson"), encoding: .utf8).contains(#""sha256":""#))
  }

  @Test(
    "an image under another name is found by its first range, and made",
    arguments: ["photo.txt", "photo", "photo-large.txt", "photo-large"])
  func hidden(name: String) throws {
    let server = try server()
    let output = try run(["thumbnail"] + options + [server.url("/\(name)"), "-s", "grid", "-o", scratch.path("out")])
    #expect(output.status == 0, "\(output.text) \(output.errors)")
    #expect(FileManager.default.fileExists(atPath: scratch.path("out/\(name.prefix { $0 != "." }).grid.webp")))
    #expect(server.seen.first?.range != nil)
    // Of a small file the first range is everything.
    #expect(photo.count < 262_144)
    #expect(server.seen.filter { $0.range == nil }.count == (name.contains("large") ? 1 : 0))
    #expect(server.seen.dropFirst().allSatisfy { $0.headers["if-match"] == "\"1\"" })
  }

  @Test("the name in a request decides, so that one request is enough for an image behind any key") func named() throws
  {
    let server = try server()
    let list = try scratch.write(
      Array("{\"source\":\"\(server.url("/photo"))\",\"name\":\"a.jpg\"}\n".utf8), to: "1.txt")
    let output = try run(["batch", "--list", list, "-s", "grid", "-o", scratch.path("out")] + options)
    #expect(output.status == 0, "\(output.text) \(output.errors)")
    #expect(server.seen.map(\.range) == [nil])
  }
}
