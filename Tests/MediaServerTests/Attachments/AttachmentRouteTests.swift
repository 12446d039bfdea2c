internal import HTTPTypes
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaServer
@testable internal import MediaService

@Suite struct AttachmentRouteTests {
  private static let photo = "camera-roll/IMG_0001.jpg"
  private static let json: [HTTPField.Name: String] = [.contentType: "application/json"]

  @Test("The facts of an attachment are its owner's with everything, and relative addresses whatever the Host says")
  func facts() async throws {
    let client = try await RouteClient()
    let id = try await client.add(Self.photo, name: "a.jpg", labels: ["g:42": false]).rawValue
    let own = try await client.send(
      .get, "/v1/attachments/\(id)", as: .alice, [HTTPField.Name("X-Forwarded-Host") ?? .origin: "evil.example"])
    #expect(own.status == 200)
    #expect(own["id"] == .string("\(id)"))
    #expect(own["generation"] == .number(0))
    #expect(own["labels"] == .array([.string("g:42")]))
    #expect(own["name"] == .string("a.jpg"))
    guard case .object(let urls) = own["urls"], case .object(let info) = own["info"] else {
      Issue.record("no addresses or facts")
      return
    }
    #expect(Set(urls.keys) == ["original", "grid", "grid2x", "message", "view", "avatar"])
    for case .string(let address) in urls.values {
      #expect(address.hasPrefix("/v1/attachments/\(id)/"))
      #expect(try await client.send(.get, address).status == 200)
    }
    #expect(info["latitude"] != nil)
    #expect(info["sha256"] != nil)
    let other = try await client.send(.get, "/v1/attachments/\(id)", as: .friend)
    guard case .object(let shown) = other["info"], case .object(let all) = other.json else {
      Issue.record("no facts")
      return
    }
    for key in ["latitude", "longitude", "altitude", "make", "model", "sha256"] { #expect(shown[key] == nil) }
    for key in ["labels", "originalLabels", "generation", "location", "collection"] { #expect(all[key] == nil) }
    #expect(other.fields[.eTag] == nil)
    #expect(own.fields[.eTag] != nil)
    #expect(own.fields[.cacheControl] == "private, no-store")
    #expect(try await client.send(.get, "/v1/attachments/\(id)").status == 401)
  }

  @Test("A batch answers for a thread in one request, without what the caller may not see")
  func batch() async throws {
    let client = try await RouteClient { $0.limits.batch = 5 }
    let mine = try await client.add(Self.photo).rawValue
    let shared = try await client.add("camera-roll/IMG_0002.jpg", owner: "bob", labels: ["g:42": false]).rawValue
    let hidden = try await client.add("camera-roll/IMG_0003.jpg", owner: "bob").rawValue
    let caller = Caller(owner: "alice", labels: ["g:42"])
    let answer = try await client.send(
      .get, "/v1/attachments?ids=\(shared),\(hidden),x,\(mine),99999", as: caller)
    guard case .object(let members) = answer.json, case .array(let found) = members["attachments"] else {
      Issue.record("no attachments")
      return
    }
    let ids = found.compactMap { one -> JSONValue? in
      guard case .object(let members) = one else { return nil }
      return members["id"]
    }
    #expect(ids == [.string("\(shared)"), .string("\(mine)")])
    let many = try await client.send(.get, "/v1/attachments?ids=1,2,3,4,5,6", as: caller)
    #expect(many.status == 400)
    #expect(many["limit"] == .number(5))
    #expect(many["actual"] == .number(6))
  }

  @Test("A change is a merge patch; one that assumes another version changes nothing")
  func change() async throws {
    let client = try await RouteClient()
    let id = try await client.add(Self.photo).rawValue
    let path = "/v1/attachments/\(id)"
    let first = try await client.send(.get, path, as: .alice).fields[.eTag]
    let patch =
      [.contentType: "application/merge-patch+json", .ifMatch: try #require(first)] as [HTTPField.Name: String]
    let changed = try await client.send(.patch, path, as: .alice, patch, body: #"{"title":"one"}"#)
    #expect(changed.status == 200)
    #expect(changed["title"] == .string("one"))
    #expect(changed.fields[.eTag] != first)
    let stale = try await client.send(.patch, path, as: .alice, patch, body: #"{"title":"two"}"#)
    #expect(stale.status == 412)
    #expect(stale["code"] == .string("preconditionFailed"))
    #expect(try await client.send(.get, path, as: .alice)["title"] == .string("one"))
    for (caller, status) in [(nil, 401), (Caller.bob, 404), (Caller(owner: "alice", scope: .read), 403)]
      as [(Caller?, Int)]
    {
      #expect(try await client.send(.patch, path, as: caller, Self.json, body: "{}").status == status)
    }
    for (body, status) in [("{", 400), (#"{"sha256":"x"}"#, 400), (String(repeating: "[", count: 10_000), 400)] {
      #expect(try await client.send(.patch, path, as: .alice, Self.json, body: body).status == status)
    }
    let large = #"{"title":""# + String(repeating: "x", count: 300_000) + #""}"#
    #expect(try await client.send(.patch, path, as: .alice, Self.json, body: large).status == 413)
    let form: [HTTPField.Name: String] = [.contentType: "application/x-www-form-urlencoded"]
    #expect(try await client.send(.patch, path, as: .alice, form, body: "title=x").status == 415)
  }

  @Test("Erasing an attachment answers with numbers; afterwards it is unknown")
  func erase() async throws {
    let client = try await RouteClient()
    let id = try await client.add(Self.photo).rawValue
    #expect(try await client.send(.delete, "/v1/attachments/\(id)", as: .bob).status == 404)
    let answer = try await client.send(.delete, "/v1/attachments/\(id)", as: .alice)
    #expect(answer.status == 200)
    #expect(answer["files"] == .number(1))
    #expect(answer["originals"] == .number(1))
    #expect(try await client.send(.delete, "/v1/attachments/\(id)", as: .alice).status == 404)
    #expect(try await client.send(.get, "/v1/attachments/\(id)", as: .alice).status == 404)
  }

  @Test("An owner sees its usage, and erases everything that it has")
  func owner() async throws {
    let client = try await RouteClient()
    _ = try await client.add(Self.photo)
    _ = try await client.add("camera-roll/IMG_0002.jpg", owner: "bob")
    let usage = try await client.send(.get, "/v1/owner", as: .alice)
    #expect(usage["files"] == .number(1))
    #expect(usage["owner"] == .string("alice"))
    #expect(try await client.send(.get, "/v1/owner").status == 401)
    let report = try await client.send(.delete, "/v1/owner", as: .alice)
    #expect(report["files"] == .number(1))
    #expect(report["isWiped"] == .bool(true))
    #expect(try await client.send(.get, "/v1/owner", as: .bob)["files"] == .number(1))
  }

  @Test("A grant has signed URLs with the rights that were asked for, of what the caller may read")
  func grants() async throws {
    let client = try await RouteClient()
    let mine = try await client.add(Self.photo).rawValue
    let shared = try await client.add("camera-roll/IMG_0002.jpg", labels: ["g:42": false]).rawValue
    func granted(_ body: String, _ caller: Caller) async throws -> [JSONValue] {
      let answer = try await client.send(.post, "/v1/grants", as: caller, Self.json, body: body)
      guard case .array(let grants) = answer["grants"] else { return [] }
      return grants
    }
    func urls(_ grant: JSONValue?) -> [String: JSONValue] {
      guard case .object(let members) = grant, case .object(let urls) = members["urls"] else { return [:] }
      return urls
    }
    let both = try await granted(#"{"ids":["\#(mine)","\#(shared)","7777","x"],"rights":["view","original"]}"#, .alice)
    #expect(both.count == 2)
    #expect(urls(both.first)["original"] != nil)
    let friend = try await granted(#"{"ids":["\#(mine)","\#(shared)"]}"#, .friend)
    #expect(friend.count == 1)
    #expect(urls(friend.first)["original"] == nil)
    #expect(urls(friend.first)["grid"] != nil)
    #expect(try await granted(#"{"ids":["\#(shared)"],"rights":["original"]}"#, .friend).isEmpty)
    for body in [#"{"ids":["1"],"rights":["write"]}"#, #"{"ids":["1"],"rights":[]}"#, "{}", ""] {
      #expect(try await client.send(.post, "/v1/grants", as: .alice, Self.json, body: body).status == 400, "\(body)")
    }
    guard case .string(let address) = urls(friend.first)["grid"] else {
      Issue.record("no address")
      return
    }
    #expect(try await client.send(.get, address).status == 200)
    #expect(try await client.send(.delete, "/v1/grants?ids=\(mine),\(shared)", as: .bob).status == 404)
    #expect(try await client.send(.get, address).status == 200)
    #expect(try await client.send(.delete, "/v1/grants?ids=\(shared)", as: .alice).status == 204)
    #expect(try await client.send(.get, address).status == 404)
  }

  @Test("Moderators block, release and protect by their scope alone")
  func moderation() async throws {
    let client = try await RouteClient()
    let id = try await client.add(Self.photo).rawValue
    let moderator = Caller(owner: "mod", scope: .moderate)
    let path = "/v1/moderation/attachments/\(id)"
    for action in ["block", "release", "protect", "unprotect"] {
      #expect(try await client.send(.post, "\(path)/\(action)").status == 401)
      #expect(try await client.send(.post, "\(path)/\(action)", as: .alice).status == 403)
      #expect(try await client.send(.post, "/v1/moderation/attachments/999/\(action)", as: moderator).status == 404)
    }
    let blocked = try await client.send(.post, "\(path)/block", as: moderator, Self.json, body: #"{"reason":"spam"}"#)
    #expect(blocked.status == 200)
    #expect(blocked["blocked"] == .bool(true))
    #expect(blocked["owner"] == .string("alice"))
    #expect(try await client.send(.get, "/v1/attachments/\(id)", as: .alice)["blocked"] == .bool(true))
    #expect(try await client.send(.get, "/v1/attachments/\(id)/original", as: .alice).status == 404)
    // The scope to moderate is no right to read.
    #expect(try await client.send(.get, "/v1/attachments/\(id)/original", as: moderator).status == 404)
    #expect(try await client.send(.post, "\(path)/release", as: moderator)["blocked"] == .bool(false))
    #expect(try await client.send(.get, "/v1/attachments/\(id)/original", as: .alice).status == 200)
    #expect(try await client.send(.post, "\(path)/protect", as: moderator)["protected"] == .bool(true))
    #expect(try await client.send(.post, "\(path)/unprotect", as: moderator)["protected"] == .bool(false))
  }
}
