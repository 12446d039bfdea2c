#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The patterns of one `.mediaignore`.
public struct IgnoreFile: Hashable, Sendable {
  /// How the file is called.
  public static let name = Array(".mediaignore".utf8)

  /// More bytes than anybody writes by hand; what lies behind them is not read, and told.
  static let largest = 1 << 20

  private let patterns: [IgnorePattern]

  /// Patterns in the order of their lines.
  public init(patterns: [IgnorePattern]) { self.patterns = patterns }

  /// The lines of a file: each ends in a newline, before which a carriage return does not count; a byte order mark does not either.
  public init(text bytes: [UInt8]) {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    patterns = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
      IgnorePattern(line: line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    }
  }

  /// Whether there is nothing in it.
  var isEmpty: Bool { patterns.isEmpty }

  /// Whether a file or folder is left out: the last pattern that describes it decides. Nil when none does.
  /// - Parameter path: From the folder that the file lies in.
  public func isIgnored(_ path: ArraySlice<UInt8>, isFolder: Bool) -> Bool? {
    patterns.last { $0.matches(path, isFolder: isFolder) }.map { !$0.isException }
  }

  /// Why a file of that name could not be read as far as it goes.
  enum Failure: Error {
    case system(FileError)
    case notRegular
    case tooLarge
  }

  /// The one in a folder; nil when there is none.
  static func read(in folder: FolderHandle) throws(Failure) -> IgnoreFile? {
    let descriptor = folder.openFile(name[...])
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .system(.last)
    }
    defer { close(descriptor) }
    let status: FileStatus
    do throws(FileError) { status = try FileStatus(descriptor: descriptor) } catch { throw .system(error) }
    guard status.kind == .file else { throw .notRegular }
    guard status.bytes <= largest else { throw .tooLarge }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 14)
    while bytes.count <= largest {
      let count = pread(descriptor, &buffer, buffer.count, off_t(bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .system(.last) }
      if count == 0 { return IgnoreFile(text: bytes) }
      bytes += buffer[..<count]
    }
    throw .tooLarge
  }
}
