internal import FileSupport
internal import Foundation
internal import MediaEngine
internal import MediaModel
internal import Testing

@testable internal import RemoteSources

/// Servers that do what no honest one does. Each test bounds what they can cost.
@Suite("Hostile servers", .timeLimit(.minutes(20))) struct HostileServerTests {
  static let file = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }

  func client(_ change: (inout RemoteClient.Settings) -> Void = { _ in }) throws -> RemoteClient {
    var settings = RemoteClient.Settings.test(allowing: "127.0.0.1")
    change(&settings)
    return try RemoteClient(settings)
  }

  func failure(
    _ server: ScriptedServer, _ change: (inout RemoteClient.Settings) -> Void = { _ in }, within seconds: Double = 600,
    range: Range<Int>? = nil
  ) throws -> MediaFailure? {
    let file = try client(change).file(server.url())
    let deadline = ContinuousClock.now.advanced(by: .milliseconds(Int64(1_000 * seconds)))
    do throws(MediaFailure) {
      _ = try file.size(until: deadline)
      if let range { _ = try file.read(range, until: deadline) }
      return nil
    } catch {
      return error
    }
  }

  @Test("an honest server is read by ranges, with the entity tag of the first") func honest() throws {
    let server = try ScriptedServer { request, connection in
      connection.serve(Self.file, request)
      return true
    }
    let file = try client().file(server.url())
    #expect(try file.size(until: .far) == Self.file.count)
    #expect(try file.read(900_000..<900_100, until: .far) == Array(Self.file[900_000..<900_100]))
    #expect(file.requests == 2)
    #expect(file.bytesRead == 524_288)
    #expect(server.seen.map { $0.headers["if-match"] } == [nil, "\"1\""])
    #expect(server.seen.allSatisfy { $0.headers["accept-encoding"] == "identity" })
    #expect(server.seen.allSatisfy { $0.headers["host"] == "127.0.0.1:\(server.port)" })
  }

  @Test("a file that is replaced between two ranges is changed") func replaced() throws {
    let server = try ScriptedServer { request, connection in
      connection.serve(Self.file, request, etag: request.range?.lowerBound == 0 ? "\"1\"" : "\"2\"")
      return true
    }
    #expect(try failure(server, range: 900_000..<900_001)?.code == .changed)
  }

  @Test("an expected entity tag or size that is another one is changed") func expected() throws {
    let server = try ScriptedServer { request, connection in
      connection.serve(Self.file, request)
      return true
    }
    for (etag, bytes, isGood) in [("1", nil, true), ("2", nil, false), (nil, 1_000_000, true), (nil, 5, false)]
      as [(String?, Int?, Bool)]
    {
      let file = try client().file(server.url(), etag: etag, bytes: bytes)
      let result = Result { try file.size(until: .far) }
      #expect((try? result.get()) == (isGood ? 1_000_000 : nil))
      if !isGood { #expect(throws: MediaFailure.changedSource) { try result.get() } }
    }
  }

  @Test("a body that drips is cut at the deadline") func drip() throws {
    let server = try ScriptedServer { _, connection in
      connection.write(
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-262143/1000000\r\nContent-Length: 262144\r\n\r\n")
      while connection.write([7]) { usleep(1_000) }
      return false
    }
    #expect(try failure(server, within: 0.5) == .lateSource)
  }

  @Test("a head that drips is cut at the deadline") func drippingHead() throws {
    let server = try ScriptedServer { _, connection in
      connection.write("HTTP/1.1 200 OK\r\n")
      while connection.write("X: y\r\n") { usleep(20_000) }
      return false
    }
    #expect(try failure(server, within: 0.5) == .lateSource)
  }

  @Test("an endless body without a length ends at the limit for ranges") func endless() throws {
    let server = try ScriptedServer { _, connection in
      connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
      let piece = [UInt8](repeating: 7, count: 65_536)
      while connection.write(piece) {}
      return false
    }
    #expect(try failure(server) { $0.maxRangeBytes = 2_000_000 }?.code == .tooLarge)
  }

  @Test("a whole file ends at its limit, whatever the server states") func endlessFile() throws {
    let server = try ScriptedServer { _, connection in
      connection.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
      let piece = [UInt8](repeating: 7, count: 65_536)
      while connection.write(piece) {}
      return false
    }
    let file = try client().file(server.url())
    #expect(throws: MediaFailure.self) { _ = try file.whole(limit: 1_000_000, until: .far) }
    #expect(file.bytesRead < 8_000_000)
  }

  @Test("a flood of headers is refused") func headers() throws {
    let server = try ScriptedServer { _, connection in
      connection.write("HTTP/1.1 200 OK\r\n")
      let line = "X-\(String(repeating: "a", count: 1_000)): b\r\n"
      while connection.write(line) {}
      return false
    }
    #expect(try failure(server)?.code == .sourceUnavailable)
  }

  @Test(
    "a response that contradicts the request or itself is invalid",
    arguments: [
      "206 Partial Content|Content-Range: bytes 5-262148/1000000|262144",
      "206 Partial Content|Content-Range: bytes 0-999/1000000|1000", "206 Partial Content|X: y|262144",
      "206 Partial Content|Content-Range: bytes 0-262143/1000000|1000", "204 No Content|X: y|0",
      "304 Not Modified|X: y|0",
      "416 Range Not Satisfiable|Content-Range: bytes */5|0",
    ]) func wrongRanges(script: String) throws
  {
    let parts = script.split(separator: "|").map(String.init)
    let server = try ScriptedServer { _, connection in
      connection.respond(parts[0], [parts[1]], body: [UInt8](repeating: 7, count: Int(parts[2]) ?? 0))
      return false
    }
    #expect(try failure(server)?.code == .badResponse)
  }

  @Test("a body that is shorter than stated is tried three times, then unavailable") func short() throws {
    let server = try ScriptedServer { _, connection in
      connection.write(
        "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-262143/1000000\r\nContent-Length: 262144\r\n\r\nabc")
      return false
    }
    #expect(try failure(server)?.code == .sourceUnavailable)
    #expect(server.seen.count == 3)
  }

  @Test("200 for a range is cut to the range, and the rest is not read") func ignoredRange() throws {
    let server = try ScriptedServer { _, connection in
      connection.respond("200 OK", ["ETag: \"1\""], body: Self.file)
      return false
    }
    let file = try client().file(server.url())
    #expect(try file.size(until: .far) == Self.file.count)
    #expect(file.held(0..<262_144) == Array(Self.file[..<262_144]))
    #expect(try file.read(500_000..<500_010, until: .far) == Array(Self.file[500_000..<500_010]))
  }

  @Test("a file that is as long as the first range is read from a server without ranges") func exactLength() throws {
    let bytes = Array(Self.file[..<RangeWindows.base])
    let server = try ScriptedServer { _, connection in
      connection.respond("200 OK", ["ETag: \"1\""], body: bytes)
      return false
    }
    let file = try client().file(server.url())
    #expect(try file.size(until: .far) == bytes.count)
    #expect(file.held(0..<bytes.count) == bytes)
    #expect(server.seen.map { $0.headers["range"] } == ["bytes=0-262143", "bytes=0-0"])
    #expect(server.seen.map { $0.headers["if-match"] } == [nil, "\"1\""])
  }

  @Test("a part that is sent as if it were the whole file is invalid") func disguisedPart() throws {
    let server = try ScriptedServer { request, connection in
      let range = request.range ?? 0..<Self.file.count
      connection.respond("200 OK", body: Array(Self.file[range]))
      return true
    }
    #expect(try failure(server)?.code == .badResponse)
  }

  @Test("bytes with a content encoding are left as they are") func encoded() throws {
    // gzip of a megabyte of zeros would be a thousand bytes.
    let bytes: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 1, count: 990)
    let server = try ScriptedServer { request, connection in
      connection.respond(
        "206 Partial Content", ["Content-Encoding: gzip", "Content-Range: bytes 0-999/1000"], body: bytes)
      return true
    }
    let file = try client().file(server.url())
    #expect(try file.size(until: .far) == 1_000)
    #expect(file.held(0..<1_000) == bytes)
  }

  @Test("a server error is tried again, and a client error is not") func retries() throws {
    let counter = Counter()
    let server = try ScriptedServer { request, connection in
      if counter.next() < 3 {
        connection.respond("503 Slow Down", body: Array("<Error><Code>SlowDown</Code></Error>".utf8))
      } else {
        connection.serve(Self.file, request)
      }
      return true
    }
    #expect(try failure(server) == nil)
    #expect(server.seen.count == 3)
    let denying = try ScriptedServer { _, connection in
      connection.respond("403 Forbidden")
      return true
    }
    #expect(try failure(denying)?.code == .accessDenied)
    #expect(denying.seen.count == 1)
  }

  @Test("a file that needs too many requests is too large") func tooMany() throws {
    let server = try ScriptedServer { request, connection in
      connection.serve(Self.file, request)
      return true
    }
    #expect(try failure(server, { $0.maxRequests = 1 }, range: 900_000..<900_001)?.code == .tooLarge)
  }

  @Test("an empty file has size zero") func empty() throws {
    let server = try ScriptedServer { request, connection in
      connection.serve([], request)
      return true
    }
    #expect(try client().file(server.url()).size(until: .far) == 0)
  }
}
