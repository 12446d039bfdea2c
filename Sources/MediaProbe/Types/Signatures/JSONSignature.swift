/// JSON (RFC 8259): an object or array that is well-formed as far as the sample goes. A lone number or literal is plain
/// text.
enum JSONSignature {
  static func matches(_ text: some Collection<UInt8>, isWhole: Bool) -> Bool {
    guard text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") else { return false }
    var parser = Parser()
    for byte in text where !parser.accept(byte) { return false }
    return parser.depth == 0 || !isWhole
  }

  /// A pushdown recogniser without recursion: open brackets are kept as bits.
  private struct Parser {
    private enum Expectation { case value, valueOrEnd, key, keyOrEnd, colon, commaOrEnd, nothing }
    private enum Token { case none, string, escape, word }

    private(set) var depth = 0
    private var openObjects: [Bool] = []
    private var expectation = Expectation.value
    private var token = Token.none
    private var word: [UInt8] = []

    /// Returns false once the text cannot be JSON.
    mutating func accept(_ byte: UInt8) -> Bool {
      switch token {
      case .escape:
        token = .string
        return true
      case .string:
        if byte == UInt8(ascii: "\\") { token = .escape }
        if byte == UInt8(ascii: "\"") { endString() }
        return byte >= 0x20
      case .word:
        if isWordByte(byte) {
          word.append(byte)
          return word.count <= 64
        }
        guard endWord() else { return false }
        return structure(byte)
      case .none: return structure(byte)
      }
    }

    private mutating func structure(_ byte: UInt8) -> Bool {
      if byte.isASCIIWhitespace { return true }
      switch (byte, expectation) {
      case (UInt8(ascii: "{"), .value), (UInt8(ascii: "{"), .valueOrEnd): return open(object: true)
      case (UInt8(ascii: "["), .value), (UInt8(ascii: "["), .valueOrEnd): return open(object: false)
      case (UInt8(ascii: "}"), .keyOrEnd), (UInt8(ascii: "}"), .commaOrEnd): return close(object: true)
      case (UInt8(ascii: "]"), .valueOrEnd), (UInt8(ascii: "]"), .commaOrEnd): return close(object: false)
      case (UInt8(ascii: ","), .commaOrEnd): expectation = openObjects.last == true ? .key : .value
      case (UInt8(ascii: ":"), .colon): expectation = .value
      case (UInt8(ascii: "\""), .value), (UInt8(ascii: "\""), .valueOrEnd), (UInt8(ascii: "\""), .key),
        (UInt8(ascii: "\""), .keyOrEnd):
        token = .string
      case (_, .value), (_, .valueOrEnd):
        guard isWordByte(byte) else { return false }
        token = .word
        word = [byte]
      default: return false
      }
      return true
    }

    private mutating func open(object: Bool) -> Bool {
      depth += 1
      openObjects.append(object)
      expectation = object ? .keyOrEnd : .valueOrEnd
      return depth <= 1_024
    }

    private mutating func close(object: Bool) -> Bool {
      guard openObjects.popLast() == object else { return false }
      depth -= 1
      expectation = depth == 0 ? .nothing : .commaOrEnd
      return true
    }

    private mutating func endString() {
      token = .none
      expectation = expectation == .key || expectation == .keyOrEnd ? .colon : .commaOrEnd
    }

    /// Ends a number or one of the three literals.
    private mutating func endWord() -> Bool {
      token = .none
      expectation = .commaOrEnd
      let text = String(decoding: word, as: UTF8.self)
      return ["true", "false", "null"].contains(text) || Double(text) != nil
    }

    private func isWordByte(_ byte: UInt8) -> Bool {
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2B || byte == 0x2D || byte == 0x2E
        || byte == 0x45
    }
  }
}
