/// A pattern for one name: a part of a `.gitignore` line between two slashes.
///
/// Matches bytes, not characters, as git does. The time to match is at most proportional to the product of both lengths, for any pattern: a
/// `.mediaignore` may be untrusted.
struct NamePattern: Hashable, Sendable {
  /// One step of a pattern.
  enum Token: Hashable, Sendable {
    case byte(UInt8)
    /// `?`: exactly one byte.
    case anyByte
    /// `*`: any number of bytes, also none.
    case anyBytes
    /// `[a-z]`: one byte of a set.
    case set(ByteSet)
  }

  private let tokens: [Token]
  /// The name, if the pattern contains no wildcard.
  private let literal: [UInt8]?

  init(_ tokens: [Token]) {
    self.tokens = tokens
    let bytes = tokens.compactMap { token -> UInt8? in
      if case .byte(let byte) = token { return byte }
      return nil
    }
    literal = bytes.count == tokens.count ? bytes : nil
  }

  /// Whether it is two or more stars: any number of folders, if it is a whole part.
  var isFolders: Bool { tokens.count > 1 && tokens.allSatisfy { $0 == .anyBytes } }

  /// Whether the pattern matches the whole name.
  func matches(_ name: ArraySlice<UInt8>) -> Bool {
    if let literal { return name.elementsEqual(literal) }
    return Wildcards.match(
      tokens.count, name.count, isStar: { tokens[$0] == .anyBytes },
      matches: { token, index in
        let byte = name[name.startIndex + index]
        switch tokens[token] {
        case .byte(let wanted): return byte == wanted
        case .anyByte: return true
        case .anyBytes: return false
        case .set(let set): return set.contains(byte)
        }
      })
  }
}

/// Matching of `*` against the bytes of a name, and of `**` against the names of a path.
enum Wildcards {
  /// Whether a pattern of `steps` steps matches all of `things` elements.
  ///
  /// Backtracks only to the last star: what is between two stars is matched at its first position, because no later position would leave more
  /// room for the rest.
  /// room for the rest.
  static func match(
    _ steps: Int, _ things: Int, isStar: (Int) -> Bool, matches: (_ step: Int, _ thing: Int) -> Bool
  ) -> Bool {
    var (step, thing) = (0, 0)
    var retry: (step: Int, thing: Int)?
    while thing < things {
      if step < steps, isStar(step) {
        retry = (step + 1, thing)
        step += 1
      } else if step < steps, matches(step, thing) {
        step += 1
        thing += 1
      } else if let star = retry {
        retry = (star.step, star.thing + 1)
        (step, thing) = (star.step, star.thing + 1)
      } else {
        return false
      }
    }
    while step < steps, isStar(step) { step += 1 }
    return step == steps
  }
}
