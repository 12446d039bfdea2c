internal import Foundation
internal import HTTPTypes
internal import NIOCore
internal import RawHTTP
internal import TestSupport
internal import Testing

@testable internal import MediaServer
@testable internal import MediaService

@Suite struct FailureLimitTests {
  private func name(_ connection: String, _ stated: [String] = [], proxies: Int = 0) throws -> String? {
    let name = try #require(HTTPField.Name("X-Forwarded-For"))
    var fields = HTTPFields()
    for value in stated { fields.append(HTTPField(name: name, value: value)) }
    return ClientAddress.name(fields, try SocketAddress(ipAddress: connection, port: 5_000), proxies: proxies)
  }

  @Test func `A client is an IPv4 address or an IPv6 network, and a connection of this machine is nobody's`() throws {
    #expect(try name("203.0.113.7") == "203.0.113.7")
    #expect(try name("::ffff:203.0.113.7") == "203.0.113.7")
    #expect(try name("2001:db8:0:1::2") == name("2001:db8:0:1:ffff::3"))
    #expect(try name("2001:db8:0:1::2") != name("2001:db8:0:2::2"))
    for own in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] { #expect(try name(own) == nil, "\(own)") }
  }

  @Test func `What a request states about its client counts as far as configured proxies have written it`() throws {
    #expect(try name("203.0.113.7", ["198.51.100.1"]) == "203.0.113.7")
    #expect(try name("127.0.0.1", ["198.51.100.1"]) == nil)
    #expect(try name("127.0.0.1", ["192.0.2.9, 198.51.100.1"], proxies: 1) == "198.51.100.1")
    #expect(try name("127.0.0.1", ["192.0.2.9", " 198.51.100.1 ,10.0.0.1"], proxies: 2) == "198.51.100.1")
    // A request that did not pass all of them.
    for stated in [[], ["198.51.100.1"]] {
      #expect(try name("203.0.113.7", stated, proxies: 2) == "203.0.113.7", "\(stated)")
    }
    // A field that is no address has no client that could be limited, and one with a port has.
    #expect(try name("203.0.113.7", ["x, y"], proxies: 2) == nil)
    #expect(try name("203.0.113.7", ["198.51.100.1:4711"], proxies: 1) == "198.51.100.1")
    #expect(try name("203.0.113.7", ["[2001:db8::1]:4711"], proxies: 1) == name("2001:db8::1"))
  }

  @Test func `Of many names, those that were used least recently get a full bucket again`() {
    let limiter = RateLimiter(rate: 0.001, burst: 1, maxBuckets: 10)
    let now = NIODeadline.uptimeNanoseconds(1_000_000_000)
    #expect(limiter.take("often", at: now) == nil)
    for number in 0..<100 {
      #expect(limiter.take("\(number)", at: now) == nil)
      #expect(limiter.take("often", at: now) != nil)
      #expect(limiter.count <= 10)
    }
    #expect(limiter.take("99", at: now) != nil)
    #expect(limiter.take("0", at: now) == nil)
  }

  @Test func `A client that sends wrong tokens and signatures too often gets 429, and its valid ones are accepted`()
    async throws
  {
    let (log, registry) = (LogLines(), PrometheusRegistry())
    let keys = try Tokens.keys()
    try await TestServer.start {
      ($0.keys, $0.audit, $0.metrics, $0.trustedProxies) = (keys, log.logger, registry, 1)
      ($0.requests.failureRate, $0.requests.failureBurst) = (0.001, 3)
    } serving: {
      $0.signingKeys = SigningKeys([.init(id: "k1", secret: Array(repeating: 7, count: 32))])
    } _: { server in
      let client = ["X-Forwarded-For": "203.0.113.7"]
      let wrong = ["Authorization": "Bearer x.y.z"]
      let signed = "/v1/attachments/1/original?e=9999999999&g=0&k=k1&s=x"
      let known = client.merging(wrong) { $1 }
      #expect(try await server.request("GET", "/v1/owner", known).status == 401)
      #expect(try await server.request("GET", "/v1/owner", client).status == 401)
      #expect(try await server.request("GET", signed, client).status == 403)
      for (target, fields) in [("/v1/owner", known), ("/v1/owner", client), (signed, client)] {
        let refused = try await server.request("GET", target, fields)
        #expect(refused.status == 429, "\(target)")
        let seconds = try #require(refused["Retry-After"].flatMap { Int($0) })
        #expect((1...1_000).contains(seconds))
      }
      // The first value is the client's own.
      let forged = wrong.merging(["X-Forwarded-For": "198.51.100.1, 203.0.113.7"]) { $1 }
      #expect(try await server.request("GET", "/v1/owner", forged).status == 429)
      let other = wrong.merging(["X-Forwarded-For": "198.51.100.1"]) { $1 }
      #expect(try await server.request("GET", "/v1/owner", other).status == 401)
      let valid = client.merging(Tokens.field("anna")) { $1 }
      #expect(try await server.request("GET", "/v1/owner", valid).status == 200)
    }
    let statuses = log.lines.compactMap { $0["status"].map { "\($0)" } }
    #expect(statuses == ["401", "401", "403", "429", "429", "429", "429", "401", "200"])
    #expect(registry.text().contains("reason=\"failureRate\""))
  }

  @Test func `Signed URLs of one attachment have a rate, of which forged ones use up nothing`() async throws {
    let registry = PrometheusRegistry()
    let keys = try Tokens.keys()
    try await TestServer.start {
      ($0.keys, $0.metrics, $0.hotBytes) = (keys, registry, 0)
      ($0.requests.addressRate, $0.requests.addressBurst) = (0.001, 2)
    } serving: {
      $0.signingKeys = SigningKeys([.init(id: "k1", secret: Array(repeating: 7, count: 32))])
    } _: { server in
      func attach(_ fixture: String) async throws -> (id: String, address: String) {
        let photo = try Fixture.bytes(fixture)
        let made = try await server.request("POST", "/v1/attachments", Tokens.field("anna"), body: photo)
        let urls = try #require(made.json["urls"] as? [String: String])
        return (try #require(made.json["id"] as? String), try #require(urls["grid"]))
      }
      let (first, second) = (
        try await attach("camera-roll/IMG_0001.jpg"), try await attach("camera-roll/IMG_0002.jpg")
      )
      for _ in 0..<3 { #expect(try await server.request("GET", first.address + "x").status == 403) }
      for _ in 0..<2 { #expect(try await server.request("GET", first.address).status == 200) }
      let refused = try await server.request("GET", first.address)
      #expect(refused.status == 429)
      #expect(refused["Retry-After"] != nil)
      #expect(try await server.request("GET", second.address).status == 200)
      let rendition = "/v1/attachments/\(first.id)/renditions/64.png"
      #expect(try await server.request("GET", rendition, Tokens.field("anna")).status == 200)
    }
    #expect(registry.text().contains("reason=\"addressRate\""))
  }
}
