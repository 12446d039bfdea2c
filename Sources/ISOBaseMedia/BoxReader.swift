/// Iterates over the sibling boxes in a range.
///
/// Reads the header of each box, 8 or 16 bytes, and skips its body. Never fails and never traps: sizes are checked against the range. To read the
/// children of a box, use another reader over ``Box/body``. So the caller limits the depth, and a file cannot cause recursion.
public struct BoxReader<Source: Box.Source>: Sequence, IteratorProtocol {
  /// The treatment of a box that does not fit into the range.
  public enum Strictness: Sendable {
    /// A cut box is clamped, and a malformed one ends the iteration: to show as much as possible.
    case lenient
    /// The first box that is not whole ends the iteration before it.
    case wholeBoxes
    /// The first box that is not whole takes the rest of the range, with its ``Box/fit``: to account for every byte.
    case everyByte
  }

  /// The source of the bytes.
  public let source: Source
  @usableFromInline var offset: Int
  @usableFromInline let end: Int
  @usableFromInline var boxesLeft: Int
  @usableFromInline let strictness: Strictness

  /// The boxes in a range, which is clamped to the end of the source.
  /// - Parameters:
  ///   - strictness: The treatment of a box that does not fit. Default ``Strictness/lenient``.
  ///   - limit: Maximum number of boxes; later ones are ignored. Default 16,384, more siblings than any image has.
  @inlinable
  public init(_ source: Source, _ range: Range<Int>, _ strictness: Strictness = .lenient, limit: Int = 16_384) {
    self.source = source
    self.strictness = strictness
    offset = Swift.max(0, range.lowerBound)
    end = Swift.min(range.upperBound, source.count)
    boxesLeft = limit
  }

  /// The next box; nil at the end. Fewer than eight trailing bytes are not a box.
  @inlinable
  public mutating func next() -> Box? {
    guard boxesLeft > 0, offset <= end, let header = Box.Header(source, at: offset, room: end - offset) else {
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

  /// The first box of a type at this level; nil if there is none. The content of other boxes is not searched.
  @inlinable
  public func first(_ type: FourCC) -> Box? { first { $0.type == type } }

  /// The box at the end of a path of types, each the first of its type in its parent.
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
