internal import FileSupport
internal import Glibc
internal import Synchronization

/// Writes a file beside its place, syncs it, and moves it there: whoever looks sees the old file or the new one, never a part.
enum AtomicFile {
  /// Why a file could not be written.
  struct Failure: Error {
    /// The system's error number.
    let code: CInt

    var reason: String { String(cString: strerror(code)) }

    /// Whether only this path cannot be written: it is too long, or a file stands where a folder has to. Others can.
    var isOfThisPath: Bool { [ENAMETOOLONG, ENOTDIR, EISDIR, EEXIST, ELOOP, ENOTEMPTY, EINVAL, EILSEQ].contains(code) }
  }

  private static let count = Atomic<Int>(0)

  /// Puts the bytes into the file at `path`, in place of what is there.
  static func write(_ bytes: [UInt8], to path: PathBytes) throws(Fault) {
    let name = path.lastComponent
    let folder = path.bytes[..<name.startIndex]
    do throws(Failure) {
      try write(
        bytes, to: String(decoding: name, as: UTF8.self), in: folder.isEmpty ? PathBytes(".") : PathBytes(folder))
    } catch {
      throw Fault(.software, "cannot write \(DisplayText.visible(path)): \(error.reason)")
    }
  }

  /// Puts the bytes into `name` inside `folder`, in place of what is there. Missing folders are made.
  static func write(_ bytes: [UInt8], to name: String, in folder: PathBytes) throws(Failure) {
    var beside = temporary(in: folder)
    var descriptor = create(beside)
    if descriptor < 0, errno == ENOENT {
      try makeFolder(folder)
      descriptor = create(beside)
    }
    // Left behind by a run that was killed and had our number, as every run in a container of its own has.
    var tries = 0
    while descriptor < 0, errno == EEXIST, tries < 10_000 {
      beside = temporary(in: folder)
      descriptor = create(beside)
      tries += 1
    }
    guard descriptor >= 0 else { throw Failure(code: errno) }

    var code = put(bytes, into: descriptor)
    if code == 0, fsync(descriptor) != 0 { code = errno }
    // Network file systems report some errors only here.
    if close(descriptor) != 0, code == 0 { code = errno }
    if code == 0 {
      let target = folder.appending(Array(name.utf8))
      let moved = beside.withCString { from in target.withCString { rename(from, $0) } }
      if moved != 0 { code = errno }
    }
    if code != 0 {
      _ = beside.withCString { unlink($0) }
      throw Failure(code: code)
    }
  }

  /// Makes a folder and those above it; one that is there already is as good.
  static func makeFolder(_ folder: PathBytes) throws(Failure) {
    var end = 0
    while end < folder.bytes.count {
      end = folder.bytes[(end + 1)...].firstIndex(of: PathBytes.slash) ?? folder.bytes.count
      let made = PathBytes(folder.bytes[..<end]).withCString { mkdir($0, 0o777) == 0 ? 0 : errno }
      // A folder in which nothing may be made can still lead to one in which something may.
      let isLast = end == folder.bytes.count
      if made != 0, made != EEXIST, isLast || (made != EACCES && made != EROFS && made != EPERM) {
        throw Failure(code: made)
      }
    }
  }

  /// A name that no other thread of this process has. Hidden from walks, and to be recognised should the machine stop before the move.
  private static func temporary(in folder: PathBytes) -> PathBytes {
    folder.appending(Array(".mediatool-\(getpid())-\(count.add(1, ordering: .relaxed).newValue).tmp".utf8))
  }

  private static func create(_ path: PathBytes) -> CInt {
    path.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666) }
  }

  private static func put(_ bytes: [UInt8], into descriptor: CInt) -> CInt {
    bytes.withUnsafeBytes { all in
      var rest = all[...]
      while !rest.isEmpty {
        let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { return written == 0 ? EIO : errno }
        rest = rest.dropFirst(written)
      }
      return 0
    }
  }
}
