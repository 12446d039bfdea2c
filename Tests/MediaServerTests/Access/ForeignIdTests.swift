internal import Foundation
internal import HTTPTypes
internal import MediaLibrary
internal import MediaService
internal import TestSupport
internal import Testing

@testable internal import MediaServer

@Suite("Another owner's ids on every route") struct ForeignIdTests {
  /// What stands for the captures of a path, and for the ids in a body.
  private struct Ids {
    var attachment: String, upload: String, draft: String, item: String, moment: String, trip: String
    var message: String, thread: String, answer: String
    /// The name of a collection, which no route has in its path.
    var collection: String
    /// The SHA-256 of the attachment.
    var content = String(repeating: "0a", count: 32)

    /// The part of a path for a capture; nil for one that names nothing of an owner.
    func value(of capture: String) -> String? {
      switch capture {
      case "id": attachment
      case "upload": upload
      case "draft": draft
      case "message": message
      case "thread": thread
      case "answer": answer
      case "item": item
      case "moment": moment
      case "trip": trip
      case "sha256": content
      case "name": "grid.webp"
      case "number": "1"
      default: nil
      }
    }

    func filled(_ text: String) -> String {
      text.replacingOccurrences(of: "ATTACHMENT", with: attachment).replacingOccurrences(of: "DRAFT", with: draft)
        .replacingOccurrences(of: "MOMENT", with: moment).replacingOccurrences(of: "TRIP", with: trip)
        .replacingOccurrences(of: "THREAD", with: thread).replacingOccurrences(of: "COLLECTION", with: collection)
    }

    /// An answer without the ids that its request named.
    func masked(_ bytes: [UInt8]) -> String {
      var text = String(decoding: bytes, as: UTF8.self)
      for id in [attachment, upload, draft, moment, trip, message, thread, answer, content] {
        text = text.replacingOccurrences(of: "\"\(id)\"", with: "\"-\"")
      }
      return text
    }
  }

  private static let unknown = Ids(
    attachment: "99999", upload: "0123456789abcdef0123456789abcdef", draft: "0123456789abcdef0123456789abcdef",
    item: "two", moment: "99999", trip: "99999", message: "m99999", thread: "99999",
    answer: "99999", collection: "nothing")

  private let client: RouteClient
  /// What alice has.
  private let ids: Ids

