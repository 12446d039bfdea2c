public import AttachmentPolicy
internal import Foundation
internal import GRDB
internal import Messaging

extension MessageStore {
  /// Removes an asset from all drafts in one step, because it is erased in its library. A draft that has nothing else is removed. A draft that cannot
  /// be read keeps it.
  /// - Returns: The number of drafts that had it.
  @discardableResult
  public func removeAsset(_ asset: AssetID) throws(Failure) -> Int {
    let count = try write { writer in try writer.removeAsset(asset) }
    // The change is stored; what is left is removed by the next call or start.
    try? removeGarbage()
    return count
  }
}

extension MessageWriter {
  func removeAsset(_ asset: AssetID) throws -> Int {
    var count = 0
    for id in try Int64.fetchAll(db, sql: "SELECT id FROM draft ORDER BY id") {
      let data = try Data.fetchOne(db, sql: "SELECT CAST(message AS BLOB) FROM draft WHERE id = ?", arguments: [id])
      guard let draft = data.flatMap({ try? StoredJSON.value(MessageDraft.self, $0) }) else { continue }
      let message = MessageComposition(draft)
      guard message.attachments.contains(where: { $0.asset == asset }) else { continue }
      let content = message.content.filter { item in
        if case .attachment(let item) = item { item.attachment.asset != asset } else { true }
      }
      let rest = MessageComposition(content: content, recipients: message.recipients, subject: message.sentSubject)
      _ = try saveDraft(rest, in: .draft(MessageStore.Draft.ID(rawValue: id)), files: [:])
      count += 1
    }
    return count
  }
}
