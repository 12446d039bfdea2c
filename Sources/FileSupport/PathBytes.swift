/// A path as the system has it: bytes, not necessarily UTF-8.
///
/// A catalogue requires absolute paths without a trailing slash. Paths are ordered by bytes, so that the files of a folder are adjacent.
public struct PathBytes: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The bytes, without the terminating NUL.
  public let bytes: [UInt8]

  /// The path with these bytes.
  public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
  /// The path with the UTF-8 bytes of a text.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// The path as text, with U+FFFD for bytes that are not UTF-8.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The same as ``text``.
  public var description: String { text }

  /// Whether the path is valid UTF-8, so that ``text`` is the exact path.
  public var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// Whether the path contains a NUL byte. The system would end the path there and open another file.
  public var hasNUL: Bool { bytes.contains(0) }

  /// The part before the last slash; `/` for a file in the root folder, empty if there is no slash.
  public var folder: PathBytes {
    guard let slash = bytes.lastIndex(of: Self.slash) else { return PathBytes([]) }
    return PathBytes(slash == 0 ? bytes[...0] : bytes[..<slash])
  }

  /// The part after the last slash.
  public var name: [UInt8] { Array(bytes[(bytes.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0)...]) }

  /// The last component, trailing slashes ignored: `photo.jpg` of `IN/photo.jpg`, `IN` of `IN/`.
  public var lastComponent: ArraySlice<UInt8> {
    var end = bytes.endIndex
    while end > 0, bytes[end - 1] == Self.slash { end -= 1 }
    let start = bytes[..<end].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
    return bytes[start..<end]
  }

  /// The path of a name in this folder.
  public func appending(_ name: some Sequence<UInt8>) -> PathBytes {
    PathBytes(bytes.isEmpty || bytes.last == Self.slash ? bytes + name : bytes + [Self.slash] + name)
  }

  /// Whether the path is `folder` or a descendant of it.
  public func isInside(_ folder: PathBytes) -> Bool {
    guard bytes.starts(with: folder.bytes) else { return false }
    let end = folder.bytes.count
    return bytes.count == end || folder.bytes.last == Self.slash || bytes[end] == Self.slash
  }

  /// Calls `body` with the path as a C string.
  public func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
    try (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      // An array with at least one element has an address.
      guard let start = buffer.baseAddress else { return try "".withCString(body) }
      return try body(start)
    }
  }

  /// Compares by bytes.
  public static func < (one: PathBytes, other: PathBytes) -> Bool { one.bytes.lexicographicallyPrecedes(other.bytes) }

  /// The path separator.
  package static let slash = UInt8(ascii: "/")
}
