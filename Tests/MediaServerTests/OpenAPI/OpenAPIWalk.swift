internal import AttachmentPolicy
internal import Foundation
internal import MediaLibrary
internal import MediaServer
internal import RawHTTP
internal import TestSupport
internal import Testing

@testable internal import MediaService

/// One request to every operation of a server, and the usual mistakes, with all answers. For one task.
final class OpenAPIWalk {
  /// An answer with its request.
  struct Answer {
    let method: String
    let target: String
    let response: RawResponse

    var status: Int { response.status }
    var path: String { String(target.prefix { $0 != "?" }) }

    /// One JSON object in one line, for Checks/answers.py.
    func line() throws -> String {
      var object: [String: Any] = [
        "method": method, "target": target, "status": status, "bytes": response.body.count,
        "fields": Dictionary(response.fields.map { ($0.name, $0.value) }) { first, _ in first },
      ]
      if let type = response["Content-Type"], type.hasSuffix("json"), status != 206 {
        object["body"] = try? JSONSerialization.jsonObject(with: Data(response.body), options: .fragmentsAllowed)
      }
      return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }
  }

  private(set) var answers: [Answer] = []
  private let server: TestServer
  private let owner = Tokens.field("anna", scope: "read write moderate")

  init(server: TestServer) { self.server = server }

  static func configure(_ configuration: inout MediaServer.Configuration) {
    configuration.keys = try? Tokens.keys()
    configuration.metrics = PrometheusRegistry()
    (configuration.requests.rate, configuration.requests.burst) = (1e6, 1e6)
  }

  static func serving(_ configuration: inout MediaService.Configuration) {
    configuration.rules = AttachmentRules()
    configuration.signingKeys = SigningKeys([SigningKeys.Key(id: "k1", secret: Array(UInt8(0)..<32))])
  }

  /// A request of the owner; its answer is kept.
  @discardableResult
  func send(
    _ method: String, _ target: String, _ fields: [String: String] = [:], body: [UInt8]? = nil,
    hasToken: Bool = true
  ) async throws -> RawResponse {
    let all = hasToken ? owner.merging(fields) { $1 } : fields
    let response = try await server.request(method, target, all, body: body)
    answers.append(Answer(method: method, target: target, response: response))
    return response
  }

  /// A request with a JSON body.
  @discardableResult
  func send(
    _ method: String, _ target: String, json: String, _ fields: [String: String] = [:]
  ) async throws -> RawResponse {
    let all = ["Content-Type": "application/json"].merging(fields) { $1 }
    return try await send(method, target, all, body: Array(json.utf8))
  }

  func walk() async throws {
    for target in [
      "/openapi.json", "/healthz", "/readyz", "/metrics", "/", "/map", "/page/media-client.js", "/page/nothing.js",
    ] {
      try await send("GET", target, hasToken: false)
    }
    let photo = try await upload("camera-roll/IMG_0001.jpg", "image/jpeg")
    let video = try await upload("camera-roll/VID_0008.mp4", "video/mp4")
    let audio = try await upload("camera-roll/two-notes.mp3", "audio/mpeg")
    _ = try await upload("camera-roll/ada.vcf", "text/vcard")
    try await attachments(photo)
    try await contents(photo, video, audio)
    try await uploads()
    try await drafts(photo, video)
    try await messages(photo)
    try await threads(photo)
    try await tray()
    try await moments(photo)
    try await owners(photo)
    try await mistakes(photo)
    for _ in 0..<2 { try await send("DELETE", "/v1/collections?name=2026") }
    try await send("DELETE", "/v1/attachments/\(video)")
    try await send("DELETE", "/v1/owner")
  }

  /// Uploads a file of testdata, and returns its id.
  private func upload(_ name: String, _ type: String) async throws -> String {
    let fields = [
      "Content-Type": type, "Content-Disposition": "attachment; filename=\"\(name.split(separator: "/")[1])\"",
    ]
    let answer = try await send("POST", "/v1/attachments", fields, body: try Fixture.bytes(name))
    return try #require(answer.json["id"] as? String, "\(answer.status) \(answer.text)")
  }

