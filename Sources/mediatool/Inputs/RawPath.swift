/// A path as the system sees it: bytes, not necessarily UTF-8.
struct RawPath: Hashable, Sendable {
  /// The bytes, without an ending NUL.
  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
  init(_ text: String) { bytes = Array(text.utf8) }

  /// The path as text, with replacement characters where it is not UTF-8.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether ``text`` is the whole truth.
  var isUTF8: Bool { String(validating: bytes, as: UTF8.self) != nil }

  /// Whether the system could take it: a NUL would end it early, and name another file.
  var hasNUL: Bool { bytes.contains(0) }

  /// Whether a page or an image can be written there: it has a name, in UTF-8.
  var namesAnOutput: Bool { !lastComponent.isEmpty && !hasNUL && isUTF8 }

  /// What follows the last slash that has something behind it: `photo.jpg` of `IN/photo.jpg`.
  var lastComponent: ArraySlice<UInt8> {
    var end = bytes.endIndex
    while end > 0, bytes[end - 1] == Self.slash { end -= 1 }
    let start = bytes[..<end].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
    return bytes[start..<end]
  }

  /// The path of something inside this folder.
  func appending(_ name: some Sequence<UInt8>) -> RawPath {
    RawPath(bytes.isEmpty || bytes.last == Self.slash ? bytes + name : bytes + [Self.slash] + name)
  }

  /// Calls `body` with the path as the system wants it.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) throws -> Result) rethrows -> Result {
    try (bytes.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer { buffer in
      // An array with at least one element has an address.
      guard let start = buffer.baseAddress else { return try "".withCString(body) }
      return try body(start)
    }
  }

  static let slash = UInt8(ascii: "/")
}
