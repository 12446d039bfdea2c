internal import AttachmentPolicy
internal import Foundation
internal import GRDB
internal import MMSCodec
internal import Messaging

/// One transaction: its database, its time, and the changes to report when it is on the disk. Used by the thread of the transaction only.
final class MessageWriter {
  let db: Database
  let options: MessageStore.Options
  let now: Double
  private(set) var changes: [MessageStore.Change] = []
  /// Why a state machine refuses an event; what it changed is stored all the same.
  var refusal: MessageErrorCode?
  /// Whether messages are deleted.
  var deletesMessages = false

  init(_ db: Database, options: MessageStore.Options) {
    (self.db, self.options, now) = (db, options, options.now())
  }

  func note(_ change: MessageStore.Change) { changes.append(change) }

  func note(_ id: MessageStore.Message.ID, in thread: MessageStore.Thread.ID) {
    changes += [.message(id, in: thread), .thread(thread)]
  }

  func execute(_ sql: String, _ arguments: StatementArguments = StatementArguments()) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// The settings of the store.
  func settings() throws -> MessageSettings { try MessageRows.settings(db) }
}

/// JSON of the values that are stored as a whole.
enum StoredJSON {
  static func data(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try encoder.encode(value)
  }

  static func value<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(type, from: data)
  }
}
