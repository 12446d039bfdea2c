internal import Foundation
internal import HTTPTypes
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaServer
@testable internal import MediaService

@Suite("Routes of drafts") struct DraftRouteTests {
  private func string(_ value: JSONValue?) -> String? { if case .string(let text) = value { text } else { nil } }

  @Test("a draft goes from its creation to its commit over HTTP") func life() async throws {
    let client = try await RouteClient()
    let photo = try await client.add("camera-roll/IMG_0001.jpg", name: "Lake.jpg")
    let created = try await client.send(.post, "/v1/drafts", as: .alice, body: "{\"thread\":\"t 1\",\"text\":\"Hi\"}")
    #expect(created.status == 201)
    let id = try #require(string(created["id"]))
    let path = "/v1/drafts/\(id)"
    #expect(created.fields[.location] == path)
    #expect(created.fields[.eTag] == "\"1\"")
    #expect(created.fields[.cacheControl] == "private, no-store")
    #expect(try await client.send(.post, "/v1/drafts", as: .alice, body: "{\"thread\":\"t 1\"}").status == 200)

    let added = try await client.send(
      .post, "\(path)/attachments", as: .alice,
      body: "{\"attachments\":[{\"attachment\":\"\(photo.rawValue)\",\"id\":\"one:two\",\"altText\":\"A lake\"}]}")
    #expect(added.status == 200)
    #expect(added.fields[.eTag] == "\"2\"")
    #expect(String(decoding: added.bytes, as: UTF8.self).contains("\"name\":\"Lake.jpg\""))
    let changed = try await client.send(
      .patch, "\(path)/attachments/one:two", as: .alice, [.ifMatch: "\"2\""],
      body: "{\"crop\":{\"x\":1,\"y\":2,\"width\":3,\"height\":4},\"altText\":null}")
    #expect(changed.status == 200)
    #expect(!String(decoding: changed.bytes, as: UTF8.self).contains("A lake"))
    let old = try await client.send(.patch, path, as: .alice, [.ifMatch: "\"2\""], body: "{\"text\":\"lost\"}")
    #expect(old.status == 412)
    #expect(string(old["code"]) == "preconditionFailed")
    let sent = try await client.send(.post, "\(path)/commit", as: .alice, body: "{\"labels\":[\"g:42\"]}")
    #expect(sent.status == 200)
    #expect(try await client.send(.post, "\(path)/commit", as: .alice).bytes == sent.bytes)
    #expect(try await client.send(.get, path, as: .alice).status == 410)
    // A friend of the group reads what was sent.
    #expect(try await client.send(.get, "/v1/attachments/\(photo.rawValue)", as: .friend).status == 200)
    #expect(try await client.send(.get, "/v1/attachments/\(photo.rawValue)", as: .bob).status == 404)
  }

  @Test(
    "a creation that is repeated with its key is answered with the draft as it is now, and another body with the key is refused"
  )
  func repeated() async throws {
    let client = try await RouteClient()
    let photo = try await client.add("camera-roll/IMG_0001.jpg")
    let field = try #require(HTTPField.Name("Idempotency-Key"))
    let body = "{\"text\":\"one\",\"attachments\":[\"\(photo.rawValue)\"]}"
    func create(_ key: String, _ body: String) async throws -> RouteClient.Answer {
      try await client.send(.post, "/v1/drafts", as: .alice, [field: key], body: body)
    }
    let first = try await create("k", body)
    #expect(first.status == 201)
    let path = try #require(first.fields[.location])
    #expect(try await client.send(.delete, "\(path)/attachments", as: .alice).status == 200)
    // The attachments are not added again to what was edited since; a key in quotes is the same.
    for key in ["k", "\"k\""] {
      let again = try await create(key, body)
      #expect(again.status == 201)
      #expect(again.fields[.location] == path)
      #expect(again["attachments"] == .array([]))
    }
    let other = try await create("k", body.replacingOccurrences(of: "one", with: "two"))
    #expect(other.status == 422)
    #expect(string(other["code"]) == "refused")
    #expect(string(try await client.send(.get, path, as: .alice)["text"]) == "one")
  }

