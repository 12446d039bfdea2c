internal import FileSupport
internal import Foundation
internal import Testing

@testable internal import MediaLibrary

/// What an administrator reads when a library cannot be used.
@Suite("An error of a library names a path and the way out") struct LibraryMessageTests {
  /// A command to run, or something to do after a semicolon or as a sentence of its own.
  private func hasWayOut(_ message: String) -> Bool {
    let verbs = "add|ask|check|free|list|mount|move|name|open|remove|repair|try|update|use"
    return message.contains("`mediatool ")
      || message.range(of: "[.;?] (?:\(verbs)) ", options: [.regularExpression, .caseInsensitive]) != nil
  }

  private func expectWords(_ error: LibraryError, in root: String, _ comment: String) {
    #expect("\(error)".contains(root), "\(comment): \(error)")
    #expect(hasWayOut(error.message), "\(comment): \(error)")
  }

  @Test("After any damage, every error names a path of the library or its copy and the way out")
  func damages() throws {
    let world = try RecoveryWorld()
    var failures = 0
    for damage in Damage.allCases {
      for verb in [.read, .scanCopy, .repairCopy, .rebuildCopy, .eraseCopy] as [RecoveryVerb] {
        try world.reset()
        try damage.happen(to: world)
        do { try verb.run(in: world) } catch let error as LibraryError {
          failures += 1
          expectWords(error, in: world.root, "\(damage) \(verb)")
        }
      }
    }
    #expect(failures > 20)
  }

  @Test("A damaged page is reported with the catalogue's path and the way out") func damagedPages() throws {
    let world = try RecoveryWorld()
    try world.reset()
    let path = world.path("data/catalogue.sqlite")
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // All pages but the first, which has the schema.
    for index in bytes.indices where index >= 4_096 { bytes[index] = 0x5A }
    try bytes.write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: LibraryError.self) {
      let library = try Library.open(at: world.location, for: .reading)
      defer { try? library.close() }
      _ = try library.catalogue.newest(.all, after: nil, limit: 50)
    }
    #expect(error?.code == .corrupt)
    if let error { expectWords(error, in: path, "pages") }
  }

  @Test("A library that is open for reading, in use or closed names its folder") func wrongUse() throws {
    let world = try RecoveryWorld()
    try world.reset()
    let reader = try Library.open(at: world.location, for: .reading)
    defer { try? reader.close() }
    let file = try #require(try reader.catalogue.file(at: PathBytes("/r/1.jpg")))
    let writer = try Library.open(at: world.location, for: .writing)
    for (name, call) in [
      ("label", { try reader.catalogue.setText(of: file.id, title: nil, caption: nil) }),
      ("erase", { try reader.erase(.file(file.id)) }),
      ("repair", { _ = try reader.repair() }),
      ("back up", { try writer.backUp() }),
      ("second writer", { _ = try Library.open(at: world.location, for: .writing) }),
      ("unknown", { try writer.catalogue.setText(of: FileID(rawValue: .max), title: nil, caption: nil) }),
    ] as [(String, () throws -> Void)] {
      let error = #expect(throws: LibraryError.self, "\(name)") { try call() }
      if let error { expectWords(error, in: world.path("data"), name) }
    }
    try writer.close()
    let error = #expect(throws: LibraryError.self) { _ = try writer.catalogue.newest(.all, after: nil, limit: 1) }
    if let error { expectWords(error, in: world.path("data"), "closed") }
  }
}
