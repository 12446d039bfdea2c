#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The names in one folder, sorted by their bytes. Compact, because a folder may have a million of them: sixteen bytes per name plus its length.
struct FolderListing {
  /// The type of an entry; links are not followed.
  enum Kind: UInt8 { case file, folder, link, special }

  /// Why reading ended early; nil if all names were read.
  private(set) var failure: FileError?
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []

  private struct Entry {
    let start: Int
    let count: UInt16
    let kind: Kind
  }

  init() {}

  /// Reads the names in a folder.
  init(_ folder: FolderHandle) {
    // Closing the stream closes its descriptor, so it gets a duplicate.
    let copy = fcntl(folder.descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0, let stream = fdopendir(copy) else {
      failure = .last
      if copy >= 0 { close(copy) }
      return
    }
    defer { closedir(stream) }
    // The duplicate shares its position with the folder's descriptor, which may have been read before.
    rewinddir(stream)
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { failure = .last }
        break
      }
      // The name may be longer than the array that the header declares.
      let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      let length = strlen(name)
      if length == 1, name[0] == 0x2E { continue }
      if length == 2, name[0] == 0x2E, name[1] == 0x2E { continue }
      guard length > 0, length <= Int(UInt16.max) else { continue }
      let kind = Self.kind(Int32(entry.pointee.d_type)) ?? Self.kind(try? folder.status(name))
      entries.append(Entry(start: bytes.count, count: UInt16(length), kind: kind))
      // With the NUL, so that the name can be passed to the system in place.
      bytes.append(contentsOf: UnsafeRawBufferPointer(start: name, count: length + 1))
    }
    sort()
  }

  /// Number of names.
  var count: Int { entries.count }

  /// The name at an index, and its type as the folder reports it.
  subscript(_ index: Int) -> (name: ArraySlice<UInt8>, kind: Kind) {
    let entry = entries[index]
    return (bytes[entry.start..<entry.start + Int(entry.count)], entry.kind)
  }

  /// The status of the name at an index.
  func status(_ index: Int, in folder: FolderHandle, followsLinks: Bool = false) throws(FileError) -> FileStatus {
    try bytes.withUnsafeBufferPointer { (bytes) throws(FileError) in
      guard let base = bytes.baseAddress else { throw FileError(code: ENOENT) }
      return try UnsafeRawPointer(base + entries[index].start).withMemoryRebound(to: CChar.self, capacity: 1) {
        (name) throws(FileError) in try folder.status(name, followsLinks: followsLinks)
      }
    }
  }

  /// A listing of its folders alone, which a walk keeps while it is in one of them.
  var folders: FolderListing {
    var kept = FolderListing()
    for entry in entries where entry.kind == .folder {
      kept.entries.append(Entry(start: kept.bytes.count, count: entry.count, kind: entry.kind))
      kept.bytes += bytes[entry.start...entry.start + Int(entry.count)]
    }
    return kept
  }

  /// Whether a name is in the folder.
  func contains(_ name: ArraySlice<UInt8>) -> Bool { kind(of: name) != nil }

  /// The type of a name in the folder; nil if there is no such name.
  func kind(of name: ArraySlice<UInt8>) -> Kind? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].name.lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && self[low].name.elementsEqual(name) ? self[low].kind : nil
  }

  private mutating func sort() {
    bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      entries.sort { left, right in
        let order = memcmp(base + left.start, base + right.start, Int(min(left.count, right.count)))
        return order != 0 ? order < 0 : left.count < right.count
      }
    }
    // A folder that changes during reading may return a name twice.
    var last: ArraySlice<UInt8>?
    entries.removeAll { entry in
      let name = bytes[entry.start..<entry.start + Int(entry.count)]
      defer { last = name }
      return last.map { $0.elementsEqual(name) } ?? false
    }
  }

  /// The type as the folder reports it; nil on file systems that do not report types.
  private static func kind(_ type: Int32) -> Kind? {
    switch type {
    case Int32(DT_REG): .file
    case Int32(DT_DIR): .folder
    case Int32(DT_LNK): .link
    case Int32(DT_UNKNOWN): nil
    default: .special
    }
  }

  /// A name that has vanished counts as a file: the walk then reports it as vanished.
  private static func kind(_ status: FileStatus?) -> Kind {
    switch status?.kind {
    case nil, .file: .file
    case .folder: .folder
    case .link: .link
    case .pipe, .socket, .device: .special
    }
  }
}