  @Test("erasing an attachment takes it out of drafts with an event and a new version (R-TRAY-22, R-MYM-12)")
  func erased() async throws {
    let client = try await RouteClient()
    let photo = try await client.add("camera-roll/IMG_0001.jpg")
    let created = try await client.send(
      .post, "/v1/drafts", as: .alice, body: "{\"attachments\":[\"\(photo.rawValue)\"],\"text\":\"stays\"}")
    #expect(created.status == 201)
    let id = try #require(string(created["id"]))
    let stream = try client.service.trayEvents(for: .alice)
    #expect(try await client.send(.delete, "/v1/attachments/\(photo.rawValue)", as: .alice).status == 200)
    let events = try #require(await stream.next())
    #expect(events.map(\.name) == ["draft", "removed"])
    let draft = try await client.send(.get, "/v1/drafts/\(id)", as: .alice)
    #expect(draft.fields[.eTag] == "\"3\"")
    #expect(draft["attachments"] == .array([]))
    #expect(string(draft["text"]) == "stays")
    #expect(try await client.send(.delete, "/v1/owner", as: .alice).status == 200)
    #expect(await stream.next()?.map(\.name) == ["reset"])
    #expect(try await client.send(.get, "/v1/drafts/\(id)", as: .alice).status == 404)
  }

  @Test("without a caller each route answers 401, and another owner's ids look unknown") func access() async throws {
    let client = try await RouteClient()
    let draft = try await client.service.createDraft(for: .alice, text: "secret")
    let routes: [(HTTPRequest.Method, String, String)] = [
      (.get, "/v1/tray", ""), (.get, "/v1/tray/events", ""), (.get, "/v1/drafts", ""), (.post, "/v1/drafts", "{}"),
      (.get, "/v1/drafts/\(draft.id)", ""), (.patch, "/v1/drafts/\(draft.id)", "{}"),
      (.delete, "/v1/drafts/\(draft.id)", ""), (.post, "/v1/drafts/\(draft.id)/attachments", "{\"attachments\":[]}"),
      (.delete, "/v1/drafts/\(draft.id)/attachments", ""), (.patch, "/v1/drafts/\(draft.id)/attachments/1", "{}"),
      (.delete, "/v1/drafts/\(draft.id)/attachments/1", ""), (.post, "/v1/drafts/\(draft.id)/commit", ""),
      (.post, "/v1/check", "{\"attachments\":[]}"), (.post, "/v1/compose", "{}"),
      (.post, "/v1/text", "{\"text\":\"\"}"),
      (.get, "/v1/messages/\(draft.id)/modules", ""), (.get, "/v1/locations", ""),
      (.get, "/v1/locations/6.1/members", ""), (.get, "/v1/avatar", ""), (.put, "/v1/avatar", "{\"attachment\":\"1\"}"),
      (.delete, "/v1/avatar", ""), (.get, "/v1/profile", ""), (.get, "/v1/avatars/x", ""),
    ]
    for (method, path, body) in routes {
      #expect(try await client.send(method, path, as: nil, body: body).status == 401, "\(method) \(path)")
      guard path.contains(draft.id) else { continue }
      #expect(try await client.send(method, path, as: .bob, body: body).status == 404, "\(method) \(path)")
    }
    #expect(try await client.service.draft(draft.id, of: .alice).text == "secret")
  }

  @Test("bodies that are no JSON, too large, too deep or of another type are refused") func bodies() async throws {
    let client = try await RouteClient()
    func status(_ body: String, _ fields: [HTTPField.Name: String] = [:]) async throws -> Int {
      try await client.send(.post, "/v1/check", as: .alice, fields, body: body).status
    }
    #expect(try await status("{\"attachments\":[]}") == 200)
    #expect(try await status("{\"attachments\":[]}", [.contentType: "application/json; charset=utf-8"]) == 200)
    #expect(try await status("{\"attachments\":[]}", [.contentType: "text/plain"]) == 415)
    for body in [
      "", "{", "[]", "{\"attachments\":7}", "{\"attachments\":null}", "\u{FEFF}x",
      "{\"attachments\":[],\"policy\":\"x\"}",
    ] {
      #expect(try await status(body) == 400, "\(body)")
    }
    #expect(try await status(String(repeating: "[", count: 100_000)) == 400)
    #expect(try await status(String(repeating: "{\"a\":", count: 10_000)) == 400)
    #expect(try await status(String(repeating: " ", count: 262_145)) == 413)
  }

