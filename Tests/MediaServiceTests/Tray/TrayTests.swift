internal import AttachmentPolicy
internal import Foundation
internal import GRDB
internal import MediaLibrary
internal import MediaModel
internal import Testing

@testable internal import MediaService

@Suite("The tray of the service") struct TrayTests {
  private let anna = Caller(owner: "anna")

  struct Answer: Decodable {
    struct Cell: Decodable {
      struct Reason: Decodable {
        var code: String
        var limit: Int?
      }
      var id: String
      var kind: String
      var duration: Double?
      var thumbnail: String?
      var placeholder: Placeholder?
      var selected: Int?
      var enabled: Bool
      var reason: Reason?
    }
    var state: String
    var access: String
    var cells: [Cell]
    var emptyCells: Int
    var remaining: Int?
    var limitReached: Bool
    var next: String?
    var lastEvent: String
  }

  private func tray(
    _ fixture: ServiceFixture, select: String? = nil, before: String? = nil, _ caller: Caller? = nil
  ) async throws -> Answer {
    let json = try await fixture.service.tray(for: caller ?? anna, select: select, before: before)
    return try JSONDecoder().decode(Answer.self, from: Data(json))
  }

  @Test("shows the fifty newest photos and videos of the caller, and the rest in pages (R-TRAY-2)") func pages()
    async throws
  {
    let fixture = try await ServiceFixture()
    var ids: [String] = []
    for number in 0..<120 {
      ids.append(
        try await fixture.addRow(
          "\(number)", type: number % 3 == 0 ? MediaType("video/mp4") : .jpeg, time: 1_600_000_000 + number))
    }
    try await fixture.addRow("sound", type: MediaType("audio/mpeg"), time: 1_690_000_000)
    try await fixture.addRow("other", owner: "berta", time: 1_690_000_000)
    let first = try await tray(fixture)
    #expect(first.cells.map(\.id) == Array(ids.reversed().prefix(50)))
    let second = try await tray(fixture, before: first.next)
    let third = try await tray(fixture, before: second.next)
    #expect((first.cells + second.cells + third.cells).map(\.id) == Array(ids.reversed()))
    #expect(third.next == nil)
    #expect(try await tray(fixture, Caller(owner: "berta")).cells.count == 1)
  }

  @Test("fifty cells take as many calls of the databases as one: none has a call of its own (R-TRAY-2)") func calls()
    async throws
  {
    let fixture = try await ServiceFixture()
    let (library, database) = (fixture.service.library, fixture.service.database)
    func calls() async throws -> [UInt64] {
      let before = [library.reading.calls, library.files.calls, database.reading.calls]
      _ = try await tray(fixture)
      let after = [library.reading.calls, library.files.calls, database.reading.calls]
      return zip(after, before).map { $0 - $1 }
    }
    try await fixture.addRow("0", time: 1_600_000_000)
    let one = try await calls()
    for number in 1..<60 { try await fixture.addRow("\(number)", time: 1_600_000_000 + number) }
    #expect(try await calls() == one)
    #expect(one.contains { $0 > 0 })
  }

  @Test("a cell has its thumbnail's address and placeholder; a video its duration (R-TRAY-3)") func cells() async throws
  {
    let fixture = try await ServiceFixture()
    let photo = try await fixture.addRow("a.jpg", time: 1_600_000_000)
    let video = try await fixture.addRow("b.mp4", type: MediaType("video/mp4"), time: 1_600_000_001) {
      $0.duration = 12.3456
    }
    let cells = try await tray(fixture).cells
    #expect(cells.map(\.id) == [video, photo])
    #expect(cells.map(\.kind) == ["video", "image"])
    #expect(cells.map(\.duration) == [12.346, nil])
    #expect(cells[1].thumbnail?.hasPrefix("/v1/attachments/\(photo)/renditions/grid.webp") == true)
    #expect(cells[1].placeholder?.color == "#102030")
    #expect(cells.allSatisfy { $0.enabled && $0.selected == nil })
  }

