/// Reads the primitives of WAP-230-WSP §8.4.2 from a range of octets.
///
/// Every method either advances past the value or returns nil. None reads beyond ``end``, and none allocates: texts are slices.
struct WSPReader {
  /// The whole message.
  let octets: ArraySlice<UInt8>
  /// Index of the next octet.
  private(set) var position: Int
  /// Index after the last octet that may be read.
  let end: Int

  init(_ octets: ArraySlice<UInt8>) {
    self.octets = octets
    position = octets.startIndex
    end = octets.endIndex
  }

  private init(_ octets: ArraySlice<UInt8>, position: Int, end: Int) {
    self.octets = octets
    self.position = position
    self.end = end
  }

  /// Position in octets from the start of the message.
  var offset: Int { position - octets.startIndex }

  var isAtEnd: Bool { position >= end }

  /// Number of remaining octets.
  var count: Int { end - position }

  /// A reader of a range inside this reader's.
  func reader(of range: Range<Int>) -> WSPReader {
    WSPReader(octets, position: range.lowerBound, end: range.upperBound)
  }

  /// Advances to an index inside the range.
  mutating func move(to index: Int) { position = min(max(index, position), end) }

  func peek() -> UInt8? { position < end ? octets[position] : nil }

  mutating func octet() -> UInt8? {
    guard position < end else { return nil }
    defer { position += 1 }
    return octets[position]
  }

  /// All remaining octets.
  mutating func rest() -> ArraySlice<UInt8> {
    defer { position = end }
    return octets[min(position, end)..<end]
  }

  /// Uintvar: 7 bits per octet, at most 5 octets and 32 bits.
  mutating func uintvar() -> Int? {
    var value = 0
    for index in 0..<5 {
      guard position + index < end else { return nil }
      let octet = octets[position + index]
      value = value << 7 | Int(octet & 0x7F)
      if octet & 0x80 == 0 {
        guard value <= UInt32.max else { return nil }
        position += index + 1
        return value
      }
    }
    return nil
  }

  /// Value-length: 0…30 in one octet, or 31 and a uintvar. Nil also if fewer octets remain.
  mutating func valueLength() -> Int? {
    guard let first = peek(), first <= 31 else { return nil }
    var next = self
    next.position += 1
    let length = first < 31 ? Int(first) : next.uintvar()
    guard let length, length <= next.count else { return nil }
    self = next
    return length
  }

  /// Short-integer, or a token with its high bit: the octet itself.
  mutating func token() -> UInt8? {
    guard let first = peek(), first >= 0x80 else { return nil }
    position += 1
    return first
  }

  /// Long-integer: a length of 1…30 and a big-endian number; `Int.max` when it does not fit.
  mutating func longInteger() -> Int? {
    guard let length = peek(), (1...30).contains(length), Int(length) < count else { return nil }
    position += 1
    var value = 0
    for octet in octets[position..<position + Int(length)] {
      value = value > Int.max >> 8 ? Int.max : value << 8 | Int(octet)
    }
    position += Int(length)
    return value
  }

  /// Integer-value: a Short-integer or a Long-integer.
  mutating func integer() -> Int? {
    if let token = token() { return Int(token & 0x7F) }
    return longInteger()
  }

  /// Text-string: octets to the NUL, without the quote before a text that begins with 0x80…0xFF.
  mutating func text() -> TextString? {
    var start = position
    if peek() == 0x7F { start += 1 }
    guard start < end, let terminator = octets[start..<end].firstIndex(of: 0) else { return nil }
    position = terminator + 1
    return TextString(octets: octets[start..<terminator])
  }

  /// A text that may also end with the range: for the headers of parts, which are often truncated in practice.
  mutating func textToEnd() -> TextString? {
    if let text = text() { return text }
    guard position < end else { return nil }
    return TextString(octets: peek() == 0x7F ? rest().dropFirst() : rest())
  }

  /// A Quoted-string: a text after 0x22, without a closing quote; the one that some phones write is dropped.
  mutating func quotedString() -> TextString? {
    guard peek() == 0x22 else { return nil }
    var next = self
    next.position += 1
    guard let terminator = next.octets[next.position..<end].firstIndex(of: 0) else { return nil }
    var text = octets[next.position..<terminator]
    if text.last == 0x22 { text.removeLast() }
    position = terminator + 1
    return TextString(octets: text)
  }

  /// The extent of a value that can only be a text or have a length. A text that begins with 0x80…0xFF lacks the quote octet
  /// that should precede it, and ends at its NUL all the same; as a short integer, its rest would be read as headers.
  mutating func textExtent() -> Range<Int>? {
    guard let first = peek(), first >= 0x80, let terminator = octets[position..<end].firstIndex(of: 0) else {
      return valueExtent()
    }
    defer { position = terminator + 1 }
    return position..<terminator + 1
  }

  /// The extent of a header's value, which follows from its first octet for any header (WAP-230-WSP §8.4.1.2): a length, a text or a single octet.
  /// Advances past it.
  mutating func valueExtent() -> Range<Int>? {
    let start = position
    guard let first = peek() else { return nil }
    switch first {
    case 0...31:
      guard let length = valueLength() else { return nil }
      position += length
    case 32...127:
      guard let terminator = octets[position..<end].firstIndex(of: 0) else { return nil }
      position = terminator + 1
    default: position += 1
    }
    return start..<position
  }
}
