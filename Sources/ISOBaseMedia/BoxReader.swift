/// The boxes of a range, one after another: those beside each other, not those inside them.
///
/// Reads the 8 bytes of each header, 16 with a size of 64 bits, and skips the body. Never fails and never traps: sizes are held against the range.
/// Boxes inside a box are read by another reader over ``Box/body``, so depth is the caller's: there is no recursion for a file to drive.
public struct BoxReader<Source: BoxSource>: Sequence, IteratorProtocol {
  /// What becomes of a box that does not fit into the range.
  public enum Strictness: Sendable {
    /// A cut box is read as far as there are bytes, and a malformed one ends the range: for showing what can be shown.
    case lenient
    /// The first box that is not whole ends the range before it.
    case wholeBoxes
    /// The first box that is not whole takes the rest of the range and says so in ``Box/fit``: for whoever accounts for every byte.
    case everyByte
  }

  /// Where the boxes are read from.
  public let source: Source
  @usableFromInline var offset: Int
  @usableFromInline let end: Int
  @usableFromInline var boxesLeft: Int
  @usableFromInline let strictness: Strictness

  /// The boxes of a range of the source, which is cut at the source's end.
  /// - Parameters:
  ///   - strictness: What becomes of a box that does not fit. Default ``Strictness/lenient``.
  ///   - limit: Boxes at most; those behind are not read. Default 16,384, more than any image has beside each other.
  @inlinable
  public init(_ source: Source, _ range: Range<Int>, _ strictness: Strictness = .lenient, limit: Int = 16_384) {
    self.source = source
    self.strictness = strictness
    offset = Swift.max(0, range.lowerBound)
    end = Swift.min(range.upperBound, source.count)
    boxesLeft = limit
  }

  /// The next box; nil at the end. Fewer than eight bytes at the end are no box.
  @inlinable
  public mutating func next() -> Box? {
    guard boxesLeft > 0, offset <= end, let header = BoxHeader(source, at: offset, room: end - offset) else {
      return nil
    }
    boxesLeft -= 1
    let fit: Box.Fit = header.size.map { $0 <= end - offset ? .whole : .cut } ?? .malformed
    switch strictness {
    case .lenient: if fit == .malformed { return stop() }
    case .wholeBoxes: if fit != .whole { return stop() }
    case .everyByte: break
    }
    let start = offset
    if fit == .whole, let size = header.size { offset += size } else { offset = end }
    return Box(type: header.type, start: start, body: Swift.min(start + header.length, offset)..<offset, fit: fit)
  }

  @usableFromInline
  mutating func stop() -> Box? {
    offset = end
    return nil
  }

  /// The first box of a type.
  @inlinable
  public func first(_ type: FourCC) -> Box? { first { $0.type == type } }

  /// The box at the end of a path of types, each the first of its type in the one before; as deep as the path is long.
  @inlinable
  public func first(_ path: [FourCC]) -> Box? {
    guard let type = path.first, let box = first(type) else { return nil }
    guard path.count > 1 else { return box }
    var inner = BoxReader(source, box.body, strictness, limit: boxesLeft)
    var found: Box?
    for type in path.dropFirst() {
      guard let box = inner.first(type) else { return nil }
      inner = BoxReader(source, box.body, strictness, limit: boxesLeft)
      found = box
    }
    return found
  }
}
