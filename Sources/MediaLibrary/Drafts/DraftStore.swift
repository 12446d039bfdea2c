public import AttachmentPolicy

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Drafts on disk, with their files.
///
/// Writes are atomic: a process that is killed, or a machine that stops, leaves the old draft or the new one. When ``save(_:for:owner:)`` has
/// returned, the new one is on the disk (R-TRAY-24).
///
/// Each draft has a folder, named by the digest of its key, so that no name of a thread or a client becomes part of a path. Blocking; a value
/// may be used from many threads, and a folder by many processes.
public struct DraftStore: Sendable {
  /// Whether drafts are kept.
  public enum Keeping: Sendable {
    /// On disk, until they are removed or swept.
    case onDisk
    /// Not stored; saving removes an existing draft (R-MAIL-2).
    case none
  }

  /// The path of the folder, in which each draft is a folder.
  public let folder: String
  /// Whether drafts are kept.
  public let keeping: Keeping

  /// A store in this folder, which is created when the first draft is saved.
  public init(folder: String, keeping: Keeping = .onDisk) {
    self.folder = folder
    self.keeping = keeping
  }

  /// The content of a draft's file. The draft has its own version; keys may be added here.
  struct Envelope: Codable {
    var key: Key
    var draft: AttachmentDraft
    /// Whose draft it is; nil if it was saved without an owner.
    var owner: String?
  }

  /// Saves a draft, and replaces the existing one. Saving an empty draft removes it (R-MMS-9).
  /// - Parameter owner: Whose draft it is: erasing this owner from the library removes it (``Library/erase(_:wiping:progress:)``). Default nil: the owner of the draft that it
  ///   replaces, if any.
  public func save(_ draft: AttachmentDraft, for key: Key, owner: String? = nil) throws(Failure) {
    guard keeping == .onDisk, !draft.isEmpty else { return try remove(key) }
    // One that cannot be read is replaced, too.
    let bytes = try encoded(draft, for: key, owner: owner ?? (try? envelope(in: path(of: key)))?.owner)
    try withLock(.shared) { () throws(Failure) in
      try DraftFolders.makeDraft(path(of: key))
      try DraftFiles.write(bytes, to: Self.draftName, in: path(of: key))
    }
  }

  func encoded(_ draft: AttachmentDraft, for key: Key, owner: String? = nil) throws(Failure) -> [UInt8] {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      // JSON has no such numbers, and an invalid duration must not lose a draft.
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      return [UInt8](try encoder.encode(Envelope(key: key, draft: draft, owner: owner)))
    } catch {
      throw .unreadable(reason: "\(error)")
    }
  }

  /// The draft of a key; nil if there is none.
  public func load(_ key: Key) throws(Failure) -> AttachmentDraft? {
    try envelope(in: path(of: key))?.draft
  }

  /// Removes a draft and its files. Does nothing if there is none (A35).
  public func remove(_ key: Key) throws(Failure) {
    let draftFolder = path(of: key)
    guard try DraftFolders.isFolder(draftFolder) else { return }
    // Locked, because the temporary file of a concurrent save would be removed too.
    try withLock(.exclusive) { () throws(Failure) in try DraftFolders.removeDraft(draftFolder) }
  }

  /// The keys of all readable drafts, in no order.
  public func keys() throws(Failure) -> [Key] {
    var keys: [Key] = []
    for name in try DraftFolders.names(in: folder) where Self.isDigest(name) {
      if let envelope = try? envelope(in: "\(folder)/\(name)") { keys.append(envelope.key) }
    }
    return keys
  }

  /// Reads the draft in a folder; nil if there is none.
  func envelope(in folder: String) throws(Failure) -> Envelope? {
    guard let bytes = try DraftFiles.read("\(folder)/\(Self.draftName)") else { return nil }
    do {
      let decoder = JSONDecoder()
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      return try decoder.decode(Envelope.self, from: Data(bytes))
    } catch {
      throw .unreadable(reason: "\(folder)/\(Self.draftName): \(error)")
    }
  }

  static let draftName = "draft.json"

  /// Whether a name in a draft's folder is one of the store's: the draft, the file of an attachment, or a temporary file.
  static func isOurs(_ name: String) -> Bool {
    name == draftName || name.hasPrefix(filePrefix) && isDigest(name.dropFirst(filePrefix.count)) || isTemporary(name)
  }

  static func isTemporary(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(".tmp") }

  static let filePrefix = "file-"

  func path(of key: Key) -> String {
    switch key {
    case .thread(let name): "\(folder)/\(DraftFiles.digest("thread\0\(name)"))"
    case .unthreaded(let name): "\(folder)/\(DraftFiles.digest("unthreaded\0\(name)"))"
    }
  }

  /// Whether a name is one that ``path(of:)`` creates; the store touches no other names.
  static func isDigest(_ name: some StringProtocol) -> Bool {
    name.utf8.count == 64 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
