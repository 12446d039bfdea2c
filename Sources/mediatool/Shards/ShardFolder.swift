internal import Crypto
internal import FileSupport
internal import Glibc

/// Writes shards to a folder.
struct ShardFolder: ShardStore {
  let path: PathBytes

  var shown: String { DisplayText.visible(path) }

  func path(of name: String) -> PathBytes { path.appending(name.utf8) }

  func look(at name: String) -> (bytes: Int, stamp: String?)? {
    guard let status = try? FileStatus(at: path(of: name), followsLinks: false), status.kind == .file else {
      return nil
    }
    return (status.bytes, Self.stamp(status))
  }

  /// A file that replaces another one has another inode, and a changed one another time.
  static func stamp(_ status: FileStatus) -> String { "\(status.inode)-\(status.modified)" }

  func read(_ name: String, _ body: ([UInt8]) throws -> Bool) throws -> Bool {
    guard look(at: name) != nil, let descriptor = try? FileSystem.openFile(path(of: name)) else { return false }
    defer { FileSystem.release(descriptor) }
    try Self.read(descriptor, body)
    return true
  }

  /// As many as a disk serves at once; also for folders of another machine.
  var readers: Int { 8 }

  /// The statistics only: looking at the other files costs no more than reading the folder did.
  func contents() throws -> ShardContents {
    do {
      let names = try FileSystem.names(in: path).compactMap { String(validating: $0, as: UTF8.self) }
      return ShardContents(statistics: names.filter { $0.hasSuffix(ShardName.statisticsSuffix) })
    } catch {
      throw Fault(.usage, "cannot read the folder \(DisplayText.visible(path)): \(error)")
    }
  }

  /// Fails if anything but a regular file has one of these names: nothing else is replaced or removed.
  func check(_ names: [String]) throws(Fault) {
    for name in names {
      let path = path(of: name)
      try Self.writing(path) { () throws(FileError) in try AtomicFile.check(path) }
    }
  }

  func begin(_ name: String) throws -> any ShardFile {
    let path = path(of: name)
    return try Self.writing(path) { () throws(FileError) in try FolderFile(at: path) }
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    let path = path(of: name)
    try Self.writing(path) { () throws(FileError) in try AtomicFile.write(bytes, to: path) }
  }

  func remove(_ name: String) throws {
    let path = path(of: name)
    try Self.writing(path) { () throws(FileError) in
      try AtomicFile.check(path)
      try FileSystem.removeFile(path)
    }
  }

  private static func writing<Output>(
    _ path: PathBytes, _ body: () throws(FileError) -> Output
  ) throws(Fault) -> Output {
    do throws(FileError) { return try body() } catch { throw Fault(error, writing: path) }
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

  /// Reads an open file piece by piece until `body` returns false.
  static func read(_ descriptor: CInt, _ body: ([UInt8]) throws -> Bool) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try FileSystem.fill(buffer, from: descriptor), count > 0 {
      guard try body(Array(buffer[..<count])) else { return }
    }
  }
}

/// A file of a folder that appears when it is complete.
private final class FolderFile: ShardFile {
  private let path: PathBytes
  /// Nil when it is in place, or abandoned.
  private var file: AtomicFile?

  init(at path: PathBytes) throws(FileError) {
    self.path = path
    file = try AtomicFile(at: path)
  }

  func append(_ bytes: [UInt8]) throws { try file?.append(bytes) }

  func commit() throws -> String? {
    guard let file = file.take() else { return nil }
    let inode = try FileStatus(descriptor: file.descriptor).inode
    do throws(FileError) { try file.commit() } catch { throw Fault(error, writing: path) }
    // Network file systems set the time when the file is closed. Another run may have replaced it since.
    let status = try FileStatus(at: path, followsLinks: false)
    return status.inode == inode ? ShardFolder.stamp(status) : nil
  }

  func abandon() { file = nil }
}
