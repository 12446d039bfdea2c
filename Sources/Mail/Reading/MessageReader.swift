internal import MediaModel

/// Finds the parts of a mail in one pass over its lines. Open multiparts and messages are on a stack of their own, not on the call stack.
struct MessageReader {
  /// A multipart or an attached message that is still open.
  private struct Frame {
    let part: Int
    /// Of a multipart; none for a message, and after the closing boundary. Of two, the one that a line has first is meant.
    var boundaries: [Boundary]
    /// What the sections of its parts begin with.
    let prefix: String
    let isDigest: Bool
    var parts = 0

    init(part: Int, boundaries: [[UInt8]], prefix: String, isDigest: Bool) {
      self.part = part
      self.boundaries = boundaries.map { Boundary(octets: $0, hash: MessageReader.hash(ofBoundary: $0)) }
      self.prefix = prefix
      self.isDigest = isDigest
    }
  }

  /// A boundary with its hash, which is computed once: a boundary may be long, and others open and close inside.
  private struct Boundary {
    let octets: [UInt8]
    let hash: UInt64
  }

  /// A boundary that is searched for. Close together in memory, because a line is compared with all of them.
  private struct Candidate {
    let hash: UInt64
    /// Positions of the frame, and of the boundary in it.
    let frame: Int
    let index: Int
  }

  private let octets: Octets
  private let limits: MailStructure.Limits
  private var frames: [Frame] = []
  /// Bit n is set if a boundary has n octets, modulo 64: most lines that begin with dashes are dismissed by it.
  private var boundaryLengths: UInt64 = 0
  /// The boundaries of the frames.
  private var candidates: [Candidate] = []
  private var leaf: Int?
  private var lineBreaks = 0
  /// `lineBreaks` at the beginning of each part's body.
  private var lineBreaksBefore: [Int] = []

  private(set) var header = MailStructure.Header()
  private(set) var parts: [MailStructure.Part] = []

  init(_ octets: Octets, limits: MailStructure.Limits) {
    self.octets = octets
    self.limits = limits
  }

  /// Reads all parts.
  mutating func read() {
    var offset = readPart(at: 0)
    while offset < octets.count {
      let next = octets.lineEnd(from: offset)
      if let match = boundary(in: offset..<next) {
        close(to: match.frame + 1, at: offset)
        if octets[next - 1] == ASCII.lineFeed { lineBreaks += 1 }
        if frames[match.frame].boundaries.count > 1 {
          frames[match.frame].boundaries = [frames[match.frame].boundaries[match.index]]
          updateBoundaries()
        }
        if match.isLast {
          frames[match.frame].boundaries = []
          updateBoundaries()
          offset = next
        } else if octets[next - 1] == ASCII.lineFeed {
          offset = readPart(at: next)
        } else {
          // The mail ends inside this line: no part follows, and the line may be the beginning of a closing boundary.
          offset = next
        }
      } else {
        if octets[next - 1] == ASCII.lineFeed { lineBreaks += 1 }
        offset = next
      }
    }
    close(to: 0, at: octets.count, isBoundary: false)
  }

  /// Reads a part's header, and those of the messages that begin with it. Returns the offset of the body.
  private mutating func readPart(at start: Int) -> Int {
    var start = start
    while true {
      if parts.count >= max(1, limits.maxParts) - 1, !parts.isEmpty { return addRest(at: start) }
      let block = readHeader(at: start)
      let (found, boundaries) = PartFields.part(block, in: octets, isInDigest: frames.last?.isDigest ?? false)
      var part = found
      part.headerRange = start..<block.bodyStart
      let isContainer = part.isMultipart ? !boundaries.isEmpty : part.isMessage && part.isUnencoded
      let isDigest = part.subtype == "digest"
      if isContainer, frames.count >= limits.maxDepth {
        part.makeLeaf(.octetStream)
        part.isOverLimit = true
      } else if part.isMultipart, boundaries.isEmpty {
        part.makeLeaf(.plainText)
      }
      let prefix = place(&part)
      if frames.isEmpty {
        header = PartFields.header(block, in: octets)
      } else if let parent = part.parent, !parts[parent].isMultipart {
        parts[parent].message = PartFields.header(block, in: octets)
      }
      let position = append(part, bodyStart: block.bodyStart)
      guard isContainer, !part.isOverLimit else {
        leaf = position
        return block.bodyStart
      }
      frames.append(
        Frame(part: position, boundaries: boundaries, prefix: prefix, isDigest: isDigest))
      if part.isMultipart {
        updateBoundaries()
        return block.bodyStart
      }
      start = block.bodyStart
    }
  }

