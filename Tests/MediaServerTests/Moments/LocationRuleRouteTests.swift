internal import Foundation
internal import MediaServer
internal import MediaService
internal import RawHTTP
internal import TestSupport
internal import Testing

@Suite("Locations of files over HTTP (D6.10)") struct LocationRuleRouteTests {
  private static let anna = Tokens.field("anna")
  private static let bob = Tokens.field("bob", labels: ["g"])
  private static let friend = Tokens.field("berta", labels: ["friends:anna"])

  private func start<Result>(
    in folder: TemporaryFolder, _ rule: MediaService.OriginalMetadata = .keep,
    _ body: (TestServer) async throws -> Result
  ) async throws -> Result {
    try await TestServer.start(
      in: folder, configure: { $0.keys = try? Tokens.keys() },
      serving: {
        OpenAPIWalk.serving(&$0)
        $0.originals = rule
      }, body)
  }

  /// Uploads a file, gives its original to the label `g`, and shows friends a moment of it with its location.
  private func share(_ name: String, _ type: String, on server: TestServer) async throws -> String {
    func send(_ method: String, _ target: String, _ json: String) async throws -> RawResponse {
      try await server.request(
        method, target, Self.anna.merging(["Content-Type": "application/json"]) { $1 }, body: Array(json.utf8))
    }
    let added = try await server.request(
      "POST", "/v1/attachments", Self.anna.merging(["Content-Type": type]) { $1 },
      body: try Fixture.bytes("camera-roll/\(name)"))
    let id = try #require(added.json["id"] as? String)
    let labels = try await server.request(
      "PATCH", "/v1/attachments/\(id)",
      Self.anna.merging(["Content-Type": "application/merge-patch+json"]) { $1 },
      body: Array(#"{"labels":["g"],"originalLabels":["g","friends:anna"]}"#.utf8))
    #expect(labels.status == 200)
    #expect(try await send("PUT", "/v1/owner/location-sharing", #"{"sharing":"friends"}"#).status == 200)
    let moment = try await send("POST", "/v1/moments", #"{"attachment":"\#(id)","visibility":"friends"}"#)
    #expect(moment.status == 201)
    return id
  }

  @Test(
    "A location is a pin on the map and in no rendition; an original is delivered by the rule: keep, strip or refuse",
    arguments: MediaService.OriginalMetadata.allCases,
    [("IMG_0001.jpg", "image/jpeg"), ("IMG_0006.heic", "image/heic"), ("VID_0008.mp4", "video/mp4")])
  func rule(rule: MediaService.OriginalMetadata, file: (name: String, type: String)) async throws {
    let folder = try TemporaryFolder()
    let id = try await start(in: folder) { server in try await share(file.name, file.type, on: server) }
    try await start(in: folder, rule) { server in
      let map = try await server.request("GET", "/v1/locations?zoom=3", Self.anna)
      let clusters = try #require(map.json["clusters"] as? [[String: Any]])
      #expect(clusters.map { $0["attachment"] as? String } == [id])
      #expect(
        (try await server.request("GET", "/v1/locations?zoom=3", Self.bob).json["clusters"] as? [Any])?.count == 0)

      let isVideo = file.type.hasPrefix("video")
      let renditions = ["renditions/grid.webp", "renditions/64.png"] + (isVideo ? ["poster", "storyboard.webp"] : [])
      for rendition in renditions {
        for reader in [Self.anna, Self.friend, Self.bob] {
          let image = try await server.request("GET", "/v1/attachments/\(id)/\(rendition)", reader)
          #expect(image.status == 200, "\(rendition)")
          #expect(try ExifTool.locations(image.body, "rendition", in: folder).isEmpty, "\(rendition)")
        }
      }

      // The owner, and a friend to whom a moment shows the location, get the file as the rule has it; nobody else gets the location.
      for (reader, seesLocation) in [(Self.anna, true), (Self.friend, true), (Self.bob, false)] {
        let original = try await server.request("GET", "/v1/attachments/\(id)/original", reader)
        guard rule != .refuse else {
          #expect(original.status == 422)
          #expect(original.json["code"] as? String == "unavailable")
          continue
        }
        #expect(original.status == 200)
        let hasLocation = try !ExifTool.locations(original.body, "original-\(file.name)", in: folder).isEmpty
        #expect(hasLocation == (seesLocation && rule == .keep))
      }
    }
  }

  @Test(
    "While originals are stripped or refused at upload, no location is stored, on the map or in a file",
    arguments: [MediaService.OriginalMetadata.strip, .refuse])
  func upload(rule: MediaService.OriginalMetadata) async throws {
    let folder = try TemporaryFolder()
    try await start(in: folder, rule) { server in
      let added = try await server.request(
        "POST", "/v1/attachments", Self.anna.merging(["Content-Type": "image/jpeg"]) { $1 },
        body: try Fixture.bytes("camera-roll/IMG_0001.jpg"))
      #expect(added.status == (rule == .strip ? 201 : 422))
      let map = try await server.request("GET", "/v1/locations?zoom=3", Self.anna)
      #expect((map.json["clusters"] as? [Any])?.count == 0)
      guard let id = added.json["id"] as? String else {
        #expect(added.text.contains("\"metadata\""), "\(added.text)")
        return
      }
      let original = try await server.request("GET", "/v1/attachments/\(id)/original", Self.anna)
      #expect(original.status == 200)
      #expect(try ExifTool.locations(original.body, "stripped.jpg", in: folder).isEmpty)
    }
  }
}
