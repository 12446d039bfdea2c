#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension FolderWalk {
  /// The patterns of one `.mediaignore` file.
  public struct IgnoreFile: Hashable, Sendable {
    /// The name that a walk looks for in each folder.
    public static let name = Array(".mediaignore".utf8)

    /// Maximum size in bytes. A larger file is not read, and is reported.
    static let largest = 1 << 20

    private let patterns: [Pattern]

    /// An ignore file with these patterns, in the order of their lines.
    public init(patterns: [Pattern]) { self.patterns = patterns }

    /// Parses the content of a file. Lines end in LF or CR LF; a byte order mark is skipped.
    public init(text bytes: [UInt8]) {
      let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
      patterns = text.split(separator: UInt8(ascii: "\n")).compactMap { line in
        Pattern(line: line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
      }
    }

    /// Whether there are no patterns.
    var isEmpty: Bool { patterns.isEmpty }

    /// Whether a file or folder is ignored: the last pattern that matches decides. Nil if no pattern matches.
    /// - Parameter path: Relative to the folder of the ignore file.
    public func isIgnored(_ path: ArraySlice<UInt8>, isFolder: Bool) -> Bool? {
      patterns.last { $0.matches(path, isFolder: isFolder) }.map { !$0.isException }
    }

    /// Why an ignore file could not be read.
    enum Failure: Error {
      case system(FileError)
      case notRegular
      case tooLarge
    }

    /// Reads the ignore file of a folder; nil if it has none.
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
}
