internal import HTTPTypes
internal import MediaService
internal import RawHTTP
internal import TestSupport
internal import Testing

@testable internal import MediaServer

/// What is appended to a signed URL makes it another one. Otherwise any number of URLs would have one answer, and fill every cache.
@Suite struct AppendedQueryTests {
  /// A server, and the signed URL of a photo's `grid` rendition that was answered once.
  private func withAddress(_ body: (TestServer, _ address: String) async throws -> Void) async throws {
    try await TestServer.start {
      $0.keys = try? Tokens.keys()
      // Each of the requests below is a failed one of this client.
      ($0.requests.failureRate, $0.requests.failureBurst) = (1e6, 1e6)
    } serving: {
      $0.signingKeys = SigningKeys([.init(id: "k1", secret: Array(repeating: 7, count: 32))])
    } _: { server in
      let fields = Tokens.field("alice").merging(["Content-Type": "image/jpeg"]) { $1 }
      let created = try await server.request(
        "POST", "/v1/attachments", fields, body: try Fixture.bytes("camera-roll/IMG_0001.jpg"))
      let urls = try #require(created.json["urls"] as? [String: String], "\(created.text)")
      let address = try #require(urls["grid"])
      try #require(try await server.request("GET", address).status == 200)
      try await body(server, address)
    }
  }

  @Test func `A signed URL with anything appended to its query is answered with 403, also for the owner`() async throws
  {
    try await withAddress { server, address in
      let parts = address.split(separator: "?", maxSplits: 1).map(String.init)
      let (path, query) = (parts[0], parts[1])
      let signature = try #require(query.split(separator: "&").last)
      let appended = [
        "?", "?x", "?x=1", "?\(query)", "&", "&&", "&x", "&x=1", "&e=1", "&k=k1", "&\(signature)", "&\(query)", "=",
        ";",
        ";x=1", "%", "%23x", "%26", "%00", "+", "/", "/..", "x",
      ].map { address + $0 }
      let prepended = ["?", "&", "x&", "x=1&", "e=1&", "?&"].map { "\(path)?\($0)\(query)" }
      for target in appended + prepended {
        for fields in [[:], Tokens.field("alice")] {
          let answer = try await server.request("GET", target, fields)
          #expect(answer.status == 403, "\(target)")
          #expect(answer.json["code"] as? String == "invalidSignature", "\(target)")
        }
        #expect(try await server.request("HEAD", target).status == 403, "\(target)")
      }
      #expect(try await server.request("GET", address).status == 200)
    }
  }

  @Test func `A request target with a fragment is answered with 400, whatever it names`() async throws {
    try await withAddress { server, address in
      let path = String(address.prefix { $0 != "?" })
      let targets = [
        address + "#", address + "#x", address + "#?x", "\(path)#x?\(address.dropFirst(path.count + 1))", path + "#x",
        "/healthz#x", "/healthz?#", "/openapi.json#/paths", "/#17", "/v1/owner#x", "/v1/nothing#x", "/v1/tray/events#x",
      ]
      for target in targets {
        for fields in [[:], Tokens.field("alice")] {
          let answer = try await server.request("GET", target, fields)
          #expect(answer.status == 400, "\(target)")
          #expect(answer.json["code"] as? String == "invalidRequest", "\(target)")
        }
      }
    }
  }

  @Test func `Routes in an app of its own refuse a signed URL with a fragment`() async throws {
    let client = try await RouteClient()
    let id = try await client.add("camera-roll/IMG_0001.jpg")
    let address = client.service.address(of: .original, of: id, generation: 0)
    #expect(try await client.send(.get, address).status == 200)
    #expect(try await client.send(.get, address + "#x").status == 400)
    #expect(try await client.send(.get, address + "#x", as: .alice).status == 400)
  }
}
