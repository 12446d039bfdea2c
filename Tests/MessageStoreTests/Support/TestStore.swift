internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import GRDB
internal import MediaModel
internal import Messaging
internal import Synchronization
internal import TestSupport
internal import Testing

@testable internal import MessageStore

/// A time and network conditions that tests set.
final class Phone: Sendable {
  private let state = Mutex((now: 1_000.0, conditions: NetworkConditions()))

  var now: Double {
    get { state.withLock { $0.now } }
    set { state.withLock { $0.now = newValue } }
  }
  var conditions: NetworkConditions {
    get { state.withLock { $0.conditions } }
    set { state.withLock { $0.conditions = newValue } }
  }
}

/// A store in a folder of its own.
struct TestStore {
  let folder: TemporaryFolder
  let phone = Phone()
  private(set) var store: MessageStore
  private let change: @Sendable (inout MessageStore.Options) -> Void

  init(_ change: @escaping @Sendable (inout MessageStore.Options) -> Void = { _ in }) throws {
    folder = try TemporaryFolder()
    self.change = change
    store = try Self.open(folder, phone, change)
  }

  /// A store with these files, as ``closedFiles()`` returned them.
  init(files: [String: [UInt8]]) throws {
    folder = try TemporaryFolder()
    change = { _ in }
    for (name, bytes) in files { try folder.write(bytes, to: "messages/\(name)") }
    store = try Self.open(folder, phone, change)
  }

  /// Closes the store, and returns the bytes of all its files by their names.
  func closedFiles() throws -> [String: [UInt8]] {
    try store.close()
    let base = folder.url.appendingPathComponent("messages")
    var files: [String: [UInt8]] = [:]
    for name in FileManager.default.subpaths(atPath: base.path) ?? [] {
      let url = base.appendingPathComponent(name)
      guard try url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
      files[name] = try [UInt8](Data(contentsOf: url))
    }
    return files
  }

  /// Opens it as another process would.
  mutating func restart() throws {
    try store.close()
    store = try Self.open(folder, phone, change)
  }

  private static func open(
    _ folder: TemporaryFolder, _ phone: Phone, _ change: (inout MessageStore.Options) -> Void
  ) throws -> MessageStore {
    var options = MessageStore.Options()
    options.now = { phone.now }
    options.conditions = { phone.conditions }
    change(&options)
    return try MessageStore(folder: PathBytes(folder.path("messages")), options: options)
  }

  /// A file with this text.
  func file(_ text: String) throws -> PathBytes {
    let path = folder.path("file-\(UUID().uuidString)")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return PathBytes(path)
  }

  /// The names of all files of messages and drafts.
  var storedFiles: [String] {
    let base = URL(fileURLWithPath: folder.path("messages/parts"))
    let names = FileManager.default.enumerator(at: base, includingPropertiesForKeys: [.isRegularFileKey])
    return (names?.compactMap { $0 as? URL } ?? []).filter { !$0.hasDirectoryPath }.map(\.path).sorted()
  }

  var thread: MessageStore.Thread {
    get throws { try #require(try store.threads().first) }
  }

  /// Changes the database behind the store's back.
  func damage(_ sql: String) throws { try store.pool.write { try $0.execute(sql: sql) } }

  /// Number of requests in the outbox of this kind.
  func waiting(_ kind: OutboxKind) throws -> Int {
    try store.read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM outbox WHERE kind = ?", arguments: [kind.rawValue]) ?? 0
    }
  }
}

/// Messages to send.
enum Sample {
  static let ann = "+1 555 123 4567"
  static let ben = "+1 555 765 4321"

  static func text(_ text: String, to people: String...) -> MessageComposition {
    MessageComposition(content: [.text(text)], recipients: people.map { MessageRecipient($0) })
  }

  static func photo(_ id: MediaAttachment.ID = "photo", bytes: Int = 5) -> MediaAttachment {
    MediaAttachment(id: id, name: "\(id).jpg", info: MediaInfo(type: .jpeg, bytes: bytes))
  }

  /// Text, photo, text.
  static func picture(to people: String..., subject: String? = nil) -> MessageComposition {
    MessageComposition(
      content: [.text("before"), .attachment(AttachmentDraft.Item(photo())), .text("after")],
      recipients: people.map { MessageRecipient($0) }, subject: subject)
  }
}
