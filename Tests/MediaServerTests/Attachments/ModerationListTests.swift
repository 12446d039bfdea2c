internal import HTTPTypes
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaServer
@testable internal import MediaService

@Suite("Lists for moderators over HTTP (R-MYM-26)") struct ModerationListTests {
  private static let json: [HTTPField.Name: String] = [.contentType: "application/json"]
  private static let photo = "camera-roll/IMG_0001.jpg"
  private let moderator = Caller(owner: "mod", scope: .moderate)

  private func items(_ client: RouteClient, _ path: String) async throws -> [[String: JSONValue]] {
    guard case .array(let list) = try await client.send(.get, path, as: moderator)["items"] else { return [] }
    return list.compactMap { item -> [String: JSONValue]? in
      guard case .object(let members) = item else { return nil }
      return members
    }
  }

  @Test("Lists and blocks of content need the scope to moderate", arguments: ["attachments", "moments", "contents"])
  func scope(list: String) async throws {
    let client = try await RouteClient()
    let path = "/v1/moderation/\(list)"
    #expect(try await client.send(.get, path).status == 401)
    #expect(try await client.send(.get, path, as: .alice).status == 403)
    #expect(try await client.send(.get, path, as: moderator).status == 200)
    #expect(try await client.send(.get, "\(path)?limit=0", as: moderator).status == 400)
    let content = "/v1/moderation/contents/" + String(repeating: "0a", count: 32)
    for method in [HTTPRequest.Method.put, .delete] {
      #expect(try await client.send(method, content).status == 401)
      #expect(try await client.send(method, content, as: .alice).status == 403)
      #expect(try await client.send(method, "/v1/moderation/contents/0a", as: moderator).status == 400)
    }
  }

  @Test("A content that no attachment has is blocked by its digest, listed, and blocks a file that gets it later")
  func contents() async throws {
    let client = try await RouteClient()
    let first = try await client.add(Self.photo)
    let file = try #require(try await client.service.library.catalogue.file(first))
    let digest = try #require(file.digest)
    let unused = String(repeating: "0a", count: 32)
    let path = "/v1/moderation/contents"
    let body = #"{"reason":"known"}"#
    let blocked = try await client.send(.put, "\(path)/\(unused)", as: moderator, Self.json, body: body)
    #expect(blocked["blocked"] == .bool(true))
    #expect(blocked["attachments"] == .number(0))
    let used = try await client.send(.put, "\(path)/\(digest)", as: moderator, Self.json, body: body)
    #expect(used["attachments"] == .number(1))
    #expect(try await client.send(.get, "/v1/attachments/\(first.rawValue)/original", as: .alice).status == 404)
    let listed = try await items(client, path)
    #expect(Set(listed.map { $0["sha256"] }) == [.string(unused), .string("\(digest)")])
    #expect(listed.map { $0["reason"] } == [.string("known"), .string("known")])
    #expect(listed.map { $0["actor"] } == [.string("mod"), .string("mod")])
    let later = try await client.add(Self.photo, owner: "bob")
    let hidden = try await items(client, "/v1/moderation/attachments")
    #expect(hidden.map { $0["id"] } == [.string("\(first.rawValue)"), .string("\(later.rawValue)")])
    #expect(hidden.map { $0["owner"] } == [.string("alice"), .string("bob")])
    #expect(hidden.allSatisfy { $0["isContentBlocked"] == .bool(true) })
    let ended = try await client.send(.delete, "\(path)/\(digest)", as: moderator)
    #expect(ended["blocked"] == .bool(false))
    #expect(try await items(client, "/v1/moderation/attachments").isEmpty)
    #expect(try await client.send(.get, "/v1/attachments/\(first.rawValue)/original", as: .alice).status == 200)
  }

  @Test("Quarantined attachments are listed in pages, with who hid them and why") func pages() async throws {
    let client = try await RouteClient()
    let ids = [try await client.add(Self.photo), try await client.add("camera-roll/IMG_0002.jpg")].map(\.rawValue)
    for id in ids {
      let block = "/v1/moderation/attachments/\(id)/block"
      #expect(try await client.send(.post, block, as: moderator, Self.json, body: #"{"reason":"spam"}"#).status == 200)
    }
    let first = try await client.send(.get, "/v1/moderation/attachments?limit=1", as: moderator)
    guard case .array(let list) = first["items"], case .string(let next) = first["next"] else {
      Issue.record("no page")
      return
    }
    #expect(list.count == 1)
    let rest = try await items(client, "/v1/moderation/attachments?limit=1&after=\(next)")
    #expect(rest.map { $0["id"] } == [.string("\(ids[1])")])
    #expect(rest.map { $0["reason"] } == [.string("spam")])
    #expect(rest.map { $0["actor"] } == [.string("mod")])
    #expect(rest.map { $0["time"] } == [.number(Double(RouteClient.now))])
  }

  @Test("Held moments are listed with the text that a moderator decides about") func moments() async throws {
    let client = try await RouteClient()
    let note = #"{"caption":"Rude words","visibility":"public"}"#
    guard case .string(let id) = try await client.send(.post, "/v1/moments", as: .alice, Self.json, body: note)["id"]
    else {
      Issue.record("no moment")
      return
    }
    #expect(try await items(client, "/v1/moderation/moments").isEmpty)
    let hold = "/v1/moderation/moments/\(id)/hold"
    #expect(try await client.send(.post, hold, as: moderator, Self.json, body: #"{"reason":"rude"}"#).status == 200)
    let held = try await items(client, "/v1/moderation/moments")
    #expect(held.map { $0["id"] } == [.string(id)])
    #expect(held.map { $0["caption"] } == [.string("Rude words")])
    #expect(held.map { $0["reason"] } == [.string("rude")])
    #expect(held.map { $0["visibility"] } == [.string("public")])
    #expect(try await client.send(.post, "/v1/moderation/moments/\(id)/release", as: moderator).status == 200)
    #expect(try await items(client, "/v1/moderation/moments").isEmpty)
  }
}
