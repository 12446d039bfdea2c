extension FolderWalk.IgnoreFile {
  /// One line of a `.mediaignore`, with the semantics of `.gitignore` (gitignore(5)).
  public struct Pattern: Hashable, Sendable {
    /// Whether a match includes the path again: `!pattern`.
    let isException: Bool
    /// Whether the pattern matches only folders: `pattern/`.
    private let isForFolders: Bool
    /// Whether the pattern contains a slash, so that it is matched against the path from its file and not against the name alone.
    private let isAnchored: Bool
    /// The parts between the slashes; a part of two or more stars matches any number of folders.
    private let parts: [NamePattern]

    /// Parses a line without its line end; nil for a comment, an empty line, and a pattern that can never match.
    public init?(line: some Collection<UInt8>) {
      var line = Self.withoutTrailingSpaces(Array(line))
      guard !line.isEmpty, line.first != UInt8(ascii: "#") else { return nil }
      isException = line.first == UInt8(ascii: "!")
      if isException { line = line.dropFirst() }
      isForFolders = line.last == Self.slash
      if isForFolders { line = line.dropLast() }
      isAnchored = line.contains(Self.slash)
      if line.first == Self.slash { line = line.dropFirst() }
      guard !line.isEmpty, let parts = PatternParser.parts(of: line) else { return nil }
      self.parts = parts
    }

    /// Whether the pattern matches a file or folder.
    /// - Parameter path: Relative to the folder of the pattern's file, without a slash at either end.
    func matches(_ path: ArraySlice<UInt8>, isFolder: Bool) -> Bool {
      if isForFolders, !isFolder { return false }
      let lastSlash = path.lastIndex(of: Self.slash)
      guard isAnchored else {
        let name = lastSlash.map { path[($0 + 1)...] } ?? path
        return parts.count == 1 && parts[0].matches(name)
      }
      if parts.count == 1, !parts[0].isFolders { return lastSlash == nil && parts[0].matches(path) }
      let names = path.split(separator: Self.slash, omittingEmptySubsequences: false)
      // `/**` at the end matches everything inside, so at least one more name.
      var steps = parts.count
      var least = names.count
      if let last = parts.last, last.isFolders {
        steps -= 1
        least -= 1
      }
      guard least >= 0 else { return false }
      if steps < parts.count {
        // The other parts match any of the folders above.
        return (0...least).contains { matches(names[..<$0], steps: steps) }
      }
      return matches(names[...], steps: steps)
    }

    private func matches(_ names: ArraySlice<ArraySlice<UInt8>>, steps: Int) -> Bool {
      Wildcards.match(
        steps, names.count, isStar: { parts[$0].isFolders },
        matches: { parts[$0].matches(names[names.startIndex + $1]) })
    }

    private static let slash = UInt8(ascii: "/")

    /// Removes trailing spaces, unless a backslash escapes them.
    private static func withoutTrailingSpaces(_ line: [UInt8]) -> ArraySlice<UInt8> {
      var end = 0
      var index = 0
      while index < line.count {
        if line[index] == UInt8(ascii: "\\") {
          index += 1
        } else if line[index] == UInt8(ascii: " ") {
          index += 1
          continue
        }
        index += 1
        end = min(index, line.count)
      }
      return line[..<end]
    }
  }
}

/// Parses patterns.
private enum PatternParser {
  /// The parts between the slashes; nil if a bracket is not closed or a backslash is last, because such a pattern never matches.
  static func parts(of pattern: ArraySlice<UInt8>) -> [NamePattern]? {
    var parts: [NamePattern] = []
    var tokens: [NamePattern.Token] = []
    var rest = pattern
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "/"):
        parts.append(NamePattern(tokens))
        tokens = []
      case UInt8(ascii: "*"): tokens.append(.anyBytes)
      case UInt8(ascii: "?"): tokens.append(.anyByte)
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        if escaped == UInt8(ascii: "/") {
          parts.append(NamePattern(tokens))
          tokens = []
        } else {
          tokens.append(.byte(escaped))
        }
      case UInt8(ascii: "["):
        guard let set = set(&rest) else { return nil }
        tokens.append(.set(set))
      default: tokens.append(.byte(byte))
      }
    }
    parts.append(NamePattern(tokens))
    return parts
  }

  /// The bytes that a bracket expression matches; removes the expression from `rest`.
  private static func set(_ rest: inout ArraySlice<UInt8>) -> ByteSet? {
    var set = ByteSet()
    let isNegated = rest.first == UInt8(ascii: "!") || rest.first == UInt8(ascii: "^")
    if isNegated { rest = rest.dropFirst() }
    // The last byte that was taken literally: a range may begin with it.
    var previous: UInt8?
    var isFirst = true
    while true {
      guard let byte = rest.popFirst() else { return nil }
      if byte == UInt8(ascii: "]"), !isFirst { break }
      isFirst = false
      switch byte {
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        set.insert(escaped)
        previous = escaped
      case UInt8(ascii: "-"):
        guard let first = previous, let next = rest.first, next != UInt8(ascii: "]") else {
          set.insert(byte)
          previous = byte
          continue
        }
        rest = rest.dropFirst()
        var last = next
        if next == UInt8(ascii: "\\") {
          guard let escaped = rest.popFirst() else { return nil }
          last = escaped
        }
        set.insert(from: first, to: last)
        previous = nil
      case UInt8(ascii: "[") where rest.first == UInt8(ascii: ":"):
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        let inside = rest[rest.index(after: rest.startIndex)..<end]
        guard inside.last == UInt8(ascii: ":") else {
          set.insert(byte)
          previous = byte
          continue
        }
        guard let named = ByteSet.named(inside.dropLast()) else { return nil }
        for member in UInt8.min...UInt8.max where named.contains(member) { set.insert(member) }
        rest = rest[rest.index(after: end)...]
        previous = nil
      default:
        set.insert(byte)
        previous = byte
      }
    }
    // No bracket expression matches a slash, negated or not.
    return isNegated ? set.inverted : set
  }
}
