internal import Foundation
internal import MediaLibrary
internal import MediaModel
internal import RawHTTP
internal import TestSupport
internal import Testing

@testable internal import MediaServer
@testable internal import MediaService

@Suite("Negotiated addresses poison no cache") struct NegotiationTests {
  /// Fields of clients with the type that each must get: WebP where it is named, JPEG for everybody else.
  private static let clients = [
    ("image/webp", "image/webp"), ("image/jpeg", "image/jpeg"), ("image/png", "image/jpeg"), ("*/*", "image/jpeg"),
    ("image/avif,image/webp,image/apng,*/*;q=0.8", "image/webp"), ("text/html", "image/jpeg"), ("", "image/jpeg"),
    ("image/webp;q=0,image/jpeg", "image/jpeg"), ("image/webp;q=0.1,image/png;q=0.9", "image/webp"),
    ("image/webp\u{FF0C}", "image/jpeg"), (String(repeating: "image/x,", count: 1_000) + "image/webp", "image/jpeg"),
  ]

  /// The signed URL of a photo's rendition whose format `Accept` decides, and the explicit ones.
  private func withAddress(_ body: (TestServer, String, [String]) async throws -> Void) async throws {
    let keys = try Tokens.keys()
    try await TestServer.start {
      $0.keys = keys
      ($0.requests.rate, $0.requests.burst) = (1_000_000, 1_000_000)
    } serving: {
      $0.signingKeys = SigningKeys([.init(id: "k1", secret: Array(repeating: 7, count: 32))])
    } _: { server in
      let photo = try Fixture.bytes("camera-roll/IMG_0001.jpg")
      let created = try await server.request("POST", "/v1/attachments", Tokens.field("alice"), body: photo)
      let id = try MediaService.fileID(try #require(created.json["id"] as? String))
      func address(_ name: String) throws -> String {
        let name = try #require(MediaService.RenditionName(name, boxes: []))
        return server.service.address(of: .rendition(name), of: id, generation: 0)
      }
      try await body(server, try address("grid"), ["webp", "jpeg", "png"].map { try address("grid.\($0)") })
    }
  }

  @Test("each client gets the type of its own field, in any order and again, and no two types share an entity tag")
  func types() async throws {
    try await withAddress { server, address, _ in
      let connection = try await server.connect()
      defer { connection.close() }
      var tags: [String: Set<String>] = [:]
      for _ in 0..<3 {
        for (accept, type) in Self.clients.shuffled() {
          let answer = try await connection.request("GET", address, ["Accept": accept])
          #expect(answer.status == 200, "\(accept.prefix(60))")
          #expect(answer["Content-Type"] == type, "\(accept.prefix(60))")
          #expect(answer.values("Vary").joined(separator: ",").contains("Accept"))
          tags[type, default: []].insert(try #require(answer["ETag"]))
        }
      }
      #expect(tags.values.allSatisfy { $0.count == 1 })
      #expect(Set(tags.values.flatMap { $0 }).count == tags.count)
    }
  }

  @Test("a negotiated answer lives for five minutes, names the explicit address, and is no immutable one")
  func lifetime() async throws {
    try await withAddress { server, address, explicit in
      let connection = try await server.connect()
      defer { connection.close() }
      let answer = try await connection.request("GET", address, ["Accept": "image/webp"])
      let life = try #require(answer["Cache-Control"]?.split(separator: "=").last.flatMap { Int($0) })
      #expect(life <= 300)
      #expect(answer["Cache-Control"]?.hasPrefix("private, max-age=") == true)
      #expect(answer["Content-Location"] == explicit[0].split(separator: "?").first.map(String.init))
      for address in explicit {
        let fixed = try await connection.request("GET", address, ["Accept": "text/html"])
        #expect(fixed.status == 200)
        #expect(fixed["Cache-Control"]?.hasSuffix("immutable") == true)
        #expect(fixed["Vary"] == nil)
      }
    }
  }

  @Test("the entity tag of one type never confirms another one, also where answers are kept in memory")
  func conditions() async throws {
    try await withAddress { server, address, explicit in
      let connection = try await server.connect()
      defer { connection.close() }
      var tags: [String] = []
      // Twice: the second time from memory.
      for address in explicit + explicit {
        tags.append(try #require(try await connection.request("GET", address)["ETag"]))
      }
      for (accept, type) in [("image/webp", 0), ("image/jpeg", 1)] {
        for (number, tag) in tags.enumerated() {
          let answer = try await connection.request("GET", address, ["Accept": accept, "If-None-Match": tag])
          #expect(answer.status == (number % 3 == type ? 304 : 200), "\(accept) \(number)")
          let fixed = try await connection.request("GET", explicit[type], ["If-None-Match": tag])
          #expect(fixed.status == (number % 3 == type ? 304 : 200), "\(explicit[type]) \(number)")
        }
      }
      // A part of one type is never joined with parts of another.
      let part = try await connection.request(
        "GET", address, ["Accept": "image/jpeg", "Range": "bytes=0-9", "If-Range": tags[0]])
      #expect(part.status == 200)
      #expect(part["Content-Type"] == "image/jpeg")
    }
  }
}
