internal import Crypto
public import FileSupport

/// A store in a folder: one file per content, named by its digest, in 256 subfolders by its first two digits.
public struct DirectoryStore: RenditionStore {
  /// The folder of the files.
  public let folder: PathBytes

  /// A store in this folder, which is created with the first file.
  public init(folder: PathBytes) { self.folder = folder }

  /// Stores bytes atomically and returns their address.
  @discardableResult
  public func put(_ bytes: [UInt8]) throws(LibraryError) -> ContentDigest {
    let address = Self.digest(bytes)
    if StoreFiles.size(filePath(of: address)) == bytes.count { return address }
    let parent = filePath(of: address).folder
    try makeFolder(parent)
    try StoreFiles.write(to: filePath(of: address).name, in: parent) { (descriptor) throws(LibraryError) in
      var failure: LibraryError?
      bytes.withUnsafeBytes { buffer in
        do throws(LibraryError) { try StoreFiles.put(buffer, into: descriptor, of: filePath(of: address)) } catch {
          failure = error
        }
      }
      if let failure { throw failure }
    }
    return address
  }

  /// Stores a copy of a file of any size, and returns its address.
  public func putFile(at path: PathBytes) throws(LibraryError) -> ContentDigest {
    guard let source = try StoreFiles.openFile(path) else {
      throw LibraryError(.system, "The file to store does not exist; name another one.", path: path)
    }
    defer { FileSystem.release(source) }
    try makeFolder(folder)
    // The name is known only after the whole file was read.
    let file = try StoreFiles.create(folder.appending("new".utf8))
    let descriptor = file.descriptor
    var hasher = SHA256()
    try StoreFiles.pieces(of: source, at: path) { (piece) throws(LibraryError) in
      hasher.update(bufferPointer: piece)
      try StoreFiles.put(piece, into: descriptor, of: folder)
    }
    let address = ContentDigest(hasher.finalize())
    let target = filePath(of: address)
    try makeFolder(target.folder)
    do throws(FileError) { try file.commit(to: target) } catch {
      throw LibraryError(error, "rename a new file to \(target)")
    }
    return address
  }

  /// Stores a file under a second name, without copying its bytes where the file system can. The file must have this digest, be synced, and never be
  /// written again.
  func adoptFile(at path: PathBytes, as address: ContentDigest) throws(LibraryError) {
    let target = filePath(of: address)
    // Its name may not be on the disk: the process that gave it may have died before it waited for that.
    if let size = StoreFiles.size(target), size == StoreFiles.size(path) { return try StoreFiles.sync(target.folder) }
    try makeFolder(target.folder)
    do throws(FileError) { try FileSystem.link(path, to: target) } catch {
      // Another file system, one without links, or damaged bytes under this name.
      guard try putFile(at: path) == address else {
        throw LibraryError(.system, "A file changed while it was being stored; try again.", detail: "\(path)")
      }
      return
    }
    try StoreFiles.sync(target.folder)
  }

  /// The bytes at an address; nil if there are none.
  public func read(_ address: ContentDigest) throws(LibraryError) -> [UInt8]? {
    guard let descriptor = try StoreFiles.openFile(filePath(of: address)) else { return nil }
    defer { FileSystem.release(descriptor) }
    var bytes: [UInt8] = []
    try StoreFiles.pieces(of: descriptor, at: filePath(of: address)) { (piece) throws(LibraryError) in bytes += piece }
    return bytes
  }

  /// Whether there are bytes at an address.
  public func contains(_ address: ContentDigest) throws(LibraryError) -> Bool {
    StoreFiles.size(filePath(of: address)) != nil
  }

  /// Removes the bytes at an address. Does nothing if there are none.
  public func remove(_ address: ContentDigest) throws(LibraryError) {
    if try StoreFiles.remove(filePath(of: address)) { try StoreFiles.sync(filePath(of: address).folder) }
  }

  /// Whether the bytes at an address match their digest; nil if there are none.
  public func isIntact(_ address: ContentDigest) throws(LibraryError) -> Bool? {
    guard let descriptor = try StoreFiles.openFile(filePath(of: address)) else { return nil }
    defer { FileSystem.release(descriptor) }
    var hasher = SHA256()
    do throws(LibraryError) {
      try StoreFiles.pieces(of: descriptor, at: filePath(of: address)) { (piece) throws(LibraryError) in
        hasher.update(bufferPointer: piece)
      }
    } catch  where error.code == .system {
      // Bytes that the disk cannot read are lost.
      return false
    }
    return ContentDigest(hasher.finalize()) == address
  }

  /// The addresses in the store in order, after a given one. Skips other files.
  public func addresses(after: ContentDigest?, limit: Int) throws(LibraryError) -> [ContentDigest] {
    var found: [ContentDigest] = []
    let first = after.map { Array($0.description.utf8.prefix(2)) } ?? []
    for prefix in try StoreFiles.names(in: folder) where prefix.count == 2 && !prefix.lexicographicallyPrecedes(first) {
      for name in try StoreFiles.names(in: folder.appending(prefix)) {
        guard let address = ContentDigest(hexadecimal: String(decoding: prefix + name, as: UTF8.self)) else { continue }
        if let after, address <= after { continue }
        found.append(address)
        if found.count >= limit { return found }
      }
    }
    return found
  }

  /// Where the bytes of this address are, or would be: it is not checked.
  public func path(of address: ContentDigest) -> PathBytes? { filePath(of: address) }

  /// Temporary files: those of interrupted writes, and of writes in progress.
  package func leftovers() throws(LibraryError) -> [PathBytes] {
    var found: [PathBytes] = []
    for prefix in try StoreFiles.names(in: folder) {
      if Self.isLeftover(prefix) {
        found.append(folder.appending(prefix))
      } else if prefix.count == 2 {
        let inside = folder.appending(prefix)
        found += try StoreFiles.names(in: inside).filter(Self.isLeftover).map { inside.appending($0) }
      }
    }
    return found
  }

  private static func isLeftover(_ name: [UInt8]) -> Bool {
    StoreFiles.besidePrefixes.contains { name.starts(with: $0) }
  }

  static func digest(_ bytes: [UInt8]) -> ContentDigest { ContentDigest(SHA256.hash(data: bytes)) }

  private func filePath(of address: ContentDigest) -> PathBytes {
    let digits = Array(address.description.utf8)
    return folder.appending(digits[..<2]).appending(digits[2...])
  }

  /// Checks first: the folder nearly always exists, and creating it writes to the disk's journal.
  private func makeFolder(_ path: PathBytes) throws(LibraryError) {
    if StoreFiles.size(path) == nil { try StoreFiles.makeFolder(path) }
  }
}

extension ContentDigest {
  init(_ digest: SHA256.Digest) { bytes = Array(digest) }
}
