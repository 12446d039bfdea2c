internal import RawHTTP
internal import Testing

@testable internal import MediaServer

/// A server without keys on loopback trusts whoever reaches it, also a page of the web in its owner's browser.
@Suite struct HostTests {
  @Test(arguments: ["localhost", "localhost:8080", "127.0.0.1:1", "[::1]", "[::1]:8080", "LOCALHOST"])
  func `A name of this machine is accepted`(host: String) async throws {
    try await TestServer.start { server in
      let answer = try await server.request("GET", "/healthz", ["Host": host])
      #expect(answer.status == 200)
    }
  }

  @Test(arguments: [
    "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:8080", "localhost:x", "[::1", "",
    "127.0.0.2",
  ])
  func `Another name is refused, for it may resolve to this machine`(host: String) async throws {
    try await TestServer.start { server in
      let answer = try await server.request("GET", "/healthz", ["Host": host])
      #expect([400, 403].contains(answer.status), "\(answer.status)")
    }
  }

  @Test func `A request without Host is refused`() async throws {
    try await TestServer.start { server in
      let connection = try await server.connect()
      try await connection.send("GET /healthz HTTP/1.1\r\n\r\n")
      #expect([400, 403].contains(try await connection.readResponse().status))
    }
  }

  @Test(arguments: ["http://evil.example", "null", "https://localhost.evil.example", "http://localhost:1"])
  func `A page of another origin changes nothing`(origin: String) async throws {
    try await TestServer.start { server in
      let answer = try await server.request(
        "POST", "/v1/nothing", ["Origin": origin, "Host": "localhost:8080"], body: [])
      #expect(answer.status == 403)
    }
  }

  @Test func `A request that a browser calls cross-site changes nothing`() async throws {
    try await TestServer.start { server in
      let answer = try await server.request("POST", "/v1/nothing", ["Sec-Fetch-Site": "cross-site"], body: [])
      #expect(answer.status == 403)
    }
  }

  @Test func `Pages of this server and of configured origins may change something`() async throws {
    try await TestServer.start(configure: { $0.origins = ["https://chat.example"] }) { server in
      for origin in ["http://localhost:8080", "https://chat.example"] {
        let answer = try await server.request(
          "POST", "/v1/nothing", ["Origin": origin, "Host": "localhost:8080"], body: [])
        #expect(answer.status == 404, "\(origin)")
      }
    }
  }

  @Test func `Configured names are accepted besides those of this machine`() async throws {
    try await TestServer.start(configure: { $0.hosts = ["media.example"] }) { server in
      let named = try await server.request("GET", "/healthz", ["Host": "media.example:443"])
      let other = try await server.request("GET", "/healthz", ["Host": "other.example"])
      #expect(named.status == 200)
      #expect(other.status == 403)
    }
  }

  @Test func `A server on a network refuses to start without keys`() async throws {
    try await TestServer.start { server in
      for host in ["0.0.0.0", "::", "192.0.2.1", "media.example", ""] {
        var configuration = MediaServer.Configuration()
        configuration.host = host
        #expect(throws: MediaServer.StartFailure.self, "\(host)") { try MediaServer(server.service, configuration) }
        configuration.keys = try Tokens.keys()
        #expect(throws: Never.self) { try MediaServer(server.service, configuration) }
      }
    }
  }
}
