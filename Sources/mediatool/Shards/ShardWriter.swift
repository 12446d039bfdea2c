internal import Crypto
internal import FileSupport
internal import MediaModel

/// The numbers in the statistics of a shard.
struct ShardCounts: Sendable {
  var inputs = 0
  var failed = 0
  var codes: [String: Int] = [:]
  var images = 0
  /// What was fetched of remote sources; nil without any.
  var fetched: (bytes: Int, requests: Int)?

  mutating func count(_ sample: ShardJob.Sample) {
    inputs += 1
    images += sample.images.count
    if let more = sample.fetched {
      fetched = ((fetched?.bytes ?? 0) + more.bytes, (fetched?.requests ?? 0) + more.requests)
    }
    guard let error = sample.record.error else { return }
    failed += 1
    codes[error.code.rawValue, default: 0] += 1
  }
}

extension ShardJob.Sample {
  /// The members of the tar file. WebDataset skips names like `__failed__/…`: a sample without an image would end a training.
  var members: [UInt8] {
    let json = Array((line + "\n").utf8)
    if images.isEmpty { return TarWriter.member("__failed__/\(record.key).json", json) }
    return zip(record.renditions, images).reduce(into: TarWriter.member("\(record.key).json", json)) { bytes, image in
      bytes += TarWriter.member(image.0.file, image.1)
    }
  }
}

/// The files of a shard while they are written: both appear under their names when they are complete, and the statistics after them.
struct ShardWriter {
  private let shard: ShardName
  private let store: any ShardStore
  private let tar: HashedFile
  private let results: HashedFile
  private(set) var counts = ShardCounts()

  init(_ shard: ShardName, in store: any ShardStore) throws {
    (self.shard, self.store) = (shard, store)
    tar = HashedFile(try store.begin(shard.tar))
    results = HashedFile(try store.begin(shard.results))
  }

  mutating func append(_ sample: ShardJob.Sample) throws {
    try tar.append(sample.members)
    try results.append(Array((sample.line + "\n").utf8))
    counts.count(sample)
  }

  /// Removes what was written.
  func abandon() {
    tar.abandon()
    results.abandon()
  }

  /// Puts the files in place, and then the statistics that `make` returns for them.
  func commit(
    _ make: (ShardCounts, _ tar: ShardStatistics.File, _ results: ShardStatistics.File) throws -> ShardStatistics
  ) throws -> ShardStatistics {
    try tar.append(TarWriter.end)
    var statistics = try make(counts, tar.described, results.described)
    // Another run of the same task may have finished first: its shard stays, or a kill of this run would undo what that one has reported.
    if let other = try store.statistics(of: shard), other.describesSame(as: statistics),
      try store.hasFiles(of: shard, other, reads: false)
    {
      abandon()
      return other
    }
    do {
      try place(&statistics)
      return statistics
    } catch {
      // An equal run may have put its files between these, which a bucket reports as objects that were replaced: the shard is done all the same.
      guard let other = try? store.statistics(of: shard), other.describesSame(as: statistics),
        (try? store.hasFiles(of: shard, other, reads: false)) == true
      else { throw error }
      abandon()
      return other
    }
  }

  private func place(_ statistics: inout ShardStatistics) throws {
    // Statistics of other files must not describe these: without them the shard is not done, whenever the process ends.
    try store.remove(shard.statistics)
    statistics.tar.stamp = try tar.commit()
    statistics.results?.stamp = try results.commit()
    let line = try JSONLine.text(statistics)
    try store.write(Array((line + "\n").utf8), to: shard.statistics)
    // Two runs with different bytes may have mixed their files: statistics come last, so the one whose statistics stay sees it here at the latest.
    guard try store.hasFiles(of: shard, statistics, reads: false) else {
      throw Fault(
        .software,
        "another run replaced files of shard \(DisplayText.visible(shard.text)) in \(store.shown); the shard is incomplete; run the command again"
      )
    }
  }
}

/// A file that appears when it is complete, with its digest.
private final class HashedFile {
  private let file: any ShardFile
  private var hash = SHA256()
  private var count = 0

  init(_ file: any ShardFile) { self.file = file }

  func append(_ bytes: [UInt8]) throws {
    try file.append(bytes)
    hash.update(data: bytes)
    count += bytes.count
  }

  var described: ShardStatistics.File {
    ShardStatistics.File(bytes: count, sha256: Hexadecimal.encode(hash.finalize()))
  }

  func commit() throws -> String? { try file.commit() }

  func abandon() { file.abandon() }
}
