internal import FileSupport
internal import Foundation
internal import MediaModel

@testable internal import MediaLibrary

/// What the commands of mediatool do with a library, without the program.
enum RecoveryVerb: String, CaseIterable, Sendable {
  case scan
  case scanCopy
  case read
  case verify
  case verifyCopy
  case repair
  case repairCopy
  case repairAdopting
  case rebuild
  case rebuildAnyway
  case rebuildCopy
  case rebuildCopyAnyway
  case rebuildAdopting
  case erase
  case eraseCopy
  case eraseOwnerCopy
  case drafts

  func run(in world: RecoveryWorld) throws {
    var options = Library.Options()
    options.patience = 1
    if hasCopy { options.copy = world.copy }
    options.adoptsCopy = self == .repairAdopting || self == .rebuildAdopting
    switch self {
    case .scan, .scanCopy:
      let library = try Library.open(at: world.location, for: .creating, options: options)
      defer { try? library.close() }
      let run = try library.scanIndex.beginScan(of: [PathBytes("/r")], at: 5)
      try RecoveryWorld.add(9, to: library)
      try library.scanIndex.finishScan(run, at: 6)
      try library.backUp(afterScanWithChanges: true)
    case .read:
      let library = try Library.open(at: world.location, for: .reading, options: options)
      defer { try? library.close() }
      _ = try library.catalogue.newest(.all, after: nil, limit: 50)
      _ = try library.catalogue.search("title", in: .all, after: nil, limit: 50)
      _ = try library.catalogue.locations(in: .world, zoom: 5, of: .all)
      if let file = try library.catalogue.file(at: PathBytes("/r/1.jpg")) {
        for one in try library.catalogue.renditions(of: file.id) { _ = try one.digest.flatMap(library.store.read) }
      }
    case .verify, .verifyCopy:
      let library = try Library.open(at: world.location, for: .reading, options: options)
      defer { try? library.close() }
      _ = try library.verify()
    case .repair, .repairCopy, .repairAdopting:
      let library = try Library.open(at: world.location, for: .writing, options: options)
      defer { try? library.close() }
      try backUp(library, after: library.repair())
    case .rebuild, .rebuildAnyway, .rebuildCopy, .rebuildCopyAnyway, .rebuildAdopting:
      let isAccepted = self != .rebuild && self != .rebuildCopy
      let (library, report) = try Library.rebuild(
        at: world.location, options: options, accepting: { _ in isAccepted })
      defer { try? library.close() }
      try backUp(library, after: report)
    case .erase, .eraseCopy:
      let library = try Library.open(at: world.location, for: .writing, options: options)
      defer { try? library.close() }
      if let file = try library.catalogue.file(at: PathBytes(RecoveryWorld.erased)) {
        try library.erase(.file(file.id))
      }
    case .eraseOwnerCopy:
      let library = try Library.open(at: world.location, for: .writing, options: options)
      defer { try? library.close() }
      try library.erase(.owner("nobody of this name"))
    case .drafts:
      let store = DraftStore(folder: world.path("data/drafts"))
      _ = try store.keys()
      _ = try store.load(.thread("t"))
    }
  }

  /// Whether a fact or a content belongs to what this command erases.
  func erases(_ text: String) -> Bool {
    guard self == .erase || self == .eraseCopy else { return false }
    return text.contains(RecoveryWorld.erased) || text.hasPrefix("rendition 5") || text.hasPrefix("facts 06000000")
  }

  private var hasCopy: Bool {
    switch self {
    case .scan, .read, .verify, .repair, .rebuild, .rebuildAnyway, .erase, .drafts: false
    default: true
    }
  }

  private func backUp(_ library: Library, after report: Library.VerificationReport) throws {
    guard library.options.copy != nil, report.problems.values.reduce(0, +) == report.repaired else { return }
    try library.backUp()
  }
}
