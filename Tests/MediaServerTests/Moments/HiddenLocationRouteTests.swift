internal import Foundation
internal import MediaServer
internal import MediaService
internal import RawHTTP
internal import TestSupport
internal import Testing

@Suite("Originals for others over HTTP (R-MYM-28)") struct HiddenLocationRouteTests {
  @Test(
    "exiftool finds no location in what a label or a signed URL delivers, in whole and in ranges",
    arguments: [("IMG_0001.jpg", "image/jpeg"), ("IMG_0006.heic", "image/heic"), ("VID_0008.mp4", "video/mp4")])
  func original(name: String, type: String) async throws {
    try await TestServer.start(configure: { $0.keys = try? Tokens.keys() }, serving: OpenAPIWalk.serving) { server in
      let anna = Tokens.field("anna")
      let added = try await server.request(
        "POST", "/v1/attachments", anna.merging(["Content-Type": type]) { $1 },
        body: try Fixture.bytes("camera-roll/\(name)"))
      let id = try #require(added.json["id"] as? String)
      let path = "/v1/attachments/\(id)"
      let shared = try await server.request(
        "PATCH", path, anna.merging(["Content-Type": "application/merge-patch+json"]) { $1 },
        body: Array(#"{"originalLabels":["g"]}"#.utf8))
      #expect(shared.status == 200)
      let own = try await server.request("GET", "\(path)/original", anna)
      #expect(try !ExifTool.locations(own.body, "own-\(name)", in: server.folder).isEmpty)
      let bob = Tokens.field("bob", labels: ["g"])
      let facts = try await server.request("GET", path, bob)
      let signed = try #require((facts.json["urls"] as? [String: String])?["original"])
      for (target, fields) in [("\(path)/original", bob), (signed, [:])] {
        let whole = try await server.request("GET", target, fields)
        #expect(whole.status == 200)
        #expect(try ExifTool.locations(whole.body, "other-\(name)", in: server.folder).isEmpty)
        #expect(whole["ETag"] != own["ETag"])
        #expect(whole["Content-Length"] == "\(whole.body.count)")
        let head = try await server.request("HEAD", target, fields)
        #expect(head["Content-Length"] == "\(whole.body.count)")
        let range = fields.merging(["Range": "bytes=100-199", "If-Range": whole["ETag"] ?? ""]) { $1 }
        let part = try await server.request("GET", target, range)
        #expect(part.status == 206)
        #expect(part.body == Array(whole.body[100..<200]))
        // What the owner has of the file is not the start of this one.
        let other = fields.merging(["Range": "bytes=100-199", "If-Range": own["ETag"] ?? ""]) { $1 }
        #expect(try await server.request("GET", target, other).body == whole.body)
        let none = fields.merging(["If-None-Match": own["ETag"] ?? ""]) { $1 }
        #expect(try await server.request("GET", target, none).status == 200)
      }
    }
  }
}
