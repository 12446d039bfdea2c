internal import Crypto
internal import FileSupport
internal import Foundation
internal import Glibc

/// The folder of shards, and what is known of them.
struct ShardFolder: Sendable {
  let path: PathBytes

  func path(of name: String) -> PathBytes { path.appending(name.utf8) }

  /// The statistics of a shard; nil if it has none that can be read.
  func statistics(of shard: ShardName) -> ShardStatistics? { statistics(named: shard.statistics) }

  func statistics(named name: String) -> ShardStatistics? {
    guard let bytes = Self.contents(of: path(of: name), limit: 16_777_216) else { return nil }
    return try? JSONDecoder().decode(ShardStatistics.self, from: Data(bytes))
  }

  /// Whether the files of a shard are as its statistics state, by their sizes; `reads` compares digests as well.
  func hasFiles(of shard: ShardName, _ statistics: ShardStatistics, reads: Bool) -> Bool {
    guard let results = statistics.results else { return false }
    return [(shard.tar, statistics.tar), (shard.results, results)].allSatisfy { name, stated in
      let path = path(of: name)
      guard let status = try? FileStatus(at: path, followsLinks: false), status.kind == .file,
        status.bytes == stated.bytes
      else { return false }
      return !reads || (try? Self.file(path))?.sha256 == stated.sha256
    }
  }

  /// The names of all statistics in the folder, sorted.
  func all() throws(Fault) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path.text)
        .filter { $0.hasSuffix(ShardName.statisticsSuffix) && !$0.hasPrefix(".") }.sorted()
    } catch {
      throw Fault(.usage, "cannot read the folder \(DisplayText.visible(path)): \(error.localizedDescription)")
    }
  }

  /// The size and digest of a regular file.
  static func file(_ path: PathBytes) throws(FileError) -> ShardStatistics.File {
    let descriptor = try FileSystem.openFile(path, followsLinks: true)
    defer { FileSystem.release(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    var (hash, bytes) = (SHA256(), 0)
    while true {
      let count = try FileSystem.fill(buffer, from: descriptor)
      if count == 0 { break }
      hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      bytes += count
    }
    return ShardStatistics.File(bytes: bytes, sha256: Hexadecimal.encode(hash.finalize()))
  }

  private static func contents(of path: PathBytes, limit: Int) -> [UInt8]? {
    guard let status = try? FileStatus(at: path, followsLinks: false), status.kind == .file, status.bytes <= limit,
      let descriptor = try? FileSystem.openFile(path)
    else { return nil }
    defer { FileSystem.release(descriptor) }
    return try? FileSystem.contents(of: descriptor)
  }
}