  init() async throws {
    client = try await RouteClient()
    // Not 1, which stands in many answers.
    for name in ["IMG_0001", "IMG_0002"] { _ = try await client.add("camera-roll/\(name).jpg", owner: "carol") }
    let photo = try await client.add("camera-roll/IMG_0001.jpg").rawValue
    let draft = try await client.service.createDraft(for: .alice, text: "secret").id
    let added = try await client.send(
      .post, "/v1/drafts/\(draft)/attachments", as: .alice,
      body: "{\"attachments\":[{\"attachment\":\"\(photo)\",\"id\":\"one\"}]}")
    #expect(added.status == 200)
    let own = try await client.send(.get, "/v1/attachments/\(photo)", as: .alice)
    guard case .object(let info) = own["info"], case .string(let content) = info["sha256"] else {
      throw ServiceError.notFound
    }
    let upload = try await client.service.createUpload(.init(form: .tus, length: 9), for: .alice)
    let service = client.service
    // Of friends, whom nobody is.
    for number in 0..<4 { _ = try await service.post(.init(note: "\(number)"), for: Caller(owner: "carol")) }
    var note = MediaService.NewMoment(note: "secret")
    note.visibility = .friends
    var lake = MediaService.NewTrip(title: "secret")
    lake.visibility = .friends
    for _ in 0..<4 { _ = try await service.add(MediaService.NewTrip(title: "x"), for: Caller(owner: "carol")) }
    let trip = try await service.add(lake, for: .alice).id
    let moment = try await service.post(note, for: .alice).id
    for number in 1...2 { _ = try await service.receiveMessage(NotificationPDU.octets(number), for: .alice) }
    let message = try #require(try await service.receiveMessage(NotificationPDU.octets(3), for: .alice).message)
    ids = Ids(
      attachment: "\(photo)", upload: upload.id.rawValue, draft: draft, item: "one", moment: moment, trip: trip,
      message: message.id, thread: message.thread,
      answer: try #require(try await service.carrierAnswers(for: .alice).last).id, collection: "album",
      content: content)
    let joined = try await client.send(
      .patch, "/v1/attachments/\(photo)", as: .alice, body: #"{"collection": "album"}"#)
    #expect(joined.status == 200)
  }

  private static let tus = Dictionary(
    uniqueKeysWithValues: [
      ("Tus-Resumable", "1.0.0"), ("Upload-Offset", "0"), ("Content-Type", "application/offset+octet-stream"),
    ].compactMap { name, value in HTTPField.Name(name).map { ($0, value) } })

  /// The same request about something of alice, and about something that does not exist, as bob.
  private func compare(
    _ method: HTTPRequest.Method, _ path: (Ids) throws -> String, body: String = ""
  ) async throws -> Int {
    let name = "\(method) \(try path(ids))"
    var answers: [(Int, String, HTTPFields)] = []
    for ids in [ids, Self.unknown] {
      let path = try path(ids)
      let answer = try await client.send(
        method, path, as: .bob, path.hasPrefix("/v1/uploads/") ? Self.tus : [:], body: ids.filled(body))
      answers.append((answer.status, ids.masked(answer.bytes), answer.fields))
    }
    #expect(answers[0].0 == answers[1].0, "\(name)")
    #expect(answers[0].1 == answers[1].1, "\(name)")
    #expect(answers[0].2 == answers[1].2, "\(name)")
    return answers[0].0
  }

  private static let bodies = [
    "PATCH /v1/attachments": #"{"title": "mine"}"#, "PATCH /v1/drafts": #"{"text": "mine"}"#,
    "PATCH /v1/moments": #"{"title": "mine"}"#, "PATCH /v1/trips": #"{"title": "mine"}"#,
    "POST /v1/trips": #"{"moments": ["99998"]}"#,
    "POST /v1/drafts": #"{"attachments": []}"#, "PUT /v1/threads": #"{"content": [{"text": "mine"}]}"#,
    "POST /v1/messages": #"{"transactionID": "x", "outcome": "refused"}"#,
  ]

  /// Without a list that a route needs, no id is looked up.
  private static let queries = ["DELETE /v1/trips/{trip}/moments": "?ids=99998"]

  @Test("A path with an id of another owner is answered as one with an unknown id, and changes nothing")
  func paths() async throws {
    var count = 0
    for route in client.routes where route.method != .options {
      let parts = route.path.split(separator: "/").map { part -> (text: String, isCapture: Bool) in
        if part.hasPrefix(":") { return (String(part.dropFirst()), true) }
        return part.hasPrefix("{") ? (String(part.dropFirst().dropLast()), true) : (String(part), false)
      }
      // Cells of the map belong to nobody: their members are the caller's.
      // Whoever has the address of an image of a profile may read it.
      guard parts.contains(where: { $0.isCapture }), !["locations", "avatars"].contains(parts[1].text) else { continue }
      let body = Self.bodies["\(route.method.rawValue) /\(parts.prefix(2).map(\.text).joined(separator: "/"))"] ?? ""
      let status = try await compare(
        route.method,
        { ids in
          var path = ""
          for part in parts {
            path += "/"
            path += part.isCapture ? try #require(ids.value(of: part.text), "What is \(part.text)?") : part.text
          }
          return path + (Self.queries["\(route.method.rawValue) \(route.path)"] ?? "")
        }, body: body)
      // 403: only moderators may block. 405: a POST without X-HTTP-Method-Override.
      #expect([403, 404, 405].contains(status), "\(route.method) \(route.path): \(status)")
      count += 1
    }
    #expect(count > 20)
    try await expectUnchanged()
  }

  @Test("A body or a query with an id of another owner is answered as one with an unknown id, and changes nothing")
  func contents() async throws {
    let own = try await client.service.createDraft(for: .bob, text: "").id
    let trip = try await client.service.add(MediaService.NewTrip(title: "mine"), for: .bob).id
    let requests: [(HTTPRequest.Method, String, String)] = [
      (.get, "/v1/attachments?ids=ATTACHMENT", ""), (.get, "/v1/tray?select=DRAFT", ""),
      (.post, "/v1/grants", #"{"ids": ["ATTACHMENT"], "rights": ["view", "original"]}"#),
      (.delete, "/v1/grants?ids=ATTACHMENT", ""), (.put, "/v1/avatar", #"{"attachment": "ATTACHMENT"}"#),
      (.post, "/v1/check", #"{"attachments": ["ATTACHMENT"]}"#),
      (.post, "/v1/check", #"{"attachments": [], "draft": "DRAFT"}"#),
      (.post, "/v1/compose", #"{"attachments": ["ATTACHMENT"], "to": ["+4790000000"]}"#),
      (.post, "/v1/compose", #"{"draft": "DRAFT", "to": ["+4790000000"]}"#),
      (.post, "/v1/compose", #"{"thread": "THREAD", "to": ["+4790000000"]}"#),
      (.get, "/v1/messages/DRAFT/modules", ""), (.get, "/v1/messages?q=mmsc", ""), (.get, "/v1/threads", ""),
      (.post, "/v1/threads", #"{"to": ["+4790000000"], "content": [{"attachment": "ATTACHMENT"}]}"#),
      (.post, "/v1/moments", #"{"attachment": "ATTACHMENT"}"#),
      (.post, "/v1/moments", #"{"caption": "x", "trips": ["TRIP"]}"#),
      (.post, "/v1/trips/\(trip)/moments", #"{"moments": ["MOMENT"]}"#),
      (.delete, "/v1/collections?name=COLLECTION", ""),
      (.patch, "/v1/trips/\(trip)", #"{"order": ["MOMENT"]}"#),
      (.get, "/v1/moments?audience=friends&owner=alice", ""), (.get, "/v1/trips?audience=friends&owner=alice", ""),
      (.post, "/v1/drafts/\(own)/attachments", #"{"attachments": [{"attachment": "ATTACHMENT"}]}"#),
    ]
    for (method, path, body) in requests {
      let status = try await compare(method, { $0.filled(path) }, body: body)
      #expect(status < 500, "\(method) \(path)")
    }
    #expect(try await client.service.draft(own, of: .bob).attachments.isEmpty)
    #expect(try await client.service.trips(.init(), for: .bob).trips.map(\.moments) == [0])
    #expect(try await client.service.moments(.init(), for: .bob).moments.isEmpty)
    try await expectUnchanged()
  }

  private func expectUnchanged() async throws {
    let photo = try await client.send(.get, "/v1/attachments/\(ids.attachment)", as: .alice)
    #expect(photo.status == 200)
    #expect(photo["title"] == nil)
    #expect(photo["collection"] == .string("album"))
    let draft = try await client.service.draft(ids.draft, of: .alice)
    #expect(draft.text == "secret")
    #expect(draft.attachments.count == 1)
    let upload = try await client.send(.get, "/v1/uploads/\(ids.upload)", as: .alice)
    #expect(upload.status == 200)
    let moment = try await client.send(.get, "/v1/moments/\(ids.moment)", as: .alice)
    #expect(moment["caption"] == .string("secret"))
    #expect(moment["title"] == nil)
    let trip = try await client.send(.get, "/v1/trips/\(ids.trip)", as: .alice)
    #expect(trip["title"] == .string("secret"))
    #expect(trip["version"] == .number(2))
    let thread = try await client.send(.get, "/v1/threads/\(ids.thread)", as: .alice)
    #expect(thread["messages"] == .number(1))
    #expect(thread["unread"] == .number(1))
    #expect(thread["draft"] == nil)
    #expect(try await client.service.carrierAnswers(for: .alice).map(\.id).contains(ids.answer))
  }
}
