#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

extension LocationMap {
  /// Positions of the members of a cluster when it is opened: on a circle around its icon and, when that is full, on a spiral that continues it
  /// (R-MYM-15).
  public struct Layout: Hashable, Sendable {
    /// A position relative to the icon in pixels, to the right and down.
    public struct Offset: Hashable, Codable, Sendable {
      /// Pixels to the right.
      public var x: Double
      /// Pixels down.
      public var y: Double
    }

    /// Side of a member's icon in pixels.
    public var side: Double
    /// Maximum number of positions; more members do not fit on a screen and need a list.
    public static let capacity = 1_000
    /// Number of members on the circle.
    public static let circle = 8

    /// A layout for members with a side of 1…1,000 pixels. Default 44, the size of a touch target.
    public init(side: Double = 44) { self.side = side.isFinite ? min(max(side, 1), 1_000) : 44 }

    /// The positions of `count` members in the order of `MediaCatalogue.members`: the first at the top, the others
    /// clockwise. Two positions are at least one side apart, and none covers the icon. Equal numbers give equal positions; once the circle is
    /// full, one more member moves no other.
    public func offsets(of count: Int) -> [Offset] {
      let count = min(max(count, 0), Self.capacity)
      // One percent more, for rounding.
      let gap = side * 1.01
      // Eight positions on the circle are one side apart, and the icon in the middle stays free.
      let radius = max(gap / (2 * sin(.pi / Double(Self.circle))), gap)
      func offset(_ angle: Double, _ radius: Double) -> Offset {
        Offset(x: radius * sin(angle), y: -radius * cos(angle))
      }
      let onCircle = min(count, Self.circle)
      var offsets = (0..<onCircle).map { offset(2 * .pi * Double($0) / Double(onCircle), radius) }
      // The spiral grows by one gap per turn, and starts one turn after the circle's first position. Positions are one gap apart along it. The extra
      // tenth makes up for the slant between neighbours of two turns.
      let pitch = gap * 1.1 / (2 * .pi)
      var angle = 0.0
      while offsets.count < count {
        let distance = radius + gap * 1.1 + pitch * angle
        offsets.append(offset(angle, distance))
        angle += 2 * asin(min(1, gap * 1.02 / (2 * distance)))
      }
      return offsets
    }
  }
}
