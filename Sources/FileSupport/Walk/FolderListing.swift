#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The names in one folder, sorted by their bytes. Compact, for a folder may have a million of them: a name takes its bytes and sixteen.
struct FolderListing {
  /// What a name stands for, itself and not where it leads.
  enum Kind: UInt8 { case file, folder, link, special }

  /// Why reading ended early; nil when all was read.
  private(set) var failure: FileError?
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []

  private struct Entry {
    let start: Int
    let count: UInt16
    let kind: Kind
  }

  init() {}

  /// Reads a folder's names.
  init(_ folder: FolderHandle) {
    // A descriptor of its own: closing the stream closes it.
    let copy = fcntl(folder.descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0, let stream = fdopendir(copy) else {
      failure = .last
      if copy >= 0 { close(copy) }
      return
    }
    defer { closedir(stream) }
    // Where it stands is shared with the folder's own descriptor, which may have been read before.
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
      // With its NUL, so that the system can be asked for it as it stands here.
      bytes.append(contentsOf: UnsafeRawBufferPointer(start: name, count: length + 1))
    }
    sort()
  }

  /// Names in it.
  var count: Int { entries.count }

  /// The name at a place, and what its folder says it is.
  subscript(_ index: Int) -> (name: ArraySlice<UInt8>, kind: Kind) {
    let entry = entries[index]
    return (bytes[entry.start..<entry.start + Int(entry.count)], entry.kind)
  }

  /// What the system says of the name at a place.
  func status(_ index: Int, in folder: FolderHandle, followsLinks: Bool = false) throws(FileError) -> FileStatus {
    try bytes.withUnsafeBufferPointer { (bytes) throws(FileError) in
      guard let base = bytes.baseAddress else { throw FileError(code: ENOENT) }
      return try UnsafeRawPointer(base + entries[index].start).withMemoryRebound(to: CChar.self, capacity: 1) {
        (name) throws(FileError) in try folder.status(name, followsLinks: followsLinks)
      }
    }
  }

  /// The folders in it alone: what a walk keeps while it is below.
  var folders: FolderListing {
    var kept = FolderListing()
    for entry in entries where entry.kind == .folder {
      kept.entries.append(Entry(start: kept.bytes.count, count: entry.count, kind: entry.kind))
      kept.bytes += bytes[entry.start...entry.start + Int(entry.count)]
    }
    return kept
  }

  /// Whether the name is in it.
  func contains(_ name: ArraySlice<UInt8>) -> Bool { kind(of: name) != nil }

  /// What a name in it stands for; nil when it is not in it.
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
    // A folder that is changed while it is read may give a name twice.
    var last: ArraySlice<UInt8>?
    entries.removeAll { entry in
      let name = bytes[entry.start..<entry.start + Int(entry.count)]
      defer { last = name }
      return last.map { $0.elementsEqual(name) } ?? false
    }
  }

  /// What a folder says; some file systems do not say.
  private static func kind(_ type: Int32) -> Kind? {
    switch type {
    case Int32(DT_REG): .file
    case Int32(DT_DIR): .folder
    case Int32(DT_LNK): .link
    case Int32(DT_UNKNOWN): nil
    default: .special
    }
  }

  /// What has gone by now is told as vanished, like any other file.
  private static func kind(_ status: FileStatus?) -> Kind {
    switch status?.kind {
    case nil, .file: .file
    case .folder: .folder
    case .link: .link
    case .pipe, .socket, .device: .special
    }
  }
}
