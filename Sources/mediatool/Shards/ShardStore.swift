internal import Crypto
internal import FileSupport
internal import Foundation

/// Where the files of shards are: a folder, or the objects of a bucket below a prefix. Names are those of ``ShardName``.
protocol ShardStore: Sendable {
  /// Its name to the user.
  var shown: String { get }

  /// Size of a file in bytes, and its stamp (``ShardStatistics/File/stamp``); nil if there is none.
  func look(at name: String) throws -> (bytes: Int, stamp: String?)?

  /// Reads a file piece by piece until `body` returns false.
  /// - Returns: Whether there is such a file.
  func read(_ name: String, _ body: ([UInt8]) throws -> Bool) throws -> Bool

  /// Number of files that are read at once when many shards are listed.
  var readers: Int { get }

  /// What is there, by one listing.
  func contents() throws -> ShardContents

  /// Begins a file, which appears when it is complete.
  func begin(_ name: String) throws -> any ShardFile

  /// Writes a small file.
  func write(_ bytes: [UInt8], to name: String) throws

  /// Removes a file, if there is one.
  func remove(_ name: String) throws
}

/// The files of a store by its listing.
struct ShardContents: Sendable {
  /// A file as ``ShardStore/look(at:)`` has it.
  struct File: Hashable, Sendable {
    var bytes: Int
    var stamp: String
  }

  /// The names of all statistics.
  var statistics: [String] = []
  /// Tar files and results by name; without those of which the listing does not state both.
  var files: [String: File] = [:]
}

/// A file while it is written.
protocol ShardFile: AnyObject {
  func append(_ bytes: [UInt8]) throws

  /// Makes it appear.
  /// - Returns: Its stamp; nil if that is not known.
  func commit() throws -> String?

  /// Removes what was written of it.
  func abandon()
}

extension ShardStore {
  /// A file of the store to the user.
  func shown(_ name: String) -> String { "\(shown)\(shown.hasSuffix("/") ? "" : "/")\(name)" }

  /// The statistics of a shard; nil if it has none that can be read.
  func statistics(of shard: ShardName) throws -> ShardStatistics? {
    guard let bytes = try contents(of: shard.statistics, limit: 16_777_216) else { return nil }
    guard let found = try? JSONDecoder().decode(ShardStatistics.self, from: Data(bytes)) else { return nil }
    // Sums of them must not overflow.
    let numbers = [found.inputs, found.failed, found.images, found.requests ?? 0, found.bytesRead ?? 0]
    let isPossible = (numbers + found.codes.values).allSatisfy { (0...1 << 42).contains($0) }
    return isPossible && found.seconds.isFinite ? found : nil
  }

  /// Whether the files of a shard are those that its statistics describe. A file without its stamp is read and its digest compared: it may be a copy, or the file
  /// that another run of the shard has put there.
  /// - Parameters:
  ///   - reads: Whether digests are compared in any case.
  ///   - listed: Files by an earlier listing. They are looked at only if it does not agree with the statistics, which may be newer.
  func hasFiles(
    of shard: ShardName, _ statistics: ShardStatistics, reads: Bool, listed: [String: ShardContents.File] = [:]
  ) throws -> Bool {
    guard let results = statistics.results else { return false }
    return try [(shard.tar, statistics.tar), (shard.results, results)].allSatisfy { name, stated in
      if !reads, let file = listed[name], file.bytes == stated.bytes, file.stamp == stated.stamp { return true }
      guard let found = try look(at: name), found.bytes == stated.bytes else { return false }
      if !reads, let stamp = stated.stamp, stamp == found.stamp { return true }
      return try digest(of: name) == stated.sha256
    }
  }

  /// A file under a name of the shard that no run of this shard has made; nil if there is none.
  ///
  /// A run that was killed at its end leaves files without statistics: they are known by their first key.
  func foreignFile(in shard: ShardName) throws -> String? {
    if let bytes = try start(of: shard.tar), !bytes.isEmpty {
      let name = String(decoding: bytes.prefix(TarWriter.longestName).prefix { $0 != 0 }, as: UTF8.self)
      let isOurs = name.isEmpty || name.hasPrefix("\(shard.prefix)-") || name.hasPrefix("__failed__/\(shard.prefix)-")
      if !isOurs { return shard.tar }
    }
    // The id of a request comes before the key.
    if let bytes = try start(of: shard.results, bytes: 2 * PathList.longestRequest), !bytes.isEmpty {
      let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      if !line.contains("\"key\":\"\(shard.prefix)-") { return shard.results }
    }
    // The results of other tools have names like these, too.
    if let bytes = try start(of: shard.statistics), !bytes.isEmpty {
      let members = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
      let isOurs = members.map { $0.isEmpty || ($0["shard"] != nil && $0["recipe"] != nil) } ?? false
      if !isOurs { return shard.statistics }
    }
    return nil
  }

  /// The digest of a file; nil if there is none.
  private func digest(of name: String) throws -> String? {
    var hash = SHA256()
    let isThere = try read(name) { piece in
      hash.update(data: piece)
      return true
    }
    return isThere ? Hexadecimal.encode(hash.finalize()) : nil
  }

  /// The first bytes of a file, enough for its first line; nil if there is none.
  private func start(of name: String, bytes limit: Int = PathList.longest) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    let isThere = try read(name) { piece in
      bytes += piece
      return bytes.count < limit
    }
    return isThere ? bytes : nil
  }

  /// A whole file; nil if there is none, or if it is larger.
  private func contents(of name: String, limit: Int) throws -> [UInt8]? {
    var bytes: [UInt8] = []
    let isThere = try read(name) { piece in
      bytes += piece
      return bytes.count <= limit
    }
    return isThere && bytes.count <= limit ? bytes : nil
  }
}