  /// Sets section and parent, and returns the prefix of the sections inside (RFC 9051 §6.4.5).
  private mutating func place(_ part: inout MailStructure.Part) -> String {
    guard let last = frames.indices.last else {
      part.section = part.isMultipart ? "TEXT" : "1"
      return part.isMultipart ? "" : "1."
    }
    let frame = frames[last]
    part.parent = frame.part
    if parts[frame.part].isMultipart {
      frames[last].parts += 1
      part.section = frame.prefix + String(frame.parts + 1)
      return part.section + "."
    }
    parts[frame.part].message = MailStructure.Header()
    part.section = frame.prefix + (part.isMultipart ? "TEXT" : "1")
    return part.isMultipart ? frame.prefix : frame.prefix + "1."
  }

  private mutating func append(_ part: MailStructure.Part, bodyStart: Int) -> Int {
    var part = part
    part.bodyRange = bodyStart..<bodyStart
    parts.append(part)
    lineBreaksBefore.append(lineBreaks)
    return parts.count - 1
  }

  /// At the limit of parts: one leaf with the rest of the mail.
  private mutating func addRest(at start: Int) -> Int {
    var part = MailStructure.Part.empty(.octetStream)
    part.isOverLimit = true
    part.headerRange = start..<start
    _ = place(&part)
    leaf = append(part, bodyStart: start)
    return octets.count
  }

  // MARK: Header

  private mutating func readHeader(at start: Int) -> HeaderBlock {
    var block = HeaderBlock()
    var offset = start
    var current: HeaderBlock.Field?
    // A field that was found after a malformed line: no line before it is searched again.
    var knownField = start
    func isInsideHeader(_ offset: Int) -> Bool {
      if offset > knownField { knownField = octets.knownField(from: offset) ?? start }
      return offset <= knownField
    }
    while offset < octets.count {
      let next = octets.lineEnd(from: offset)
      let first = octets[offset]
      if first == ASCII.lineFeed || first == ASCII.carriageReturn && next - offset == 2 {
        lineBreaks += 1
        block.bodyStart = next
        return block
      }
      if boundary(in: offset..<next) != nil { break }
      if first == ASCII.space || first == ASCII.tab {
        if let current, let range = block[current] { block[current] = range.lowerBound..<next }
      } else if let colon = octets.colon(ofFieldIn: offset..<next) {
        current = nil
        if next - start <= limits.maxHeaderOctets,
          let field = HeaderBlock.field(octets, offset..<nameEnd(offset, colon)), block[field] == nil
        {
          block[field] = colon + 1..<next
          current = field
        }
      } else if octets.line(at: offset, beginsWith: "from ") || octets.line(at: offset, beginsWith: ">from ")
        || !octets.hasPrefix("--", at: offset) && isInsideHeader(next)
      {
        // The separator of an mbox file, or a malformed line inside a header.
        current = nil
      } else {
        // The empty line is missing: the body begins here.
        break
      }
      if octets[next - 1] == ASCII.lineFeed { lineBreaks += 1 }
      offset = next
      // A field ends at the limit too.
      if offset - start > limits.maxHeaderOctets { current = nil }
    }
    block.bodyStart = offset
    return block
  }

  private func nameEnd(_ start: Int, _ colon: Int) -> Int {
    var end = colon
    while end > start, octets[end - 1] == ASCII.space || octets[end - 1] == ASCII.tab { end -= 1 }
    return end
  }

  // MARK: Boundaries

