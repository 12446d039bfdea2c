internal import Foundation
internal import RawHTTP
internal import TestSupport
internal import Testing

@Suite("mediatool serve: killed while it receives uploads", .serialized) struct KillTests {
  private static let isFull = ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1"
  private static let kills = isFull ? 20 : 3
  private static let uploads = isFull ? 200 : 24
  private static let clients = 5

  @Test(
    "After each kill every acknowledged byte is there, no part file is ahead of its recorded offset, and every upload is resumed and finished"
  )
  func kills() async throws {
    let folder = try TemporaryFolder()
    let library = folder.path("library")
    let server = KilledServer(library: library)
    let log = UploadLog()
    try await server.start()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in 0..<Self.clients {
        group.addTask {
          let resuming = ResumingClient(server: server, log: log)
          for number in stride(from: client, to: Self.uploads, by: Self.clients) { try await resuming.upload(number) }
        }
      }
      group.addTask {
        let all = Self.uploads * ResumingClient.length
        for kill in 1...Self.kills {
          await server.acknowledges(all * kill / (Self.kills + 1))
          try Task.checkCancellation()
          await server.kill()
          // What the server reported before.
          let known = log.all
          try Self.compareParts(of: known, in: library)
          try await server.start { port in try await Self.compareOffsets(of: known, in: library, port) }
        }
      }
      // The first fault ends the test: the others would wait for bytes that never come.
      do {
        while try await group.next() != nil {}
      } catch {
        await server.giveUp()
        throw error
      }
    }
    let connection = try await RawConnection(port: await server.currentPort())
    let finished = log.all
    #expect(finished.count == Self.uploads)
    for entry in finished {
      let original = try await connection.request("GET", "/v1/attachments/\(entry.attachment ?? "")/original")
      #expect(original.body == ResumingClient.text(entry.number), "upload \(entry.number)")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: library + "/uploads")
    try await Self.requireUnknown(left, log, connection)
    #expect(await server.stop() == 0)
  }

  /// A kill between the creation of an upload and its answer leaves an upload that no client knows, empty until it expires. Nothing else is left.
  private static func requireUnknown(_ names: [String], _ log: UploadLog, _ connection: RawConnection) async throws {
    let known = Set(log.all.map(\.address))
    for name in names {
      let address = "/v1/uploads/\(name)"
      #expect(!known.contains(address))
      let state = try await connection.request("GET", address)
      #expect(state.json["state"] as? String == "receiving")
      #expect(state.json["offset"] as? Int == 0)
    }
  }

  private static func part(of entry: UploadLog.Entry, in library: String) -> [UInt8]? {
    let name = entry.address.split(separator: "/").last.map(String.init) ?? ""
    return (try? Data(contentsOf: URL(fileURLWithPath: "\(library)/uploads/\(name)"))).map { [UInt8]($0) }
  }

  /// On the disk is at least what was acknowledged.
  private static func compareParts(of known: [UploadLog.Entry], in library: String) throws {
    for entry in known where entry.offset > 0 && entry.offset < ResumingClient.length {
      let text = ResumingClient.text(entry.number)
      // A file whose last bytes arrived without an answer may be an attachment already.
      guard let part = Self.part(of: entry, in: library) else { continue }
      #expect(part.count >= entry.offset, "upload \(entry.number)")
      #expect(part.prefix(entry.offset).elementsEqual(text.prefix(entry.offset)), "upload \(entry.number)")
    }
  }

  /// After a start a part file has exactly the recorded bytes.
  private static func compareOffsets(of known: [UploadLog.Entry], in library: String, _ port: Int) async throws {
    let connection = try await RawConnection(port: port)
    defer { connection.close() }
    for entry in known where entry.attachment == nil {
      let state = try await connection.request("GET", entry.address)
      let offset = try #require(state.json["offset"] as? Int, "upload \(entry.number): \(state.text)")
      #expect(offset >= entry.offset, "upload \(entry.number)")
      guard state.json["state"] as? String == "receiving", offset > 0 else { continue }
      let part = try #require(Self.part(of: entry, in: library), "upload \(entry.number)")
      #expect(part == Array(ResumingClient.text(entry.number)[..<offset]), "upload \(entry.number)")
    }
  }
}
