internal import Foundation
internal import MediaServer
internal import RawHTTP
internal import TestSupport
internal import Testing

@Suite struct LocationSwitchRouteTests {
  @Test(
    "a served original has no location for exiftool once its owner stores none",
    arguments: [
      ("IMG_0001.jpg", "image/jpeg"), ("IMG_0002.jpg", "image/jpeg"), ("IMG_0006.heic", "image/heic"),
      ("VID_0008.mp4", "video/mp4"), ("MOV_0009.mov", "video/quicktime"),
    ]) func original(name: String, type: String) async throws
  {
    try await TestServer.start { server in
      let added = try await server.request(
        "POST", "/v1/attachments", ["Content-Type": type], body: try Fixture.bytes("camera-roll/\(name)"))
      let id = try #require(added.json["id"] as? String)
      let path = "/v1/attachments/\(id)/original"
      let before = try await server.request("GET", path)
      #expect(try !ExifTool.locations(before.body, "before-\(name)", in: server.folder).isEmpty)
      let set = try await server.request(
        "PUT", "/v1/owner/location-sharing", ["Content-Type": "application/json"],
        body: Array(#"{"sharing":"none","appliesToExisting":true}"#.utf8))
      #expect(set.status == 200)
      #expect(set.json["sharing"] as? String == "none")
      #expect(try await server.request("GET", "/v1/owner/location-sharing").json["sharing"] as? String == "none")
      let after = try await server.request("GET", path)
      #expect(after.status == 200)
      #expect(try ExifTool.locations(after.body, "after-\(name)", in: server.folder).isEmpty)
      let part = try await server.request("GET", path, ["Range": "bytes=100-199", "If-Range": after["ETag"] ?? ""])
      #expect(part.status == 206)
      #expect(part.body == Array(after.body[100..<200]))
      // What a client has of the file with its location is not the start of this one.
      let stale = try await server.request("GET", path, ["Range": "bytes=100-199", "If-Range": before["ETag"] ?? ""])
      #expect(stale.status == 200)
      #expect(try await server.request("HEAD", path)["Content-Length"] == "\(after.body.count)")
    }
  }
}