  /// The innermost open multipart whose boundary a line is (RFC 2046 §5.1.1). White space may follow it.
  @inline(__always)
  private func boundary(in line: Range<Int>) -> (frame: Int, index: Int, isLast: Bool)? {
    guard boundaryLengths != 0, octets[line.lowerBound] == ASCII.dash, octets[line.lowerBound + 1] == ASCII.dash else {
      return nil
    }
    return matchingBoundary(in: line)
  }

  private func matchingBoundary(in line: Range<Int>) -> (frame: Int, index: Int, isLast: Bool)? {
    let start = line.lowerBound + 2
    var end = line.upperBound
    while end > start, ASCII.isSpace(octets[end - 1]) { end -= 1 }
    let count = end - start
    guard count > 0 else { return nil }
    let isClosing = count > 2 && octets[end - 1] == ASCII.dash && octets[end - 2] == ASCII.dash
    let mayOpen = boundaryLengths & 1 << UInt64(count & 63) != 0
    let mayClose = isClosing && boundaryLengths & 1 << UInt64((count - 2) & 63) != 0
    guard mayOpen || mayClose else { return nil }
    let opening = mayOpen ? hash(start..<end) : 0
    let closing = mayClose ? hash(start..<end - 2) : 0
    for candidate in candidates.reversed() where candidate.hash == opening || candidate.hash == closing {
      let boundary = frames[candidate.frame].boundaries[candidate.index].octets
      if octets.equal(start..<end, boundary) { return (candidate.frame, candidate.index, false) }
      if isClosing, octets.equal(start..<end - 2, boundary) { return (candidate.frame, candidate.index, true) }
    }
    return nil
  }

  private mutating func updateBoundaries() {
    candidates.removeAll(keepingCapacity: true)
    boundaryLengths = 0
    for (position, frame) in frames.enumerated() {
      for (index, boundary) in frame.boundaries.enumerated() {
        candidates.append(Candidate(hash: boundary.hash, frame: position, index: index))
        boundaryLengths |= 1 << UInt64(boundary.octets.count & 63)
      }
    }
  }

  /// FNV-1a; never 0. Equal hashes only select what is compared.
  private static func hash(ofBoundary boundary: [UInt8]) -> UInt64 { hash(boundary, after: firstHash) | 1 }

  private func hash(_ range: Range<Int>) -> UInt64 {
    var result = Self.firstHash
    octets.forEachPiece(of: range) {
      result = Self.hash($0, after: result)
      return true
    }
    return result | 1
  }

  private static func hash(_ octets: some Sequence<UInt8>, after hash: UInt64) -> UInt64 {
    octets.reduce(hash) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private static let firstHash: UInt64 = 0xCBF2_9CE4_8422_2325

  // MARK: Ends

  /// Closes the open leaf and the frames from an index on. The line break before a boundary belongs to the boundary.
  private mutating func close(to count: Int, at offset: Int, isBoundary: Bool = true) {
    let end = isBoundary ? octets.withoutLineBreak(before: offset) : offset
    if let leaf {
      finish(leaf, end: end, offset: offset)
      self.leaf = nil
    }
    guard frames.count > count else { return }
    while frames.count > count, let frame = frames.popLast() {
      finish(frame.part, end: end, offset: offset)
      if parts[frame.part].isMultipart, frame.parts == 0 {
        // No boundary line was found: the text is all there is to display.
        if parts[frame.part].section.hasSuffix("TEXT") { parts[frame.part].section = frame.prefix + "1" }
        parts[frame.part].makeLeaf(.plainText)
        finish(frame.part, end: end, offset: offset)
      }
    }
    updateBoundaries()
  }

  private mutating func finish(_ position: Int, end: Int, offset: Int) {
    guard let start = parts[position].bodyRange?.lowerBound else { return }
    let end = max(start, end)
    parts[position].bodyRange = start..<end
    parts[position].octets = end - start
    if parts[position].type.topLevel == "text" || parts[position].isMessage {
      parts[position].lines = lineBreaks - lineBreaksBefore[position] - (end < offset ? 1 : 0)
    }
    let isContainer = parts[position].isMultipart || parts[position].message != nil
    parts[position].decodedSize = .exact(
      isContainer ? end - start : octets.decodedCount(parts[position], start..<end))
  }
}
