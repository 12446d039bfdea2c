/// A box of the ISO base media file format (ISO/IEC 14496-12, 4.2), which QuickTime calls an atom.
public struct Box: Hashable, Sendable {
  /// Whether a box fits into its container.
  public enum Fit: Hashable, Sendable {
    /// It ends inside its container, at its stated size.
    case whole
    /// Its stated size exceeds its container.
    case cut
    /// Its size is invalid: smaller than its header, or missing.
    case malformed
  }

  /// Four characters, such as `moov`; `uuid` for a box whose type is in its first 16 bytes.
  public let type: FourCC
  /// Offset of its first byte, where the size field begins.
  public let start: Int
  /// Offsets of the bytes after size and type; clamped to the container.
  public let body: Range<Int>
  /// Whether it fits into its container.
  public let fit: Fit

  /// Whether it ends inside its container.
  @inlinable public var isWhole: Bool { fit == .whole }
  /// Whether its stated size exceeds its container.
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

  /// The 16-byte type of a `uuid` box (4.2.2) and the body after it; nil for another type, and if the bytes are missing.
  @inlinable
  public func userType(in source: some Box.Source) -> (type: UserType, body: Range<Int>)? {
    guard type == "uuid", body.count >= 16, let high = source.number(at: body.lowerBound, bytes: 8),
      let low = source.number(at: body.lowerBound + 8, bytes: 8)
    else { return nil }
    return (UserType(high, low), body.dropFirst(16))
  }
}

extension Box {
  /// The 128-bit type of a `uuid` box.
  public struct UserType: Hashable, Sendable {
    /// The first eight bytes.
    public let high: UInt64
    /// The last eight bytes.
    public let low: UInt64

    /// A type with these bytes.
    @inlinable
    public init(_ high: UInt64, _ low: UInt64) {
      self.high = high
      self.low = low
    }
  }
}
