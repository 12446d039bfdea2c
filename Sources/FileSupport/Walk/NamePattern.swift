/// A pattern for one name, without slashes: what stands between two slashes of a `.gitignore` line.
///
/// Bytes, not characters, as git has them. Matching takes at most the product of the two lengths, whatever the pattern: a
/// `.mediaignore` may be a stranger's.
struct NamePattern: Hashable, Sendable {
  /// One step of a pattern.
  enum Token: Hashable, Sendable {
    case byte(UInt8)
    /// `?`
    case anyByte
    /// `*`
    case anyBytes
    /// `[a-z]`
    case set(ByteSet)
  }

  private let tokens: [Token]
  /// The name, where the pattern is nothing but a name.
  private let literal: [UInt8]?

  init(_ tokens: [Token]) {
    self.tokens = tokens
    let bytes = tokens.compactMap { token -> UInt8? in
      if case .byte(let byte) = token { return byte }
      return nil
    }
    literal = bytes.count == tokens.count ? bytes : nil
  }

  /// Whether it consists of two stars or more: any number of folders, where it stands alone between slashes.
  var isFolders: Bool { tokens.count > 1 && tokens.allSatisfy { $0 == .anyBytes } }

  /// Whether the pattern describes all of the name.
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

/// What `*` means for bytes of a name, and `**` for the names of a path.
enum Wildcards {
  /// Whether a pattern of so many steps describes all of so many things.
  ///
  /// Only the last star is ever gone back to: what lies between two stars is taken at its first place, and no later one would leave more
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
