internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import MediaModel

@testable internal import MediaLibrary

/// A library with a copy, at the same path in every case, because a catalogue has the absolute paths of originals.
///
/// Eight files with titles, captions, owners and renditions, three originals, a draft, and a trip with a photo and a note. One file is newer than the snapshot, and only in the
/// write-ahead log, as after a kill.
final class RecoveryWorld {
  private let folder: String
  /// The path of the one file that ``RecoveryVerb`` erases.
  static let erased = "/r/5.jpg"

  var root: String { "\(folder)/work" }
  var location: LibraryLocation {
    LibraryLocation(data: PathBytes(path("data")), cache: PathBytes(path("cache")))
  }
  var copy: PathBytes { PathBytes(path("copy")) }

  init() throws {
    // In memory, where there is room: every case waits for the disk some dozen times.
    let memory = "/dev/shm"
    let base = FileManager.default.isWritableFile(atPath: memory) ? memory : FileManager.default.temporaryDirectory.path
    folder = "\(base)/mediatool-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    var options = Library.Options()
    options.copy = copy
    let library = try Library.open(at: location, for: .creating, options: options)
    for index in 0..<7 { try Self.add(index, to: library) }
    try library.catalogue.openCollection("trip", owner: "ann", title: "Trip", at: 5)
    for index in 0..<3 {
      let file = try library.catalogue.file(at: PathBytes("/r/\(index).jpg"))
      try library.catalogue.assign(
        [file].compactMap { $0?.id }, owner: index < 2 ? "ann" : "bob", collection: index < 2 ? .named("trip") : .none)
    }
    for (index, owner) in ["ann", "ann", "bob"].enumerated() {
      try keepOriginal(index, owner: owner, in: library)
    }
    try keepDraft(in: library)
    try Self.post(in: library)
    try library.backUp()
    try Self.add(7, to: library)
    // While it is open: with its log.
    try FileManager.default.copyItem(atPath: root, toPath: "\(folder)/template")
    try library.close()
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
    return "\(folder)/\(name)"
  }

  /// The path of something in the world.
  func path(_ name: String) -> String { "\(root)/\(name)" }

  /// A state of all of it.
  enum State: String {
    case template, kept
  }

  /// Keeps it as it is now, for ``reset(to:)``.
  func keep() throws {
    let path = "\(folder)/\(State.kept.rawValue)"
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: root, toPath: path)
  }

  /// Makes all of it as it was.
  func reset(to state: State = .template) throws {
    try? FileManager.default.removeItem(atPath: root)
    try FileManager.default.copyItem(atPath: "\(folder)/\(state.rawValue)", toPath: root)
  }

  /// Adds a file as a scan does.
  static func add(_ index: Int, to library: Library) throws {
    let address = try library.store.put(Array("rendition \(index)".utf8))
    let path = "/r/\(index).jpg"
    let grid = StoredRendition(
      name: "grid", address: address, type: .webp, width: 1, height: 1, bytes: 11, from: .image)
    try library.scanIndex.apply([
      TestLibrary.done(
        path, inode: UInt64(index + 1), at: (Double(index), 10), digest: index + 1, renditions: [grid])
    ])
    guard path != erased, let file = try library.catalogue.file(at: PathBytes(path)) else { return }
    try library.catalogue.setText(of: file.id, title: "title \(index)", caption: "caption \(index)")
  }

  /// Adds a trip with a photo and a note.
  private static func post(in library: Library) throws {
    try library.moments.add(Trip.New(owner: "ann", title: "journey", started: 5))
    guard let file = try library.catalogue.file(at: PathBytes("/r/1.jpg")) else { return }
    try library.moments.add([
      Moment.New(owner: "ann", file: file.id, posted: 7), Moment.New(owner: "ann", note: "written", posted: 8),
    ])
  }

  private func keepOriginal(_ index: Int, owner: String, in library: Library) throws {
    let upload = try write("original \(index)", to: "upload")
    let stamp = try library.keepOriginal(at: PathBytes(upload), owner: owner)
    try library.scanIndex.apply([
      .done(stamp, FileResult(info: TestLibrary.photo(), digest: TestLibrary.digest(50 + index), engine: "e"))
    ])
    guard let file = try library.catalogue.file(at: stamp.path) else { return }
    try library.catalogue.assign([file.id], owner: owner, collection: .none)
  }

  private func keepDraft(in library: Library) throws {
    var draft = AttachmentDraft(text: "look")
    _ = draft.add([MediaAttachment(id: "one", asset: nil, info: TestLibrary.photo())], under: AttachmentRules())
    let kept = try write("attachment", to: "upload")
    try library.drafts.keepFile(at: kept, of: "one", for: .thread("t"))
    try library.drafts.save(draft, for: .thread("t"))
  }
}
