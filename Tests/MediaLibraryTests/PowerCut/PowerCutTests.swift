internal import CRecordingVFS
internal import FileSupport
internal import Foundation
internal import GRDB
internal import Glibc
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

/// A library whose machine loses its power. SQLite's writes, truncations and syncs are recorded once, by a VFS, and then replayed up to every
/// single one of them. What was not synced by then is lost, or arrives in part and in any order.
///
/// `MEDIATOOL_FULL=1` repeats the calls and loses more different parts of what was not synced.
@Suite("A library whose machine loses its power", .serialized, .timeLimit(.minutes(30))) struct PowerCutTests {
  private static let isFull = ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1"

  /// What a call does, and whether what it did has to be there after it has returned.
  private struct Call {
    let isAcknowledged: Bool
    /// Whether it waits for no disk.
    var isNote = false
    let run: (Library) throws -> Void

    static func durable(_ run: @escaping (Library) throws -> Void) -> Call { Call(isAcknowledged: true, run: run) }
    /// When a scan began, and when one ended that has stored nothing.
    static func note(_ run: @escaping (Library) throws -> Void) -> Call {
      Call(isAcknowledged: false, isNote: true, run: run)
    }
    /// A batch of a scan, which the next scan repeats.
    static func batch(_ changes: [CatalogueChange]) -> Call {
      Call(isAcknowledged: false) { try $0.scanIndex.apply(changes) }
    }
  }

  private static func id(_ path: String, _ library: Library) throws -> FileID {
    guard let file = try library.catalogue.file(at: PathBytes(path)) else { throw TestLibrary.NotThere(path: path) }
    return file.id
  }

  /// The number of calls of a round up to its erasure, which is the last but one.
  private static var erasure: Int { calls(1).count - 1 }

  /// The calls of a round: everything that people say of files, and a scan with its end.
  private static func calls(_ round: Int) -> [Call] {
    [
      .batch(
        (0..<6).map {
          TestLibrary.done(
            "/r/\(round)-\($0).jpg", inode: UInt64(round * 10 + $0 + 1), at: (1, 2), digest: round * 10 + $0 + 1)
        }),
      .durable {
        try $0.catalogue.setText(of: id("/r/\(round)-0.jpg", $0), title: "title \(round)", caption: "caption \(round)")
      },
      .durable {
        try $0.catalogue.assign([id("/r/\(round)-1.jpg", $0)], owner: "ann", collection: .named("trip \(round)"))
      },
      .durable {
        try $0.catalogue.setLocation(
          of: id("/r/\(round)-2.jpg", $0), Location(latitude: Double(round), longitude: 5, source: .user))
      },
      .durable { library in
        try library.catalogue.setLabels([
          (id("/r/\(round)-0.jpg", library), .caption("one of many \(round)")),
          (id("/r/\(round)-5.jpg", library), .owner("ann", collection: .none)),
        ])
      },
      .batch([TestLibrary.done("/zebra-\(round)/a.jpg", inode: UInt64(round * 10 + 9))]),
      .durable { try $0.catalogue.openCollection("summer \(round)", owner: "bob", title: nil, at: round) },
      .durable {
        let info = TestLibrary.photo()
        let file = AddedFile(
          path: PathBytes("/uploads/\(round).jpg"), modified: 5, received: 6,
          result: FileResult(info: info, engine: "e"), owner: "bob")
        _ = try $0.catalogue.add([file])
      },
      .note { _ = try $0.scanIndex.beginScan(of: [PathBytes("/r")], at: round) },
      .batch([TestLibrary.done("/r/\(round)-6.jpg", inode: UInt64(round * 10 + 7))]),
      .durable { try finishScan(in: $0, at: round + 1) },
      .note { _ = try $0.scanIndex.beginScan(of: [PathBytes("/r")], at: round + 2) },
      .note { try finishScan(in: $0, at: round + 3) },
      .durable { try $0.scanIndex.apply([.quarantined(id("/r/\(round)-3.jpg", $0), reason: "reported")]) },
      .durable { library in
        let report = try library.erase(.file(id("/zebra-\(round)/a.jpg", library)))
        guard report.isWiped else { throw LibraryError(.system, "not wiped") }
      },
      .durable { try $0.catalogue.setText(of: id("/r/\(round)-4.jpg", $0), title: nil, caption: "after the erasure") },
    ]
  }

  private static func finishScan(in library: Library, at time: Int) throws {
    guard let run = try library.scanIndex.lastScan() else { throw TestLibrary.NotThere(path: "scan") }
    try library.scanIndex.finishScan(run, at: time)
  }

  private static let rounds = isFull ? 4 : 1
  private static var script: [Call] { (1...rounds).flatMap(calls) }

  /// All that a library knows, in words.
  private static func description(of library: Library) throws -> String {
    var lines: [String] = []
    var after: CatalogueFile.Cursor?
    repeat {
      let page = try library.catalogue.files(under: PathBytes("/"), after: after, limit: 1_000)
      lines += page.files.map {
        "\($0.path) \($0.title ?? "-") \($0.caption ?? "-") \($0.owner ?? "-") \($0.collection ?? "-") \($0.location?.latitude ?? -1)"
      }
      after = page.next
    } while after != nil
    lines += try library.catalogue.files(of: .quarantined, after: nil, limit: 100).files.map {
      "quarantined \($0.path)"
    }
    lines += try library.catalogue.collections(of: "bob", by: .name, after: nil, limit: 100).collections.map {
      "\($0.name) \($0.isOpen)"
    }
    lines.append("scan \(try library.scanIndex.lastScan()?.finished ?? -1)")
    return lines.joined(separator: "\n")
  }

  /// Runs the script in this process, records it, and notes after each call what the library knows.
  private static func record(in folder: String) throws {
    let location = LibraryLocation(folder: PathBytes(folder + "/library"))
    let first = try Library.open(at: location, for: .creating)
    try first.close()
    try FileManager.default.copyItem(atPath: folder + "/library", toPath: folder + "/before")
    guard mediatool_record_sqlite(folder + "/library", folder + "/record") == 0 else { return }
    let library = try Library.open(at: location, for: .writing)
    var states = [try description(of: library)]
    for (number, call) in Self.script.enumerated() {
      try call.run(library)
      mediatool_record_mark(UInt64(number))
      states.append(try description(of: library))
    }
    try JSONEncoder().encode(states).write(to: URL(fileURLWithPath: folder + "/states"))
  }

  @Test(
    "After a power failure at any write, all that was acknowledged is there, nothing is half there, and nothing erased has come back"
  )
  func everyCut() async throws {
    // In memory, where there is room: what a power failure takes is decided here and not by the disk.
    let base =
      FileManager.default.isWritableFile(atPath: "/dev/shm") ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    let folder = "\(base)/mediatool-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    await #expect(processExitsWith: .exitCode(7)) { [folder = folder as String] in
      try Self.record(in: folder)
      _exit(7)
    }
    let states = try JSONDecoder().decode(
      [String].self, from: Data(contentsOf: URL(fileURLWithPath: folder + "/states")))
    let record = try WriteRecord(at: folder + "/record")
    #expect(states.count == Self.script.count + 1)
    #expect(record.steps.count > 50)

    // The index of the log is not: it is made again from the log.
    var before: [String: Data] = [:]
    for suffix in ["", "-wal"] {
      before["catalogue.sqlite\(suffix)"] = FileManager.default.contents(
        atPath: "\(folder)/before/catalogue.sqlite\(suffix)")
    }
    var disk = SimulatedDisk(before)
    let isAcknowledged = Self.script.map(\.isAcknowledged)
    expectNotesAreNotSynced(record)
    // The states that may be found: from the last one that was acknowledged on.
    var acknowledged = 0
    var cuts = 0
    for (cut, step) in record.steps.enumerated() {
      disk.take(step)
      if case .mark(let number) = step, isAcknowledged[number] { acknowledged = number + 1 }
      for loss in losses(cut) {
        cuts += 1
        let problem = try problem(with: disk.files(after: loss), in: folder, states: states[acknowledged...])
        #expect(
          problem == nil,
          "after step \(cut) of \(record.steps.count), \(step.name), with \(loss), call \(acknowledged) acknowledged")
        if problem != nil { return }
      }
    }
    #expect(cuts > 100)
  }

  /// Expects that a scan that stores nothing waits for no disk.
  private func expectNotesAreNotSynced(_ record: WriteRecord) {
    let calls = Self.script
    var number = 0
    for step in record.steps {
      if case .mark(let done) = step { number = done + 1 }
      if case .sync(let file) = step, number < calls.count {
        #expect(!calls[number].isNote, "call \(number) syncs \(file)")
      }
    }
  }

  private func losses(_ cut: Int) -> [SimulatedDisk.Loss] {
    if Self.isFull { return [.all, .none] + (0..<4).map { .some(seed: UInt64(cut * 4 + $0)) } }
    return [.all, .some(seed: UInt64(cut))]
  }

  /// Opens what is left as a machine does that starts again.
  private func problem(with files: [String: Data], in folder: String, states: ArraySlice<String>) throws -> String? {
    let after = folder + "/after"
    try? FileManager.default.removeItem(atPath: after)
    try FileManager.default.copyItem(atPath: folder + "/before", toPath: after)
    for suffix in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: "\(after)/catalogue.sqlite\(suffix)")
    }
    for (name, content) in files { try content.write(to: URL(fileURLWithPath: "\(after)/\(name)")) }
    // An erasure that was acknowledged left nothing to read.
    for round in 1...Self.rounds where states.startIndex >= (round - 1) * Self.calls(1).count + Self.erasure {
      if let file = files.first(where: { $0.value.range(of: Data("zebra-\(round)".utf8)) != nil }) {
        return "\(file.key) contains what was erased in round \(round)"
      }
    }
    do {
      let library = try Library.open(at: LibraryLocation(folder: PathBytes(after)), for: .writing)
      defer { try? library.close() }
      let found = try Self.description(of: library)
      if !states.contains(found) {
        return "not a state that was acknowledged or came later:\n\(found)\nexpected:\n\(states.first ?? "")"
      }
      let problems = try library.database.read { db in try DerivedChecks(db).integrity() + DerivedChecks(db).findings()
      }
      return problems.isEmpty ? nil : problems.joined(separator: "; ")
    } catch {
      return "\(error)"
    }
  }
}

extension WriteRecord.Step {
  /// In short, for a message.
  fileprivate var name: String {
    switch self {
    case .write(let file, let offset, let bytes): "write \(file) \(offset) \(bytes.count)"
    case .truncate(let file, let size): "truncate \(file) \(size)"
    case .sync(let file): "sync \(file)"
    case .delete(let file): "delete \(file)"
    case .mark(let number): "mark \(number)"
    }
  }
}
