internal import HTTPTypes
internal import MediaEngine
internal import MediaLibrary
internal import MediaService
internal import TestSupport
internal import Testing

@testable internal import MediaServer

@Suite struct MomentRouteTests {
  private static let json: [HTTPField.Name: String] = [.contentType: "application/json"]

  private func text(_ value: JSONValue?) -> String? {
    guard case .string(let text) = value else { return nil }
    return text
  }

  private func ids(_ answer: RouteClient.Answer, _ key: String = "moments") -> [String] {
    guard case .array(let list) = answer[key] else { return [] }
    return list.compactMap { one in
      guard case .object(let members) = one else { return nil }
      return text(members["id"])
    }
  }

  @Test(
    "a moment is created, read, changed with its version and deleted; another version is 409 or, with If-Match, 412")
  func life() async throws {
    let client = try await RouteClient()
    let photo = try await client.add("camera-roll/IMG_0001.jpg").rawValue
    let created = try await client.send(
      .post, "/v1/moments", as: .alice, Self.json, body: #"{"attachment":"\#(photo)","title":"Ferry"}"#)
    #expect(created.status == 201)
    let path = try #require(created.fields[.location])
    #expect(path == "/v1/moments/\(text(created["id"]) ?? "")")
    #expect(created.fields[.eTag] == "\"1\"")
    #expect(created["attachment"] == .string("\(photo)"))
    let changed = try await client.send(
      .patch, path, as: .alice, [.contentType: "application/merge-patch+json", .ifMatch: "\"1\""],
      body: #"{"title":null,"caption":"Late"}"#)
    #expect(changed.status == 200)
    #expect(changed.fields[.eTag] == "\"2\"")
    #expect(changed["title"] == nil)
    #expect(changed["caption"] == .string("Late"))
    let stale = try await client.send(.patch, path, as: .alice, Self.json, body: #"{"caption":"x","version":1}"#)
    #expect(stale.status == 409)
    #expect(stale["code"] == .string("versionConflict"))
    #expect(stale["current"] == .number(2))
    for method in [HTTPRequest.Method.patch, .delete] {
      let failed = try await client.send(
        method, path, as: .alice, Self.json.merging([.ifMatch: "\"1\""]) { $1 }, body: "{}")
      #expect(failed.status == 412)
      #expect(failed["code"] == .string("versionConflict"))
      #expect(failed["current"] == .number(2))
    }
    #expect(try await client.send(.get, path, as: .alice)["caption"] == .string("Late"))
    #expect(try await client.send(.get, path, as: .bob).status == 404)
    #expect(try await client.send(.get, path).status == 401)
    let deleted = try await client.send(.delete, path + "?attachment=keep", as: .alice)
    #expect(deleted.status == 200)
    #expect(deleted["moments"] == .number(1))
    #expect(deleted["files"] == .number(0))
    #expect(try await client.send(.get, path, as: .alice).status == 404)
    #expect(try await client.send(.get, "/v1/attachments/\(photo)", as: .alice).status == 200)
  }

  @Test("what is not as documented is 400: unknown keys, words, numbers and limits") func mistakes() async throws {
    let client = try await RouteClient()
    for body in [
      "{}", #"{"text":"x"}"#, #"{"caption":"x","location":{"latitude":91,"longitude":0}}"#,
      #"{"caption":"x","location":{"latitude":1,"longitude":0,"source":"file"}}"#,
      #"{"caption":"x","visibility":"all"}"#,
      #"{"caption":"x","time":1e300}"#, #"{"caption":null}"#,
    ] {
      #expect(try await client.send(.post, "/v1/moments", as: .alice, Self.json, body: body).status == 400, "\(body)")
    }
    for query in [
      "audience=all", "kinds=photo,drawing", "order=size", "limit=0", "limit=x", "since=2&until=1", "after=zz",
      "audience=everyone",
    ] {
      #expect(try await client.send(.get, "/v1/moments?\(query)", as: .alice).status == 400, "\(query)")
    }
    for query in ["kinds=", "kinds=,"] {
      let found = try await client.send(.get, "/v1/moments?\(query)", as: .alice)
      #expect(found.status == 200, "\(query)")
      #expect(ids(found) == [], "\(query)")
    }
    let order = try await client.send(.get, "/v1/moments?order=size", as: .alice)
    #expect(text(order["detail"]) == "`order` must be one of time, activity.")
    for query in ["zoom=21", "bounds=1,2,3", "audience=x"] {
      #expect(try await client.send(.get, "/v1/locations/moments?\(query)", as: .alice).status == 400, "\(query)")
    }
    for body in ["{}", #"{"title":""}"#, #"{"title":"x","ends":1}"#, #"{"title":null}"#] {
      #expect(try await client.send(.post, "/v1/trips", as: .alice, Self.json, body: body).status == 400, "\(body)")
    }
    // Before the trip, which it would join.
    let note = try await client.send(.post, "/v1/moments", as: .alice, Self.json, body: #"{"caption":"x"}"#)
    let id = try #require(text(note["id"]))
    let trip = try await client.send(.post, "/v1/trips", as: .alice, Self.json, body: #"{"title":"Lake"}"#)
    let path = try #require(trip.fields[.location])
    let both = #"{"order":["\#(id)"],"orderByTime":true}"#
    let contradiction = try await client.send(.patch, path, as: .alice, Self.json, body: both)
    #expect(contradiction.status == 400)
    let detail = "does not match the schema in /openapi.json: `order` and `orderByTime` contradict each other."
    #expect(text(contradiction["detail"])?.hasSuffix(detail) == true, "\(contradiction.bytes)")
    let outside = #"{"moments":["\#(id)"],"before":"\#(id)"}"#
    #expect(try await client.send(.post, "\(path)/moments", as: .alice, Self.json, body: outside).status == 400)
    for tag in ["\"+1\"", "\"01\"", "W/\"1\"", "1"] {
      let fields = Self.json.merging([.ifMatch: tag]) { $1 }
      #expect(try await client.send(.patch, path, as: .alice, fields, body: "{}").status == 412, "\(tag)")
    }
    for query in ["zoom=21", "maxPoints=1", "gapHours=0", "gapKilometres=x"] {
      #expect(try await client.send(.get, "\(path)/path?\(query)", as: .alice).status == 400, "\(query)")
    }
  }

  @Test("a creation that is repeated with its key creates nothing, and is answered with what there is now")
  func repeated() async throws {
    let client = try await RouteClient()
    let key = Self.json.merging([try #require(HTTPField.Name("Idempotency-Key")): "k"]) { $1 }
    let body = #"{"caption":"very unusual words"}"#
    let first = try await client.send(.post, "/v1/moments", as: .alice, key, body: body)
    let path = try #require(first.fields[.location])
    _ = try await client.send(.patch, path, as: .alice, Self.json, body: #"{"title":"changed"}"#)
    let second = try await client.send(.post, "/v1/moments", as: .alice, key, body: body)
    #expect(second.status == 201)
    #expect(second.fields[.location] == path)
    #expect(second["title"] == .string("changed"))
    #expect(ids(try await client.send(.get, "/v1/moments", as: .alice)).count == 1)
    let other = try await client.send(
      .post, "/v1/moments", as: .alice, key, body: #"{"caption":"other unusual word"}"#)
    #expect(other.status == 422)
    // The key keeps nothing of what is deleted.
    _ = try await client.send(.delete, path, as: .alice)
    #expect(try await client.send(.post, "/v1/moments", as: .alice, key, body: body).status == 404)
    await client.service.sweepErasures()
    #expect(try client.folder.files(containing: Array("very unusual words".utf8)) == [])
  }

  @Test("friends are those whose token has the label of the owner, and owners are named by repetition") func friends()
    async throws
  {
    let client = try await RouteClient()
    let eve = Caller(owner: "eve, jr.")
    for (caller, caption, visibility) in [
      (Caller.alice, "one", "friends"), (.alice, "two", "private"), (eve, "three", "public"),
    ] {
      let body = #"{"caption":"\#(caption)","visibility":"\#(visibility)"}"#
      #expect(try await client.send(.post, "/v1/moments", as: caller, Self.json, body: body).status == 201)
    }
    let friend = Caller(owner: "bob", labels: ["friends:alice", "friends:eve, jr.", "g:42"])
    #expect(ids(try await client.send(.get, "/v1/moments?audience=friends", as: friend)).count == 2)
    let one = try await client.send(.get, "/v1/moments?audience=friends&owner=alice", as: friend)
    #expect(ids(one).count == 1)
    let both = "/v1/moments?audience=everyone&owner=alice&owner=eve%2C%20jr."
    #expect(ids(try await client.send(.get, both, as: friend)).count == 1)
    #expect(ids(try await client.send(.get, "/v1/moments?audience=friends&owner=alice", as: .bob)).isEmpty)
  }

  @Test(
    "what a moderator shows again is among what changed since, for friends who had lost it", arguments: [true, false])
  func shownAgain(isNote: Bool) async throws {
    let time = Locked(RouteClient.now)
    let client = try await RouteClient { $0.clock = { time.withLock { $0 } } }
    let photo = try await client.add("camera-roll/IMG_0001.jpg").rawValue
    let content = isNote ? #""caption":"Late""# : #""attachment":"\#(photo)""#
    let body = "{\(content),\"visibility\":\"friends\"}"
    let id = try #require(text(try await client.send(.post, "/v1/moments", as: .alice, Self.json, body: body)["id"]))
    let friend = Caller(owner: "bob", labels: ["friends:alice"])
    func changes() async throws -> [String] {
      let since = time.withLock { $0 }
      let answer = try await client.send(
        .get, "/v1/moments?audience=friends&owner=alice&changedSince=\(since)", as: friend)
      #expect(answer.status == 200)
      return ids(answer)
    }
    let moderator = Caller(owner: "mod", scope: .moderate)
    let path = "/v1/moderation/" + (isNote ? "moments/\(id)" : "attachments/\(photo)")
    func decide(_ action: String) async throws {
      time.withLock { $0 += 10 }
      let reason = #"{"reason":"r"}"#
      #expect(try await client.send(.post, "\(path)/\(action)", as: moderator, Self.json, body: reason).status == 200)
    }
    #expect(try await changes() == [id])
    try await decide(isNote ? "hold" : "block")
    #expect(try await changes().isEmpty)
    try await decide("release")
    #expect(try await changes() == [id])
    time.withLock { $0 += 10 }
    #expect(try await changes().isEmpty)
  }

  @Test("a trip is created, filled, drawn as application/geo+json and deleted") func trips() async throws {
    let client = try await RouteClient()
    let trip = try await client.send(.post, "/v1/trips", as: .alice, Self.json, body: #"{"title":"Lake","ended":9}"#)
    #expect(trip.status == 201)
    let path = try #require(trip.fields[.location])
    var moments: [String] = []
    for (number, latitude) in [47.1, 47.2].enumerated() {
      let answer = try await client.send(
        .post, "/v1/moments", as: .alice, Self.json,
        body: #"{"caption":"\#(number)","time":\#(number),"location":{"latitude":\#(latitude),"longitude":8}}"#)
      moments.append(try #require(text(answer["id"])))
    }
    let added = try await client.send(
      .post, "\(path)/moments", as: .alice, Self.json, body: #"{"moments":["\#(moments[0])","\#(moments[1])"]}"#)
    #expect(added.status == 200)
    #expect(added["moments"] == .number(2))
    #expect(added.fields[.eTag] == "\"2\"")
    let stale = try await client.send(
      .post, "\(path)/moments", as: .alice, Self.json, body: #"{"moments":["\#(moments[0])"],"version":1}"#)
    #expect(stale.status == 409)
    let ordered = try await client.send(
      .patch, path, as: .alice, Self.json, body: #"{"order":["\#(moments[1])"],"version":2}"#)
    #expect(ordered.status == 200)
    #expect(ids(try await client.send(.get, "\(path)/moments", as: .alice)) == [moments[1], moments[0]])
    let drawn = try await client.send(.get, "\(path)/path?zoom=12", as: .alice)
    #expect(drawn.status == 200)
    #expect(drawn.fields[.contentType] == "application/geo+json")
    #expect(drawn["type"] == .string("FeatureCollection"))
    let removed = try await client.send(.delete, "\(path)/moments?ids=\(moments[0])", as: .alice)
    #expect(removed["moments"] == .number(1))
    #expect(ids(try await client.send(.get, "/v1/trips?order=title", as: .alice), "trips").count == 1)
    let deleted = try await client.send(.delete, "\(path)?moments=erase", as: .alice)
    #expect(deleted["trips"] == .number(1))
    #expect(deleted["moments"] == .number(1))
    #expect(try await client.send(.get, path, as: .alice).status == 404)
    #expect(ids(try await client.send(.get, "/v1/moments", as: .alice)) == [moments[0]])
  }
}
