internal import Crypto
internal import FileSupport
internal import Foundation
internal import Glibc

/// The folder of shards, and what is known of them.
struct ShardFolder: Sendable {
  let path: PathBytes

  func path(of name: String) -> PathBytes { path.appending(name.utf8) }

  /// The statistics of a shard; nil if it has none that can be read.
  func statistics(of shard: ShardName) -> ShardStatistics? {
    guard let bytes = Self.contents(of: path(of: shard.statistics), limit: 16_777_216),
      let found = try? JSONDecoder().decode(ShardStatistics.self, from: Data(bytes))
    else { return nil }
    // Sums of them must not overflow.
    let isPossible = ([found.inputs, found.failed, found.images] + found.codes.values).allSatisfy {
      (0...1 << 40).contains($0)
    }
    return isPossible && found.seconds.isFinite ? found : nil
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

  /// A file under a name of the shard that no run of this shard has made; nil if there is none.
  ///
  /// A run that was killed at its end leaves files without statistics: they are known by their first key.
  func foreignFile(in shard: ShardName) -> PathBytes? {
    func start(_ name: String) -> [UInt8]? {
      guard let descriptor = try? FileSystem.openFile(path(of: name)) else { return nil }
      defer { FileSystem.release(descriptor) }
      return [UInt8](unsafeUninitializedCapacity: PathList.longest) { buffer, count in
        count = (try? FileSystem.fill(UnsafeMutableRawBufferPointer(buffer), from: descriptor)) ?? 0
      }
    }
    if let bytes = start(shard.tar), !bytes.isEmpty {
      let name = String(decoding: bytes.prefix(TarWriter.longestName).prefix { $0 != 0 }, as: UTF8.self)
      let isOurs = name.isEmpty || name.hasPrefix("\(shard.prefix)-") || name.hasPrefix("__failed__/\(shard.prefix)-")
      if !isOurs { return path(of: shard.tar) }
    }
    if let bytes = start(shard.results), !bytes.isEmpty {
      let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      if !line.contains("\"key\":\"\(shard.prefix)-") { return path(of: shard.results) }
    }
    return nil
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
