internal import Foundation
internal import RawHTTP
internal import Testing

/// Attachments, their contents, and uploads.
extension OpenAPIWalk {
  func attachments(_ photo: String) async throws {
    try await send("GET", "/v1/attachments?ids=\(photo),999999")
    try await send("OPTIONS", "/v1/attachments", hasToken: false)
    let facts = try await send("GET", "/v1/attachments/\(photo)")
    let change =
      "{\"title\":\"Beach\",\"caption\":null,\"collection\":\"2026\",\"labels\":[\"g:42\"],\"originalLabels\":[],"
      + "\"location\":{\"latitude\":54.1,\"longitude\":13.4,\"altitude\":2}}"
    try await send("PATCH", "/v1/attachments/\(photo)", json: change, ["If-Match": facts["ETag"] ?? ""])
    try await send("PATCH", "/v1/attachments/\(photo)", json: change, ["If-Match": "\"other\""])
    // What another reader sees, who may see it.
    try await send("GET", "/v1/attachments/\(photo)", Tokens.field("bob", labels: ["g:42"]))
    try await send("GET", "/v1/locations?bounds=50,10,60,20&zoom=20")
    let map = try await send("GET", "/v1/locations?since=0&until=9000000000")
    let clusters = try #require(map.json["clusters"] as? [[String: Any]])
    let cluster = try #require(clusters.first?["id"] as? String)
    try await send("GET", "/v1/locations/\(cluster)/members?limit=1")
    try await send("GET", "/v1/locations/zz/members")
  }

  func contents(_ photo: String, _ video: String, _ audio: String) async throws {
    let base = "/v1/attachments/"
    let targets = [
      "\(photo)/original", "\(photo)/renditions/grid.webp", "\(photo)/renditions/64", "\(photo)/renditions/64.png",
      "\(video)/poster", "\(video)/poster?at=0.5", "\(video)/storyboard.vtt", "\(video)/storyboard.webp",
      "\(audio)/waveform", "\(photo)/poster?at=1", "\(photo)/waveform", "\(audio)/storyboard.vtt",
      "\(photo)/renditions/64-x0y0w8h8.webp", "\(photo)/renditions/64-x0y0w99999h8.webp",
      "\(photo)/renditions/64.avif", "\(photo)/renditions/65.webp", "\(video)/poster?at=x",
    ]
    for target in targets {
      let answer = try await send("GET", base + target, ["Accept": "image/webp"])
      try await send("HEAD", base + target)
      try await send("GET", base + target, ["Range": "bytes=0-9"])
      try await send("GET", base + target, ["Range": "bytes=999999999-"])
      if let tag = answer["ETag"] {
        try await send("GET", base + target, ["If-None-Match": tag])
        try await send("GET", base + target, ["If-Match": "\"other\""])
      }
    }
    let grants = try await send(
      "POST", "/v1/grants", json: "{\"ids\":[\"\(photo)\"],\"rights\":[\"view\",\"original\"]}")
    let grant = try #require((grants.json["grants"] as? [[String: Any]])?.first?["urls"] as? [String: String])
    let address = try #require(grant["grid"])
    try await send("GET", address, hasToken: false)
    try await send("GET", address + "x", hasToken: false)
    try await send("DELETE", "/v1/grants?ids=\(photo)")
    try await send("GET", address, hasToken: false)
  }

  func uploads() async throws {
    let tus = ["Tus-Resumable": "1.0.0"]
    let text = Array("uploaded in pieces".utf8)
    let name = Data("notes.txt".utf8).base64EncodedString()
    let created = try await send(
      "POST", "/v1/uploads",
      tus.merging(["Upload-Length": "\(text.count)", "Upload-Metadata": "filename \(name)"]) { $1 },
      body: [])
    let address = try #require(created["Location"])
    try await send("OPTIONS", "/v1/uploads", hasToken: false)
    try await send("OPTIONS", address, hasToken: false)
    let piece = tus.merging(["Content-Type": "application/offset+octet-stream"]) { $1 }
    try await send("HEAD", address, tus)
    try await send("PATCH", address, piece.merging(["Upload-Offset": "3"]) { $1 }, body: [])
    let sum = ["Upload-Offset": "0", "Upload-Checksum": "sha1 AAAAAAAAAAAAAAAAAAAAAAAAAAA="]
    try await send("PATCH", address, piece.merging(sum) { $1 }, body: Array(text.prefix(4)))
    try await send("PATCH", address, piece.merging(["Upload-Offset": "0"]) { $1 }, body: Array(text.prefix(4)))
    try await send("GET", address)
    let rest = piece.merging(["Upload-Offset": "4", "X-HTTP-Method-Override": "PATCH"]) { $1 }
    try await send("POST", address, rest, body: Array(text.dropFirst(4)))
    try await send("GET", address)
    try await send("POST", address, ["X-HTTP-Method-Override": "PUT"], body: [])
    try await send("DELETE", address, tus)
    try await send("HEAD", address, tus)
    try await send("GET", address)
    try await send("POST", "/v1/uploads", body: [])
    // The IETF form.
    let part = ["Upload-Draft-Interop-Version": "6"]
    let begun = try await send(
      "POST", "/v1/attachments", part.merging(["Upload-Complete": "?0"]) { $1 }, body: Array(text.prefix(4)))
    let place = try #require(begun["Location"])
    try await send("HEAD", place, part)
    let last = ["Content-Type": "application/partial-upload", "Upload-Offset": "4", "Upload-Complete": "?1"]
    try await send("PATCH", place, part.merging(last) { $1 }, body: Array(text.dropFirst(4)))
    try await send("GET", place)
  }
}
