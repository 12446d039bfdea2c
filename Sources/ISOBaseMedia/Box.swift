/// A box of the ISO base media file format (ISO/IEC 14496-12, 4.2), which QuickTime calls an atom.
public struct Box: Hashable, Sendable {
  /// Whether a box fits into what holds it.
  public enum Fit: Hashable, Sendable {
    /// It ends where it says, inside.
    case whole
    /// It states more bytes than there are.
    case cut
    /// Its size is none: smaller than its header, or missing.
    case malformed
  }

  /// The box's type.
  public let type: FourCC
  /// Offset of its first byte, that of the size.
  public let start: Int
  /// Offsets of what follows size and type; ends with what holds the box.
  public let body: Range<Int>
  /// Whether it fits.
  public let fit: Fit

  /// Whether it ends where it says.
  @inlinable public var isWhole: Bool { fit == .whole }
  /// Whether it states more bytes than there are.
  @inlinable public var isCut: Bool { fit == .cut }
  /// Offsets of the whole box.
  @inlinable public var range: Range<Int> { start..<body.upperBound }

  @inlinable
  package init(type: FourCC, start: Int, body: Range<Int>, fit: Fit) {
    self.type = type
    self.start = start
    self.body = body
    self.fit = fit
  }

  /// The 16 bytes that name the kind of a `uuid` box (4.2.2), and the body behind them; nil for another type, and where they are missing.
  @inlinable
  public func userType(in source: some BoxSource) -> (type: UserType, body: Range<Int>)? {
    guard type == "uuid", body.count >= 16, let high = source.number(at: body.lowerBound, bytes: 8),
      let low = source.number(at: body.lowerBound + 8, bytes: 8)
    else { return nil }
    return (UserType(high, low), body.dropFirst(16))
  }
}

/// The kind of a `uuid` box: 128 bits.
public struct UserType: Hashable, Sendable {
  /// The first eight bytes.
  public let high: UInt64
  /// The last eight bytes.
  public let low: UInt64

  /// A kind by its bytes.
  @inlinable
  public init(_ high: UInt64, _ low: UInt64) {
    self.high = high
    self.low = low
  }
}
