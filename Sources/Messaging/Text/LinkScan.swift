/// A single pass over a text to detect links.
///
/// A link begins at the start of the text or after a character that may precede one. All three kinds are tried at each
/// such position; each kind continues after its own last match. Of overlapping links the earlier one wins, then the
/// longer one, then phone before URL before e-mail (A29). A trial examines no other possible start, or a bounded number
/// of bytes, so the time is linear.
struct LinkScan {
  /// A match in bytes.
  struct Span {
    var kind: LinkDetector.Link.Kind
    var bytes: Range<Int>
    /// Bytes of the scheme without the colon; 0 if there is none.
    var schemeLength = 0
  }

  /// The result of one trial.
  enum Trial {
    /// No match begins here.
    case none
    /// There is a match that is not a link; the search for this kind continues after it.
    case rejected(end: Int)
    /// The text of the span is a link.
    case found(Span)
  }

  let bytes: UnsafeBufferPointer<UInt8>
  /// Number of bytes examined.
  var work = 0

  private let classes: UnsafeBufferPointer<UInt16>

  /// Creates a scan; `classes` is ``ByteClasses/table``.
  init(bytes: UnsafeBufferPointer<UInt8>, classes: UnsafeBufferPointer<UInt16>) {
    self.bytes = bytes
    self.classes = classes
  }

  /// The links in the order of the text, without overlaps.
  mutating func spans(of kinds: Set<LinkDetector.Link.Kind>) -> [Span] {
    let phones = kinds.contains(.phone)
    let urls = kinds.contains(.url)
    let emails = kinds.contains(.email)
    var found: [Span] = []
    var nextPhone = 0
    var nextURL = 0
    var nextEmail = 0
    var end = 0
    var place = 0
    while place < bytes.count {
      var best: Span?
      if phones, place >= nextPhone, isOne(of: .phoneStart, at: place) {
        take(phone(at: place), next: &nextPhone, best: &best)
      }
      // Most words are followed by a space, so neither a host name nor an address begins with them.
      let word = endOfRun(of: .label, from: place)
      if urls, place >= nextURL, word > place, isOne(of: .behindHost, at: word) {
        take(url(at: place), next: &nextURL, best: &best)
      }
      if emails, place >= nextEmail, isOne(of: .behindLocal, at: word) {
        take(email(at: place), next: &nextEmail, best: &best)
      }
      if let best, best.bytes.lowerBound >= end {
        found.append(best)
        end = best.bytes.upperBound
      }
      place = nextStart(from: word)
    }
    return found
  }

  private func take(_ trial: Trial, next: inout Int, best: inout Span?) {
    switch trial {
    case .none: break
    case .rejected(let end): next = end
    case .found(let span):
      next = span.bytes.upperBound
      if span.bytes.count > best?.bytes.count ?? 0 { best = span }
    }
  }

  /// The next position at which a link may begin: after the first character from `place` on that may precede one.
  private func nextStart(from place: Int) -> Int {
    var place = place
    while place < bytes.count {
      if classes[Int(bytes[place])] & ByteClasses.before.rawValue != 0 {
        let length = letterLength(at: place)
        if length == 0 { return place &+ 1 }
        place &+= length
      } else {
        place &+= 1
      }
    }
    return place &+ 1
  }

  /// The byte length of a non-ASCII letter at a position, if its alphabet has spaces between words: Latin, Greek,
  /// Cyrillic and Armenian with accents, U+00C0…U+058F, and Latin and Greek Extended, U+1E00…U+1FFF; otherwise 0.
  func letterLength(at place: Int) -> Int {
    guard place &+ 1 < bytes.count else { return 0 }
    switch (bytes[place], bytes[place &+ 1]) {
    // × and ÷ are among the letters of Latin-1.
    case (0xC3, 0x97), (0xC3, 0xB7): return 0
    case (0xC3...0xD5, _), (0xD6, 0x80...0x8F): return 2
    case (0xE1, 0xB8...0xBF): return 3
    default: return 0
    }
  }
}

extension LinkScan {
  /// Whether the byte at a position is in a class; false past the end.
  @inline(__always)
  func isOne(of wanted: ByteClasses, at place: Int) -> Bool {
    place < bytes.count && classes[Int(bytes[place])] & wanted.rawValue != 0
  }

  /// Whether a byte is at a position; false past the end.
  func isByte(_ byte: Character, at place: Int) -> Bool { place < bytes.count && bytes[place] == byte.asciiValue }

  /// The end of a run of bytes of a class.
  @inline(__always)
  mutating func endOfRun(of wanted: ByteClasses, from place: Int) -> Int {
    var end = place
    while isOne(of: wanted, at: end) { end &+= 1 }
    work &+= end &- place &+ 1
    return end
  }

  /// The bytes as text, for a table lookup.
  func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }
}
