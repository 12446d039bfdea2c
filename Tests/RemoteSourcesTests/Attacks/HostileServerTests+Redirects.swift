internal import MediaModel
internal import Testing

@testable internal import RemoteSources

/// Servers that lead elsewhere.
extension HostileServerTests {
  @Test(
    "a redirect to an address that is not allowed is refused by its name",
    arguments: [
      ("http://169.254.169.254/latest/meta-data/", "metadata"), ("http://10.0.0.1/", "private"),
      ("http://[::1]/", "loopback"), ("http://[::ffff:127.0.0.1]/", "IPv4-mapped"),
      ("http://[64:ff9b::7f00:1]/", "NAT64"),
      ("http://rebound.test/", "loopback"), ("http://169.254.1.1/", "link-local"),
    ]) func redirects(location: String, name: String) throws
  {
    let server = try ScriptedServer { _, connection in
      connection.respond("302 Found", ["Location: \(location)"])
      return true
    }
    let failure = try failure(server) {
      $0.allowed = [RemoteClient.Pattern("127.0.0.1:\(server.port)")].compactMap { $0 }
      $0.resolve = { _ in [IPAddress("127.0.0.1")].compactMap { $0 } }
    }
    #expect(failure?.code == .sourceNotAllowed)
    #expect(failure?.message.contains(name) == true, "\(failure?.message ?? "")")
    #expect(server.seen.count == 1)
  }

  @Test("a redirect to another scheme is refused") func scheme() throws {
    let server = try ScriptedServer { _, connection in
      connection.respond("302 Found", ["Location: file:///etc/passwd"])
      return true
    }
    #expect(try failure(server)?.code == .invalidRequest)
  }

  @Test("redirects without end are refused after five") func redirectLoop() throws {
    let server = try ScriptedServer { _, connection in
      connection.respond("307 Temporary Redirect", ["Location: /again"])
      return true
    }
    #expect(try failure(server)?.code == .badResponse)
    #expect(server.seen.count == 6)
  }

  @Test("a redirect is followed, and each range follows it again") func redirect() throws {
    let server = try ScriptedServer { request, connection in
      if request.target == "/file" {
        connection.respond("302 Found", ["Location: /real?x=1"])
      } else {
        connection.serve(Self.file, request)
      }
      return true
    }
    #expect(try failure(server, range: 900_000..<900_001) == nil)
    #expect(server.seen.map(\.target) == ["/file", "/real?x=1", "/file", "/real?x=1"])
  }

  @Test("a name is resolved once, and the address that was checked is connected to") func rebinding() throws {
    let server = try ScriptedServer { request, connection in
      connection.serve(Self.file, request)
      return false
    }
    let asked = Counter()
    var settings = RemoteClient.Settings.test(allowing: "name.test")
    settings.resolve = { _ in
      // Another address from the second question on, as in an attack.
      [IPAddress(asked.next() == 1 ? "127.0.0.1" : "169.254.169.254")].compactMap { $0 }
    }
    let file = try RemoteClient(settings).file("http://name.test:\(server.port)/file")
    #expect(try file.size(until: .far) == Self.file.count)
    #expect(try file.read(900_000..<900_001, until: .far).count == 1)
    #expect(asked.count == 1)
    #expect(server.seen.allSatisfy { $0.headers["host"] == "name.test:\(server.port)" })
  }

  @Test("http is refused unless it is allowed") func http() throws {
    #expect(throws: MediaFailure.self) {
      try RemoteClient(.test(allowing: "127.0.0.1", http: false)).file("http://127.0.0.1/x")
    }
  }
}
