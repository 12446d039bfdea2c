/// A set of byte values.
struct ByteSet: Hashable, Sendable {
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  static func == (left: ByteSet, right: ByteSet) -> Bool { left.words == right.words }
  func hash(into hasher: inout Hasher) {
    for byte in UInt8.min...UInt8.max where contains(byte) { hasher.combine(byte) }
  }

  mutating func insert(_ byte: UInt8) {
    let bit: UInt64 = 1 << UInt64(byte & 63)
    switch byte >> 6 {
    case 0: words.0 |= bit
    case 1: words.1 |= bit
    case 2: words.2 |= bit
    default: words.3 |= bit
    }
  }

  /// Inserts `first` through `last`; nothing if `first` is larger.
  mutating func insert(from first: UInt8, to last: UInt8) {
    guard first <= last else { return }
    for byte in first...last { insert(byte) }
  }

  func contains(_ byte: UInt8) -> Bool {
    let word =
      switch byte >> 6 {
      case 0: words.0
      case 1: words.1
      case 2: words.2
      default: words.3
      }
    return word >> UInt64(byte & 63) & 1 == 1
  }

  var inverted: ByteSet {
    var set = self
    set.words = (~words.0, ~words.1, ~words.2, ~words.3)
    return set
  }

  /// The bytes of a POSIX character class such as `alpha` in the C locale; nil for an unknown name.
  static func named(_ name: ArraySlice<UInt8>) -> ByteSet? {
    var set = ByteSet()
    func add(_ ranges: (Character, Character)...) {
      for (first, last) in ranges { set.insert(from: first.asciiValue ?? 1, to: last.asciiValue ?? 0) }
    }
    switch String(decoding: name, as: UTF8.self) {
    case "alnum": add(("0", "9"), ("A", "Z"), ("a", "z"))
    case "alpha": add(("A", "Z"), ("a", "z"))
    case "blank": add((" ", " "), ("\t", "\t"))
    case "cntrl":
      set.insert(from: 0, to: 31)
      set.insert(127)
    case "digit": add(("0", "9"))
    case "graph": add(("!", "~"))
    case "lower": add(("a", "z"))
    case "print": add((" ", "~"))
    case "punct": add(("!", "/"), (":", "@"), ("[", "`"), ("{", "~"))
    case "space":
      set.insert(from: 9, to: 13)
      set.insert(32)
    case "upper": add(("A", "Z"))
    case "xdigit": add(("0", "9"), ("A", "F"), ("a", "f"))
    default: return nil
    }
    return set
  }
}