  @Test(
    "the detail of a problem says what is wrong with a body, in one sentence",
    arguments: [
      ("{", "it is not JSON"), ("", "it is not JSON"), ("{}", "`attachments` is missing"),
      (#"{"attachments":7}"#, "`attachments` has the wrong type"),
      (#"{"attachments":null}"#, "`attachments` must not be null"),
      (
        #"{"attachments":[],"policy":"x"}"#,
        "`policy` is invalid: unknown preset 'x'; expected photo-tray, mattermost, mms-300k, mms-600k, mms-1m, mail-25m"
      ),
    ])
  func detail(_ body: String, _ reason: String) async throws {
    let client = try await RouteClient()
    let answer = try await client.send(.post, "/v1/check", as: .alice, body: body)
    #expect(string(answer["detail"]) == "The body does not match the schema in /openapi.json: \(reason).")
  }

  @Test("a draft that cannot be committed is a problem with its blockers, and a sentence for each") func blockers()
    async throws
  {
    let client = try await RouteClient()
    let draft = try await client.service.createDraft(for: .alice, text: " ")
    let answer = try await client.send(.post, "/v1/drafts/\(draft.id)/commit", as: .alice)
    #expect(answer.status == 422)
    #expect(answer["blockers"] == .array([.object(["code": .string("empty")])]))
    let detail = "The draft cannot be committed. It has neither text nor attachments."
    #expect(string(answer["detail"]) == detail)
  }

  @Test("the PDU alone is answered to a client that asks for it") func pdu() async throws {
    let client = try await RouteClient()
    let body = "{\"text\":\"Hello\",\"subject\":\"Hi\",\"to\":[\"+15551234567\"]}"
    let json = try await client.send(.post, "/v1/compose", as: .alice, body: body)
    #expect(json.status == 200)
    #expect(json["canSend"] == .bool(true))
    let pdu = try await client.send(
      .post, "/v1/compose", as: .alice, [.accept: "application/vnd.wap.mms-message"], body: body)
    #expect(pdu.fields[.contentType] == "application/vnd.wap.mms-message")
    #expect(pdu.bytes.prefix(2) == [0x8C, 0x80])
    let none = try await client.send(
      .post, "/v1/compose", as: .alice, [.accept: "application/vnd.wap.mms-message"], body: "{\"text\":\"Hello\"}")
    #expect(none.status == 422)
    #expect(string(none["code"]) == "refused")
    #expect(string(none["detail"]) == "The message cannot be sent. It has no recipient.")
  }

  @Test("texts are answered one by one or a thousand at once") func texts() async throws {
    let client = try await RouteClient()
    let one = try await client.send(.post, "/v1/text", as: .alice, body: "{\"text\":\"see example.org\"}")
    #expect(String(decoding: one.bytes, as: UTF8.self).contains("http://example.org"))
    #expect(string(one["type"]) == "sms")
    let many = try await client.send(.post, "/v1/text", as: .alice, body: "{\"texts\":[\"a\",\"b\"]}")
    guard case .array(let answers) = many["texts"] else {
      Issue.record("no texts")
      return
    }
    #expect(answers.count == 2)
  }

  @Test("the profile image is answered once, and then as not modified") func avatar() async throws {
    let client = try await RouteClient()
    let photo = try await client.add("camera-roll/IMG_0001.jpg")
    #expect(
      try await client.send(.put, "/v1/avatar", as: .alice, body: "{\"attachment\":\"\(photo.rawValue)\"}").status
        == 200)
    let first = try await client.send(.get, "/v1/avatar", as: .alice)
    #expect(first.status == 200)
    #expect(first.fields[.contentType] == "image/webp")
    let tag = try #require(first.fields[.eTag])
    let again = try await client.send(.get, "/v1/avatar", as: .alice, [.ifNoneMatch: "\"x\", \(tag)"])
    #expect(again.status == 304)
    #expect(again.bytes.isEmpty)
    #expect(try await client.send(.delete, "/v1/avatar", as: .alice).status == 204)
  }
}