  private func drafts(_ photo: String, _ video: String) async throws {
    let created = try await send(
      "POST", "/v1/drafts", json: "{\"thread\":\"g42\",\"text\":\"Look!\",\"attachments\":[\"\(photo)\"]}")
    let id = try #require(created.json["id"] as? String)
    let draft = "/v1/drafts/\(id)"
    try await send("POST", "/v1/drafts", json: "{\"thread\":\"g42\"}")
    try await send("GET", "/v1/drafts")
    try await send("GET", draft)
    let addition = "{\"attachments\":[{\"attachment\":\"\(video)\",\"id\":\"v\",\"altText\":\"A\"}],\"position\":0}"
    try await send("POST", "\(draft)/attachments", json: addition)
    try await send("POST", "\(draft)/attachments", json: "{\"attachments\":[\"999999\"]}")
    let crop = "{\"crop\":{\"x\":0,\"y\":0,\"width\":10,\"height\":10},\"altText\":null,\"position\":1}"
    try await send("PATCH", "\(draft)/attachments/\(photo)", json: crop)
    try await send(
      "PATCH", "\(draft)/attachments/\(photo)", json: "{\"crop\":{\"x\":0,\"y\":0,\"width\":99999,\"height\":10}}")
    try await send("PATCH", draft, json: "{\"text\":\"Look here\",\"order\":[\"\(photo)\"]}", ["If-Match": "\"1\""])
    try await send("PATCH", draft, json: "{\"text\":\"Look here\",\"order\":[\"\(photo)\"]}")
    try await send("GET", "/v1/messages/\(id)/modules")
    try await send("GET", "/v1/tray?select=\(id)")
    try await send("DELETE", "\(draft)/attachments/v")
    try await send("POST", "\(draft)/commit", json: "{\"labels\":[\"g:42\"]}")
    try await send("GET", draft)
    let empty = try await send("POST", "/v1/drafts", ["Idempotency-Key": "k"], body: [])
    let other = "/v1/drafts/\(empty.json["id"] as? String ?? "")"
    try await send("POST", "\(other)/commit", body: [])
    try await send("DELETE", "\(other)/attachments")
    try await send("DELETE", other)
    try await send("DELETE", other)
  }

  private func messages(_ photo: String) async throws {
    try await send("POST", "/v1/check", json: "{\"attachments\":[\"\(photo)\",\"\(photo)\"],\"policy\":\"mms-300k\"}")
    let composition = "{\"attachments\":[\"\(photo)\"],\"text\":\"Look!\",\"to\":[\"+49301234567\"]}"
    try await send("POST", "/v1/compose", json: composition)
    let type = "application/vnd.wap.mms-message"
    let pdu = try await send("POST", "/v1/compose", json: composition, ["Accept": type])
    try await send("POST", "/v1/compose", json: "{\"text\":\"Hello\"}", ["Accept": type])
    try await send("POST", "/v1/compose", json: "{\"text\":\"Hello\",\"to\":[\"+49301234567\"]}")
    let stored = try await send("POST", "/v1/attachments", ["Content-Type": type], body: pdu.body)
    let message = try #require(stored.json["id"] as? String, "\(stored.text)")
    try await send("GET", "/v1/messages/\(message)/modules")
    try await send("GET", "/v1/attachments/\(message)/parts/1")
    try await send("GET", "/v1/attachments/\(message)/parts/1", ["Range": "bytes=0-9"])
    try await send("HEAD", "/v1/attachments/\(message)/parts/1")
    try await send("GET", "/v1/attachments/\(message)/parts/64")
    let sent = try await send(
      "POST", "/v1/attachments", ["Content-Type": "message/rfc822"],
      body: Array(
        "From: a@example.org\r\nSubject: Hello\r\nDate: Sun, 22 Nov 2026 22:00:00 +0000\r\n\r\nHello\r\n".utf8))
    let letter = try #require(sent.json["id"] as? String, "\(sent.text)")
    try await send("GET", "/v1/messages/\(letter)/modules")
    try await send("GET", "/v1/attachments/\(photo)/parts/1")
    try await send("GET", "/v1/messages/\(photo)/modules")
    try await send("POST", "/v1/text", json: "{\"text\":\"Call 030 1234567 or ada@example.com\"}")
    try await send("POST", "/v1/text", json: "{\"texts\":[\"a\",\"www.example.com\"],\"strict7Bit\":true}")
  }

  private func tray() async throws {
    let tray = try await send("GET", "/v1/tray")
    try await send("GET", "/v1/tray?before=zz")
    for target in ["/v1/tray/events", "/v1/events"] {
      try await stream(target, after: tray.json["lastEvent"] as? String ?? "")
    }
  }

  /// The head of a stream alone: it does not end by itself.
  func stream(_ target: String, after last: String) async throws {
    let stream = try await server.connect()
    defer { stream.close() }
    let fields = owner.merging(["Last-Event-ID": last]) { $1 }.map { "\($0.key): \($0.value)\r\n" }.joined()
    try await stream.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
    var head = try await stream.readHead()
    head.body = [0x3A]
    answers.append(Answer(method: "GET", target: target, response: head))
  }

