internal import FileSupport
internal import Glibc
internal import MediaModel

/// The names in one folder, sorted by their bytes. Compact, for a folder may have a million of them.
struct DirectoryListing {
  /// What a name stands for, itself and not where it leads.
  enum Kind: UInt8 { case file, folder, link, special }

  /// Which folder it is.
  let identity: FileIdentity
  /// Why reading ended early; nil when all was read.
  private(set) var failure: MediaFailure?
  private var bytes: [UInt8] = []
  private var entries: [(start: Int, count: UInt16, kind: Kind)] = []
  private var position = 0

  /// Reads the folder at `path` and closes it.
  static func read(_ path: PathBytes) -> Result<DirectoryListing, MediaFailure> {
    // opendir opens nothing but folders: not a FIFO that has taken the folder's place in the meantime.
    guard let folder = path.withCString({ opendir($0) }) else { return .failure(.readingFolder(.last)) }
    defer { closedir(folder) }
    guard let status = try? FileStatus(descriptor: dirfd(folder)) else { return .failure(.readingFolder(.last)) }

    var listing = DirectoryListing(identity: status.identity)
    while true {
      errno = 0
      guard let entry = readdir(folder) else {
        if errno != 0 { listing.failure = .readingFolder(.last) }
        break
      }
      // The name may be longer than the array that the header declares.
      let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
      let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
      let length = strlen(name)
      let nameBytes = UnsafeRawBufferPointer(start: name, count: length)
      if nameBytes.elementsEqual(".".utf8) || nameBytes.elementsEqual("..".utf8) { continue }
      let kind = kind(type: Int32(entry.pointee.d_type), name: name, folder: dirfd(folder))
      listing.entries.append((listing.bytes.count, UInt16(clamping: length), kind))
      listing.bytes.append(contentsOf: nameBytes.prefix(Int(UInt16.max)))
    }
    listing.sort()
    return .success(listing)
  }

  private init(identity: FileIdentity) { self.identity = identity }

  /// The next name and what it stands for.
  mutating func next() -> (name: ArraySlice<UInt8>, kind: Kind)? {
    guard position < entries.count else { return nil }
    let entry = entries[position]
    position += 1
    return (bytes[entry.start..<entry.start + Int(entry.count)], entry.kind)
  }

  private mutating func sort() {
    bytes.withUnsafeBytes { bytes in
      entries.sort { left, right in
        bytes[left.start..<left.start + Int(left.count)]
          .lexicographicallyPrecedes(bytes[right.start..<right.start + Int(right.count)])
      }
    }
  }

  private static func kind(type: Int32, name: UnsafePointer<CChar>, folder: CInt) -> Kind {
    switch type {
    case Int32(DT_REG): return .file
    case Int32(DT_DIR): return .folder
    case Int32(DT_LNK): return .link
    // Some file systems do not say.
    case Int32(DT_UNKNOWN):
      var status = stat()
      // What has gone by now is told as not found, by whoever opens it.
      guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return .file }
      switch status.st_mode & S_IFMT {
      case S_IFREG: return .file
      case S_IFDIR: return .folder
      case S_IFLNK: return .link
      default: return .special
      }
    default: return .special
    }
  }
}
