internal import GRDB
internal import Synchronization

/// The blocked images of a catalogue in memory: 9 bytes each, so that an upload is compared with a million of them without reading their rows.
///
/// Each block and its end is an entry of the audit trail, in the same transaction: rows are read again when the trail has a later one, also if another process
/// wrote it. Reasons stay in the database.
final class BlockedImages: Sendable {
  private struct State {
    /// The last entry about an image that the rows have.
    var entry: Int64
    var hashes = ImageHashes()
    var distances: [UInt8] = []
  }

  private struct Memory {
    var kept: State?
    var resets = 0
  }

  private let memory = Mutex(Memory())
  /// Number of blocks that are kept. More of them are read for each search.
  private let limit: Int

  init(limit: Int = 4_000_000) { self.limit = limit }

  /// Number of calls of ``reset()``.
  var resets: Int { memory.withLock { $0.resets } }

  /// The blocked image to which an image is nearest, within the distance of its block; of equally near ones the first in the order of their rows. Nil if there is none.
  /// - Parameter resets: ``resets`` before the transaction of `db` began: rows that it reads are kept only if none was repaired since.
  func nearest(to hash: Moderation.ImageHash, after resets: Int, _ db: Database) throws -> Moderation.ImageHash? {
    let sql = "SELECT id FROM audit INDEXED BY audit_image WHERE image IS NOT NULL ORDER BY id DESC LIMIT 1"
    let entry = try Int64.fetchOne(try db.cachedStatement(sql: sql)) ?? 0
    let current = try memory.withLock { memory in
      if let kept = memory.kept, kept.entry == entry { return kept }
      let read = try Self.read(at: entry, db)
      // A reader of an earlier state of the database does not replace a later one.
      let isLater = memory.kept.map { $0.entry < entry } ?? true
      if isLater, read.hashes.count <= limit, memory.resets == resets { memory.kept = read }
      return read
    }
    return Self.nearest(to: hash, in: current)
  }

  /// Reads the rows again at the next search: some were repaired, of which the audit trail has no entry.
  func reset() {
    memory.withLock { memory in
      memory.kept = nil
      memory.resets += 1
    }
  }

  private static func read(at entry: Int64, _ db: Database) throws -> State {
    var state = State(entry: entry)
    let rows = try Row.fetchCursor(db, sql: "SELECT hash, distance FROM blocked_image ORDER BY id")
    while let row = try rows.next() {
      state.hashes.append(Moderation.ImageHash(bits: UInt64(bitPattern: try row.decode(Int64.self, atIndex: 0))))
      // A damaged distance blocks what the largest one does.
      state.distances.append(UInt8(clamping: try row.decode(Int.self, atIndex: 1)))
    }
    return state
  }

  private static func nearest(to hash: Moderation.ImageHash, in state: State) -> Moderation.ImageHash? {
    var nearest: (position: Int, distance: Int)?
    state.hashes.search(hash, within: Moderation.ImageHash.maxDistance) { position, distance in
      guard distance <= Int(state.distances[position]), nearest.map({ distance < $0.distance }) ?? true else { return }
      nearest = (position, distance)
    }
    return nearest.map { state.hashes[$0.position] }
  }
}
