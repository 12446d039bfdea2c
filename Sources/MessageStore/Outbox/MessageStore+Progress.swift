internal import Foundation
internal import GRDB
internal import MMSCodec
internal import Messaging

extension MessageStore {
  /// The least step of progress that is stored: each waits for the disk.
  private static let minStep = 0.05

  /// Stores how much of a message was downloaded (R-MMS-49), unless it is hardly more than what is stored.
  /// - Parameters:
  ///   - received: Bytes so far.
  ///   - total: Bytes in all; nil for the size that the notification states.
  ///   - job: The download. Does nothing once it has ended.
  func storeProgress(_ received: Int, of total: Int?, by job: OutboxJob) throws(Failure) {
    guard let id = job.message else { return }
    let row = try read { db in
      try Row.fetchOne(
        db,
        sql: """
          SELECT CAST(machine AS BLOB) AS machine, CAST(notice AS BLOB) AS notice FROM message
          WHERE id = ? AND incoming AND EXISTS (SELECT 1 FROM outbox WHERE id = ? AND lease = 1)
          """, arguments: [id.rawValue, job.id])
    }
    guard let row, let machine: Data = row["machine"],
      var retrieval = try? StoredJSON.value(MessageRetrieval.self, machine)
    else { return }
    let notice = (row["notice"] as Data?).flatMap { try? MMSMessage(decoding: [UInt8]($0)) }
    let event = MessageRetrieval.Event.progress(received: received, total: total ?? notice?[.messageSize])
    let before = retrieval.progress
    _ = retrieval.handle(event, at: options.now())
    guard let progress = retrieval.progress, progress != before else { return }
    if let before, abs(progress - before) < Self.minStep, progress < 1 { return }
    try write { writer in try writer.handle(event, of: id) }
  }
}

extension MessageWriter {
  /// Sets the progress of a download back that is made again.
  func restartProgress(of id: MessageStore.Message.ID) throws {
    guard let row = try machineRow(id), row.isIncoming,
      let retrieval = try? StoredJSON.value(MessageRetrieval.self, row.machine), retrieval.progress != nil
    else { return }
    try handle(MessageRetrieval.Event.progress(received: 0, total: retrieval.totalBytes), of: id)
  }
}