  private func owners(_ photo: String) async throws {
    try await send("GET", "/v1/owner")
    try await send("GET", "/v1/profile")
    let profile = try await send(
      "PUT", "/v1/avatar", json: "{\"attachment\":\"\(photo)\",\"crop\":{\"x\":0,\"y\":0,\"width\":9,\"height\":9}}")
    try await send("GET", "/v1/profile")
    let urls = try #require((profile.json["avatar"] as? [String: Any])?["urls"] as? [String: String])
    for address in urls.values { try await send("GET", address, Tokens.field("bob")) }
    try await send("GET", "/v1/avatar?size=100")
    let avatar = try await send("GET", "/v1/avatar")
    try await send("GET", "/v1/avatar", ["If-None-Match": avatar["ETag"] ?? ""])
    try await send("DELETE", "/v1/avatar")
    try await send("GET", "/v1/avatar")
    let bob = Tokens.field("bob", labels: ["g:42"])
    try await send("POST", "/v1/attachments/\(photo)/reports", json: "{\"reason\":\"rude\"}", bob)
    try await send("POST", "/v1/attachments/\(photo)/reports", json: "{}")
    try await send("GET", "/v1/moderation/reports")
    try await send("GET", "/v1/moderation/reports?limit=0")
    let moderation = "/v1/moderation/attachments/\(photo)"
    try await send("POST", "\(moderation)/block", json: "{\"reason\":\"spam\"}")
    try await send("GET", "/v1/attachments/\(photo)")
    try await send("GET", "/v1/tray")
    try await send("GET", "/v1/moderation/attachments?limit=1")
    let content = "/v1/moderation/contents/" + String(repeating: "0a", count: 32)
    try await send("PUT", content, json: "{\"reason\":\"known\"}")
    try await send("GET", "/v1/moderation/contents")
    try await send("DELETE", content)
    try await send("DELETE", "/v1/moderation/contents/0a")
    try await send("POST", "\(moderation)/release", body: [])
    try await send("POST", "\(moderation)/protect", json: "{\"reason\":\"press\"}")
    try await send("POST", "\(moderation)/unprotect", body: [])
    try await send("GET", "/v1/moderation/audit?limit=1")
    try await unscannable(photo)
  }

  /// A file that the scanner could not scan, as a moderator sees it.
  private func unscannable(_ photo: String) async throws {
    let id = FileID(rawValue: try #require(Int64(photo)))
    let content = try #require(try await server.service.library.catalogue.file(id)?.digest)
    _ = try await server.service.library.moderate { moderation in
      try moderation.record(Moderation.Verdict(content, .unscannable, detail: "encrypted", engine: "e", at: 1))
    }
    let path = "/v1/moderation/attachments/\(photo)"
    try await send("GET", "/v1/moderation/unscannable?limit=1")
    try await send("GET", "/v1/moderation/unscannable?limit=0")
    let whole = try await send("GET", "\(path)/original")
    try await send("GET", "\(path)/original", ["Range": "bytes=0-9"])
    try await send("GET", "\(path)/original", ["Range": "bytes=99999999-"])
    try await send("GET", "\(path)/original", ["If-None-Match": whole["ETag"] ?? ""])
    try await send("POST", "\(path)/accept", json: "{\"reason\":\"opened it\"}")
    try await send("POST", "\(path)/accept", json: "{}")
  }

  /// What each operation answers to mistakes that all have in common.
  private func mistakes(_ photo: String) async throws {
    for (method, path) in try OpenAPITests.operations() where path.hasPrefix("/v1/") && method != "OPTIONS" {
      let body: [UInt8]? = ["POST", "PUT", "PATCH"].contains(method) ? Array("{".utf8) : nil
      let unknown = path.replacing("{id}", with: "999999").replacing("{name}", with: "grid.webp")
        .replacing("{cluster}", with: "3.9").replacing("{item}", with: "x").replacing("{message}", with: "999999")
        .replacing("{number}", with: "1").replacing("{draft}", with: String(repeating: "0", count: 32))
        .replacing("{upload}", with: String(repeating: "0", count: 32))
        .replacing("{avatar}", with: String(repeating: "0", count: 32)).replacing("{moment}", with: "999999")
        .replacing("{trip}", with: "999999").replacing("{thread}", with: "999999")
        .replacing("{answer}", with: "999999")
      try await send(method, unknown, body: body, hasToken: false)
      // A stream has no end.
      if path.hasSuffix("/events") { continue }
      // An empty owner's, so that nothing is erased.
      try await send(method, unknown, Tokens.field("nobody"), body: body)
      try await send(method, unknown, Tokens.field("nobody", scope: "moderate"), body: body)
    }
    try await send("PUT", "/v1/attachments/\(photo)", body: [])
    try await send("POST", "/v1/check", ["Content-Type": "text/plain"], body: Array("x".utf8))
    try await send(
      "POST", "/v1/check", ["Content-Type": "application/json"], body: [UInt8](repeating: 0x20, count: 300_000))
  }
}
