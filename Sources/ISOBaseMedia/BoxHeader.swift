/// Size and type of a box (ISO/IEC 14496-12, 4.2.2).
public struct BoxHeader: Hashable, Sendable {
  /// The box's type.
  public let type: FourCC
  /// Bytes before the body: 8, or 16 with a size of 64 bits.
  public let length: Int
  /// Bytes of the whole box as it states them, which may be more than there are; `Int.max` for more than that. A stated 0 is the room
  /// itself. Nil for fewer than its header takes, and for a size of 64 bits that is not there.
  public let size: Int?

  /// The header at an offset; nil where no eight bytes are.
  /// - Parameter room: Bytes from the offset to the end of what holds the box.
  @inlinable
  public init?(_ source: some BoxSource, at offset: Int, room: Int) {
    guard room >= 8, let stated = source.number(at: offset, bytes: 4),
      let type = source.number(at: offset &+ 4, bytes: 4)
    else { return nil }
    self.type = FourCC(rawValue: UInt32(truncatingIfNeeded: type))
    switch stated {
    case 0:
      length = 8
      size = room
    case 1:
      length = 16
      let large = room >= 16 ? source.number(at: offset &+ 8, bytes: 8) : nil
      size = large.flatMap { $0 >= 16 ? Int(clamping: $0) : nil }
    default:
      length = 8
      size = stated >= 8 ? Int(stated) : nil
    }
  }
}
