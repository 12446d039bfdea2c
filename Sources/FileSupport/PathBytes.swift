/// A path as the system sees it: bytes, not necessarily UTF-8.
///
/// Absolute and without an ending slash wherever a catalogue asks for one. Ordered by bytes, so that what lies in a folder stands together.
public struct PathBytes: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The bytes, without an ending NUL.
  public let bytes: [UInt8]

  /// The path of those bytes.
  public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
  /// The path in UTF-8.
  public init(_ text: String) { bytes = Array(text.utf8) }

  /// The path as text, with replacement characters where it is not UTF-8.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The same as ``text``.
  public var description: String { text }

  /// Whether ``text`` has all of the path: no byte was replaced.
  public var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// Whether a NUL is in it. The system would take the path to end there, and open another file.
  public var hasNUL: Bool { bytes.contains(0) }

  /// What stands before the last slash; `/` for what lies in the root, empty for a bare name.
  public var folder: PathBytes {
    guard let slash = bytes.lastIndex(of: Self.slash) else { return PathBytes([]) }
    return PathBytes(slash == 0 ? bytes[...0] : bytes[..<slash])
  }

  /// What stands behind the last slash.
  public var name: [UInt8] { Array(bytes[(bytes.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0)...]) }

  /// What follows the last slash that has something behind it: `photo.jpg` of `IN/photo.jpg`, `IN` of `IN/`.
  public var lastComponent: ArraySlice<UInt8> {
    var end = bytes.endIndex
    while end > 0, bytes[end - 1] == Self.slash { end -= 1 }
    let start = bytes[..<end].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
    return bytes[start..<end]
  }

  /// The path of something inside this folder.
  public func appending(_ name: some Sequence<UInt8>) -> PathBytes {
    PathBytes(bytes.isEmpty || bytes.last == Self.slash ? bytes + name : bytes + [Self.slash] + name)
  }

  /// Whether this is `folder` or lies anywhere below it.
  public func isInside(_ folder: PathBytes) -> Bool {
    guard bytes.starts(with: folder.bytes) else { return false }
    let end = folder.bytes.count
    return bytes.count == end || folder.bytes.last == Self.slash || bytes[end] == Self.slash
  }

  /// Calls `body` with the path as the system takes it: with an ending NUL.
  public func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
    try (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      // An array with at least one element has an address.
      guard let start = buffer.baseAddress else { return try "".withCString(body) }
      return try body(start)
    }
  }

  /// Ordered by bytes.
  public static func < (one: PathBytes, other: PathBytes) -> Bool { one.bytes.lexicographicallyPrecedes(other.bytes) }

  /// The byte between two names.
  package static let slash = UInt8(ascii: "/")
}