  @Test("no path, digest or location is in the answer") func harmless() async throws {
    let fixture = try await ServiceFixture()
    try await fixture.addRow("secret-name.jpg", time: 1_600_000_000) {
      ($0.latitude, $0.longitude, $0.make) = (47.5, 8.5, "Camera")
      $0.sha256 = String(repeating: "ab", count: 32)
    }
    let text = String(decoding: try await fixture.service.tray(for: anna), as: UTF8.self)
    for word in ["secret-name", "47.5", "Camera", "abab", "rows/"] { #expect(!text.contains(word), "\(word)") }
  }

  @Test("an empty library is a state of its own (R-TRAY-17), fewer files than cells leave empty ones (R-TRAY-18)")
  func empty() async throws {
    let fixture = try await ServiceFixture()
    let nothing = try await tray(fixture)
    #expect((nothing.state, nothing.cells.count, nothing.access) == ("empty", 0, "full"))
    try await fixture.addRow("a.jpg", time: 1_600_000_000)
    let one = try await tray(fixture)
    #expect((one.state, one.cells.count, one.emptyCells, one.remaining) == ("grid", 1, 11, 10))
  }

  @Test("cells say which attachments a draft has, in its order (R-TRAY-5, R-TRAY-6)") func selection() async throws {
    let fixture = try await ServiceFixture()
    var ids: [String] = []
    for number in 0..<3 { ids.append(try await fixture.addRow("\(number)", time: 1_600_000_000 + number)) }
    let draft = try await fixture.service.createDraft(for: anna)
    _ = try await fixture.service.addToDraft(
      [.init(attachment: ids[2]), .init(attachment: ids[0])], draft: draft.id, of: anna)
    #expect(try await tray(fixture, select: draft.id).cells.map(\.selected) == [1, nil, 2])
    _ = try await fixture.service.removeFromDraft(ids[2], draft: draft.id, of: anna)
    let after = try await tray(fixture, select: draft.id)
    #expect(after.cells.map(\.selected) == [nil, nil, 1])
    #expect(after.remaining == 9)
    #expect(try await tray(fixture).cells.map(\.selected) == [nil, nil, nil])
  }

  @Test("at the limit all others are disabled (R-TRAY-11), and a file over a limit always (R-TRAY-10)") func limit()
    async throws
  {
    let fixture = try await ServiceFixture { configuration in
      configuration.rules.maxAttachments = 2
      configuration.rules.maxFileBytes = 5_000
    }
    var ids: [String] = []
    for number in 0..<4 {
      ids.append(
        try await fixture.addRow("\(number)", bytes: number == 3 ? 5_001 : 5_000, time: 1_600_000_000 + number))
    }
    let draft = try await fixture.service.createDraft(for: anna)
    let before = try await tray(fixture, select: draft.id)
    #expect(before.cells.map(\.enabled) == [false, true, true, true])
    #expect(before.cells[0].reason?.code == "fileTooLarge")
    #expect(before.cells[0].reason?.limit == 5_000)
    _ = try await fixture.service.addToDraft(ids.prefix(2).map { .init(attachment: $0) }, draft: draft.id, of: anna)
    let full = try await tray(fixture, select: draft.id)
    #expect(full.limitReached)
    #expect(full.cells.map(\.enabled) == [false, false, true, true])
    #expect(full.cells[1].reason?.code == "tooManyAttachments")
  }

  @Test("a blocked file has no image and cannot be selected") func blocked() async throws {
    let fixture = try await ServiceFixture()
    let id = try await fixture.addRow("a.jpg", time: 1_600_000_000)
    let number = try #require(Int64(id))
    try await fixture.service.database.write { db in
      try db.execute(
        sql: "INSERT INTO attachment (file, owner, generation, blocked) VALUES (?, 'anna', 1, 1)", arguments: [number])
    }
    let cell = try #require(try await tray(fixture).cells.first)
    #expect(cell.thumbnail == nil)
    #expect(!cell.enabled)
    #expect(cell.reason?.code == "blocked")
    let draft = try await fixture.service.createDraft(for: anna)
    #expect(
      await code { _ = try await fixture.service.addToDraft([.init(attachment: id)], draft: draft.id, of: anna) }
        == "notFound")
  }

  @Test("a cell changes with its file") func changed() async throws {
    let fixture = try await ServiceFixture()
    let id = try await fixture.addRow("a.jpg", time: 1_600_000_000)
    #expect(try await tray(fixture).cells[0].duration == nil)
    let again = try await fixture.addRow("a.jpg", type: MediaType("video/mp4"), bytes: 2_000, time: 1_600_000_000) {
      $0.duration = 7
    }
    #expect(again == id)
    #expect(try await tray(fixture).cells[0].duration == 7)
  }

  @Test("a draft of another owner and a foreign cursor are errors") func refused() async throws {
    let fixture = try await ServiceFixture()
    let draft = try await fixture.service.createDraft(for: Caller(owner: "berta"))
    #expect(await code { _ = try await fixture.service.tray(for: anna, select: draft.id) } == "notFound")
    #expect(await code { _ = try await fixture.service.tray(for: anna, before: "x") } == "invalidRequest")
    #expect(await code { _ = try await fixture.service.tray(for: Caller(owner: "anna", scope: [])) } == "forbidden")
  }

  @Test("an upload is reported once, with its cell, to the streams of its owner (R-TRAY-21)") func added() async throws
  {
    let fixture = try await ServiceFixture()
    let before = try await tray(fixture)
    let id = try await fixture.addRow("a.jpg", time: 1_600_000_000)
    let file = FileID(rawValue: try #require(Int64(id)))
    fixture.service.feed.publish(.added([file]), for: "anna")
    fixture.service.feed.publish(.draft("0", version: 3), for: "anna")
    let events = try fixture.service.trayEvents(for: anna, after: before.lastEvent)
    let found = try #require(await events.next())
    #expect(found.map(\.name) == ["added", "draft"])
    let text = String(decoding: found[0].data, as: UTF8.self)
    #expect(text.hasPrefix("{\"cells\":[{"))
    #expect(text.contains("\"id\":\"\(id)\""))
    // What another owner published with these ids stays hidden.
    let others = try fixture.service.trayEvents(for: Caller(owner: "berta"))
    fixture.service.feed.publish(.added([file]), for: "berta")
    others.nudge()
    #expect(await others.next()?.isEmpty == true)
  }
}
