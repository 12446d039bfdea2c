extension Box {
  /// The size and type of a box (ISO/IEC 14496-12, 4.2.2).
  public struct Header: Hashable, Sendable {
    /// Four characters, such as `moov`; `uuid` for a box whose type is in its first 16 bytes.
    public let type: FourCC
    /// Length of the header in bytes: 8, or 16 with a 64-bit size.
    public let length: Int
    /// Stated size of the box in bytes, which may exceed its container; `Int.max` if it does not fit into an Int. A stated 0 means the rest of the
    /// container. Nil if it is smaller than the header, or if the 64-bit size is missing.
    public let size: Int?

    /// Reads the header at an offset; nil if fewer than eight bytes remain.
    /// - Parameter room: Number of bytes from the offset to the end of the container.
    @inlinable
    public init?(_ source: some Box.Source, at offset: Int, room: Int) {
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
}
