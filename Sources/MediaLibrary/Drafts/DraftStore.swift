public import AttachmentPolicy

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Drafts on disk, with the files that belong to them.
///
/// Whatever is saved is whole: it is written beside its place, synced, and moved there. A process that is killed, or a machine that
/// stops, leaves the old draft or the new one. When ``save(_:for:)`` has returned, the new one is on the disk (R-TRAY-24).
///
/// A folder a draft, called by the digest of its key, so that no name of a thread or a client ever becomes part of a path.
/// Blocking; a value of this type may be used from many threads, and a folder by many processes.
public struct DraftStore: Sendable {
  /// Whether drafts are kept.
  public enum Keeping: Sendable {
    /// On disk, until they are removed or swept.
    case onDisk
    /// Not at all: saving removes what was there (R-MAIL-2).
    case none
  }

  /// Where the drafts lie.
  public let folder: String
  /// Whether drafts are kept.
  public let keeping: Keeping

  /// Drafts in that folder, which is made when the first is saved.
  public init(folder: String, keeping: Keeping = .onDisk) {
    self.folder = folder
    self.keeping = keeping
  }

  /// What stands in a draft's file. The draft has its own version; keys may be added here.
  struct Envelope: Codable {
    var key: DraftKey
    var draft: AttachmentDraft
  }

  /// Saves a draft in place of the one that is there. An empty one is not kept, and neither is what was there before it (R-MMS-9).
  public func save(_ draft: AttachmentDraft, for key: DraftKey) throws(DraftStoreError) {
    guard keeping == .onDisk, !draft.isEmpty else { return try remove(key) }
    let bytes: [UInt8]
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      // JSON has no such numbers; a draft is not lost for a length that is none.
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      bytes = [UInt8](try encoder.encode(Envelope(key: key, draft: draft)))
    } catch {
      throw .unreadable(reason: "\(error)")
    }
    try withLock(.shared) { () throws(DraftStoreError) in
      try DraftFolders.makeDraft(path(of: key))
      try DraftFiles.write(bytes, to: Self.draftName, in: path(of: key))
    }
  }

  /// The draft of that key; nil when there is none.
  public func load(_ key: DraftKey) throws(DraftStoreError) -> AttachmentDraft? {
    try envelope(in: path(of: key))?.draft
  }

  /// Removes a draft and its files; one that is not there is as good (A35).
  public func remove(_ key: DraftKey) throws(DraftStoreError) {
    let draftFolder = path(of: key)
    guard try DraftFolders.isFolder(draftFolder) else { return }
    // Nobody saves meanwhile: what is written beside its place would be taken away before it gets there.
    try withLock(.exclusive) { () throws(DraftStoreError) in try DraftFolders.removeDraft(draftFolder) }
  }

  /// The keys of all drafts that can be read, in no order.
  public func keys() throws(DraftStoreError) -> [DraftKey] {
    var keys: [DraftKey] = []
    for name in try DraftFolders.names(in: folder) where Self.isDigest(name) {
      if let envelope = try? envelope(in: "\(folder)/\(name)") { keys.append(envelope.key) }
    }
    return keys
  }

  /// Calls `body` with every draft that can be read, in no order. One that cannot be, or has just gone, holds nothing that could be found in it.
  func eachDraft(_ body: (DraftKey, AttachmentDraft) throws -> Void) throws {
    for name in try DraftFolders.names(in: folder) where Self.isDigest(name) {
      if let envelope = try? envelope(in: "\(folder)/\(name)") { try body(envelope.key, envelope.draft) }
    }
  }

  /// Reads the draft in a folder; nil when there is none.
  func envelope(in folder: String) throws(DraftStoreError) -> Envelope? {
    guard let bytes = try DraftFiles.read("\(folder)/\(Self.draftName)") else { return nil }
    do {
      let decoder = JSONDecoder()
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      return try decoder.decode(Envelope.self, from: Data(bytes))
    } catch {
      throw .unreadable(reason: "\(error)")
    }
  }

  static let draftName = "draft.json"

  /// Whether a name in a draft's folder is one that the store gives: to the draft, to the file of an attachment, or to what is being written.
  static func isOurs(_ name: String) -> Bool {
    name == draftName || name.hasPrefix(filePrefix) && isDigest(name.dropFirst(filePrefix.count))
      || name.hasPrefix(".") && name.hasSuffix(".tmp")
  }

  static let filePrefix = "file-"

  func path(of key: DraftKey) -> String {
    switch key {
    case .thread(let name): "\(folder)/\(DraftFiles.digest("thread\0\(name)"))"
    case .unthreaded(let name): "\(folder)/\(DraftFiles.digest("unthreaded\0\(name)"))"
    }
  }

  /// Whether a name is one that ``path(of:)`` gives: nothing else in the folder is ours.
  static func isDigest(_ name: some StringProtocol) -> Bool {
    name.utf8.count == 64 && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
