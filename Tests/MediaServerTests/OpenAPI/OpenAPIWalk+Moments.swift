internal import RawHTTP
internal import Testing

extension OpenAPIWalk {
  /// Moments, trips and their map.
  func moments(_ photo: String) async throws {
    let trip = try await send("POST", "/v1/trips", json: "{\"title\":\"Lake\",\"description\":\"By ship\"}")
    let path = try #require(trip["Location"])
    let key = ["Idempotency-Key": "moment"]
    let post = "{\"attachment\":\"\(photo)\",\"title\":\"Ferry\",\"visibility\":\"public\"}"
    let moment = try await send("POST", "/v1/moments", json: post, key)
    let address = try #require(moment["Location"])
    let id = try #require(moment.json["id"] as? String)
    try await send("POST", "/v1/moments", json: post, key)
    try await send("POST", "/v1/moments", json: "{\"caption\":\"another request\"}", key)
    let note = try await send(
      "POST", "/v1/moments",
      json: "{\"caption\":\"Late\",\"time\":0,\"utcOffset\":3600,\"location\":{\"latitude\":-20,\"longitude\":10}}")
    try await send("GET", "/v1/moments?order=activity&limit=1&changedSince=0")
    try await send("GET", "/v1/moments?q=ferry&kinds=photo,note&since=0&until=9000000000")
    try await send("GET", "/v1/moments?audience=everyone&owner=anna", Tokens.field("bob"))
    try await send("GET", address)
    try await send("GET", address, Tokens.field("bob"))
    try await send("PATCH", address, json: "{\"caption\":\"On the lake\",\"version\":1}")
    try await send("PATCH", address, json: "{\"caption\":\"x\",\"version\":1}")
    try await send("PATCH", address, json: "{\"caption\":\"x\"}", ["If-Match": "\"1\""])
    try await send("DELETE", address, ["If-Match": "\"1\""])
    let map = try await send("GET", "/v1/locations/moments?bounds=-60,-180,80,180&zoom=3")
    let clusters = try #require(map.json["clusters"] as? [[String: Any]])
    let cluster = try #require(clusters.first?["id"] as? String)
    try await send("GET", "/v1/locations/moments/\(cluster)/members?limit=1")
    try await send("GET", "/v1/locations/moments/zz/members")
    try await send("GET", "/v1/trips?order=title")
    try await send("GET", "/v1/trips?q=lake")
    try await send("GET", path)
    try await send("PATCH", path, json: "{\"visibility\":\"friends\",\"ended\":9000000000}")
    try await send("PATCH", path, json: "{\"title\":\"x\",\"version\":1}")
    try await send("PATCH", path, json: "{\"order\":[\"\(id)\"]}")
    try await send("POST", "\(path)/moments", json: "{\"moments\":[\"\(id)\"]}")
    try await send("POST", "\(path)/moments", json: "{\"moments\":[\"\(id)\"],\"version\":1}")
    try await send("GET", "\(path)/moments?limit=1")
    try await send("GET", "\(path)/path?zoom=12&maxPoints=10&gapHours=1&gapKilometres=1")
    try await send("DELETE", "\(path)/moments?ids=\(id)")
    try await tripModeration(path)
    try await send("DELETE", "\(path)?moments=keep")
    try await moderation(try #require(note["Location"]))
    try await send("DELETE", try #require(note["Location"]))
    try await send("DELETE", "\(address)?attachment=keep")
    try await locations(photo)
  }

  /// Reports about a trip, and decisions about it.
  private func tripModeration(_ trip: String) async throws {
    try await send("PATCH", trip, json: "{\"visibility\":\"public\"}")
    let decide = trip.replacing("/v1/trips", with: "/v1/moderation/trips")
    try await send("POST", "\(trip)/reports", json: "{\"reason\":\"rude\"}", Tokens.field("bob"))
    try await send("POST", "\(trip)/reports", json: "{}")
    try await send("GET", "/v1/moderation/reports")
    try await send("POST", "\(decide)/hold", json: "{\"reason\":\"rude\"}")
    try await send("GET", trip)
    try await send("GET", "/v1/moderation/trips")
    try await send("GET", "/v1/moderation/audit")
    try await send("POST", "\(decide)/release", body: [])
    try await send("POST", "\(decide)/protect", json: "{\"reason\":\"press\"}")
    try await send("POST", "\(decide)/unprotect", body: [])
  }

  /// Reports about a note, and decisions about it.
  private func moderation(_ note: String) async throws {
    try await send("PATCH", note, json: "{\"visibility\":\"public\"}")
    let decide = note.replacing("/v1/moments", with: "/v1/moderation/moments")
    try await send("POST", "\(note)/reports", json: "{\"reason\":\"rude\"}", Tokens.field("bob"))
    try await send("POST", "\(note)/reports", json: "{}")
    try await send("GET", "/v1/moderation/reports")
    try await send("POST", "\(decide)/hold", json: "{\"reason\":\"rude\"}")
    try await send("GET", note)
    try await send("GET", "/v1/moderation/moments")
    try await send("GET", "/v1/moderation/audit")
    try await send("POST", "\(decide)/release", body: [])
    try await send("POST", "\(decide)/protect", json: "{\"reason\":\"press\"}")
    try await send("POST", "\(decide)/unprotect", body: [])
  }

  /// The setting for locations, and an original without them.
  private func locations(_ photo: String) async throws {
    try await send("GET", "/v1/owner/location-sharing")
    let none = "{\"sharing\":\"none\",\"appliesToExisting\":true}"
    try await send("PUT", "/v1/owner/location-sharing", json: none)
    try await send("GET", "/v1/attachments/\(photo)/original")
    try await send("PUT", "/v1/owner/location-sharing", json: "{\"sharing\":\"private\"}")
  }
}
