internal import GRDB

/// Reads a table in the order of an integer key, also past pages that cannot be read.
struct DamagedTable {
  /// Number of rows that are read at once.
  static let batch = 1_000
  /// Number of keys after a damaged page that are tried one by one, before the distance doubles. A page of files has some thirty.
  private static let nearby: Int64 = 2_048

  typealias Reading = (_ after: Int64, _ limit: Int, _ isTrial: Bool) throws -> Int64?

  /// Reads all rows that can be read.
  /// - Parameter read: Reads up to `limit` rows whose key is greater than `after`, and returns the last key; nil if there are no more rows. If it
  ///   throws, it has kept nothing of these rows. With `isTrial`, the same rows are read again later.
  /// - Returns: The ranges of keys that could not be read, in order.
  static func read(_ read: Reading) throws -> [ClosedRange<Int64>] {
    var (after, limit): (Int64, Int) = (0, batch)
    var gaps: [ClosedRange<Int64>] = []
    while after < .max {
      switch try attempt(after, limit, isTrial: false, read) {
      case .last(let key):
        after = key
        limit = min(limit * 4, batch)
      case .end:
        return gaps
      case .damaged where limit > 1:
        limit = max(1, limit / 8)
      case .damaged:
        let last = try lastUnreadable(after, read)
        gaps.append(after + 1...last)
        after = last
      }
    }
    return gaps
  }

  private enum Outcome {
    case last(Int64)
    case end
    case damaged
  }

  private static func attempt(_ after: Int64, _ limit: Int, isTrial: Bool, _ read: Reading) throws -> Outcome {
    do {
      guard let key = try read(after, limit, isTrial) else { return .end }
      // A damaged page may have any keys.
      return key > after ? .last(key) : .damaged
    } catch let error as DatabaseError where error.isDamage {
      return .damaged
    }
  }

  /// The greatest key after which no row can be read, so that the next key can be.
  private static func lastUnreadable(_ start: Int64, _ read: Reading) throws -> Int64 {
    func isReadable(_ after: Int64) throws -> Bool {
      if case .damaged = try attempt(after, 1, isTrial: true, read) { return false }
      return true
    }
    // A damaged page may have keys that no row has.
    guard start < .max - 2 * nearby else { return .max }
    for key in start + 1...start + nearby where try isReadable(key) { return key }
    var (bad, distance) = (start + nearby, nearby)
    while true {
      guard distance <= (.max - bad) / 2 else { return .max }
      distance *= 2
      guard try isReadable(bad + distance) else {
        bad += distance
        continue
      }
      var good = bad + distance
      while good - bad > 1 {
        let middle = bad + (good - bad) / 2
        if try isReadable(middle) { good = middle } else { bad = middle }
      }
      return good
    }
  }
}

extension DatabaseError {
  /// Whether a part of the database cannot be read: a damaged page, or a block of the disk.
  var isDamage: Bool {
    resultCode == .SQLITE_CORRUPT || extendedResultCode == .SQLITE_IOERR_READ
      || extendedResultCode == .SQLITE_IOERR_SHORT_READ
  }
}
