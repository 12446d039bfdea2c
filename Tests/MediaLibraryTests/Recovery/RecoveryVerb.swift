internal import FileSupport
internal import Foundation
internal import MediaModel

@testable internal import MediaLibrary

/// What the commands do with a library, each with and without the copy, without `mediatool` itself.
enum RecoveryVerb: String, CaseIterable, Sendable {
  case scan
  case scanCopy
  case read
  case verify
  case verifyCopy
  case verifyPart
  case verifyPartCopy
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
  case eraseCollectionCopy
  case eraseVanishedCopy
  case set
  case moments
  case trip
  case moderate
  case upload
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
    case .verifyPart, .verifyPartCopy:
      let library = try Library.open(at: world.location, for: .reading, options: options)
      defer { try? library.close() }
      _ = try library.verify(atMost: 20, at: 5)
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
    case .eraseOwnerCopy, .eraseCollectionCopy, .eraseVanishedCopy:
      let library = try Library.open(at: world.location, for: .writing, options: options)
      defer { try? library.close() }
      // There is nothing of it.
      let scope: ErasureRequest.Scope =
        switch self {
        case .eraseCollectionCopy: .collection("no collection of this name", owner: "ann")
        case .eraseVanishedCopy: .vanished
        default: .owner("nobody of this name")
        }
      try library.erase(scope)
    case .set, .moments, .trip, .moderate, .upload:
      let library = try Library.open(at: world.location, for: .writing, options: options)
      defer { try? library.close() }
      try change(library, world)
    case .drafts:
      let store = DraftStore(folder: world.path("data/drafts"))
      _ = try store.keys()
      _ = try store.load(.thread("t"))
    }
  }

  /// Adds something, and takes away only that.
  private func change(_ library: Library, _ world: RecoveryWorld) throws {
    let file = try library.catalogue.file(at: PathBytes(RecoveryWorld.erased))
    switch self {
    case .set:
      // The one without a title.
      if let file { try library.catalogue.setText(of: file.id, title: "new title", caption: nil) }
    case .moments:
      // Of an owner without an open trip, which would take the moment.
      let new = try library.moments.add([Moment.New(owner: "zoe", note: "new", posted: 9)])
      _ = try library.moments.newest(.owner("ann"), after: nil, limit: 50)
      _ = try library.moments.locations(in: .world, zoom: 5, of: .owner("ann"))
      try library.erase(.moments(new, owner: "zoe"))
    case .trip:
      let trip = try library.moments.add(Trip.New(owner: "ann", title: "new", started: 9))
      _ = try library.moments.trips(of: ["ann"], after: nil, limit: 50)
      try library.erase(.trip(trip.id, owner: "ann", withMoments: true))
    case .moderate:
      if let file {
        try library.moderation.quarantine([file.id], reason: "test", by: "moderator", at: 9)
        try library.moderation.release([file.id], by: "moderator", at: 9)
      }
      _ = try library.moderation.audit(after: nil, limit: 50)
    case .upload:
      let path = world.path("upload")
      try Data("new original".utf8).write(to: URL(fileURLWithPath: path))
      let stamp = try library.keepOriginal(at: PathBytes(path), owner: "ann")
      try library.scanIndex.apply([
        .done(stamp, FileResult(info: TestLibrary.photo(), digest: TestLibrary.digest(99), engine: "e"))
      ])
    default: break
    }
  }

  /// Whether a fact or a content belongs to what this command erases.
  func erases(_ text: String) -> Bool {
    guard self == .erase || self == .eraseCopy else { return false }
    return text.contains(RecoveryWorld.erased) || text.hasPrefix("rendition 5") || text.hasPrefix("facts 06000000")
  }

  private var hasCopy: Bool {
    switch self {
    case .scan, .read, .verify, .verifyPart, .repair, .rebuild, .rebuildAnyway, .erase, .drafts: false
    case .set, .moments, .trip, .moderate, .upload: false
    default: true
    }
  }

  private func backUp(_ library: Library, after report: Library.VerificationReport) throws {
    guard library.options.copy != nil, report.problems.values.reduce(0, +) == report.repaired else { return }
    try library.backUp()
  }
}
