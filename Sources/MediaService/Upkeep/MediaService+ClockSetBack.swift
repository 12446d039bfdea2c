internal import GRDB

extension MediaService {
  /// Ends what would last longer than its lifetime because the clock was set back: a time in the future becomes the present, and an end that is
  /// more than a lifetime ahead is a lifetime ahead. Nothing ends earlier than it would with a new start.
  ///
  /// Signed URLs and tokens state when they end, and rate limits do not read this clock.
  func boundLifetimes(at now: Int) async throws(ServiceError) {
    let (open, answer) = (now + configuration.limits.uploadLifetime, now + configuration.limits.answerLifetime)
    try await ServiceError.mapping {
      try await database.write { db in
        try db.execute(sql: "UPDATE idempotency SET created = ?1 WHERE created > ?1", arguments: [now])
        try db.execute(sql: "UPDATE draft SET changed = ?1 WHERE changed > ?1", arguments: [now])
        try db.execute(
          sql: """
            UPDATE upload SET expires = CASE WHEN state IN ('receiving', 'examining') THEN ?1 ELSE ?2 END
            WHERE expires > min(?1, ?2) AND expires > CASE WHEN state IN ('receiving', 'examining') THEN ?1 ELSE ?2 END
            """, arguments: [open, answer])
      }
    }
  }
}
