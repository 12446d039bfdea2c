#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Where the members of a cluster stand when it is opened: on a circle round its icon, and when that is full on a spiral that goes on
/// from it (R-MYM-15).
public struct ClusterLayout: Hashable, Sendable {
  /// A position relative to the icon, in pixels, right and down.
  public struct Offset: Hashable, Codable, Sendable {
    /// To the right.
    public var x: Double
    /// Downwards.
    public var y: Double
  }

  /// The side of what is shown for a member, in pixels.
  public var side: Double
  /// More members than this have no position: what does not fit on a screen is a list.
  public static let capacity = 1_000
  /// So many stand on the circle.
  public static let circle = 8

  /// A layout of members of a side in pixels, 1…1,000. Default 44: what a finger hits.
  public init(side: Double = 44) { self.side = side.isFinite ? min(max(side, 1), 1_000) : 44 }

  /// The positions of `count` members, in the order of ``MediaCatalogue/members(of:owner:after:limit:)``, the first at the top and the others
  /// clockwise. No two are nearer than a side, and none covers the icon. The same for the same number; and from a full circle on, one more member moves no other.
  public func offsets(of count: Int) -> [Offset] {
    let count = min(max(count, 0), Self.capacity)
    // Half a pixel in a hundred is room for rounding.
    let gap = side * 1.01
    // Eight in a circle are a side apart; and the icon in the middle is free.
    let radius = max(gap / (2 * sin(.pi / Double(Self.circle))), gap)
    func offset(_ angle: Double, _ radius: Double) -> Offset {
      Offset(x: radius * sin(angle), y: -radius * cos(angle))
    }
    let onCircle = min(count, Self.circle)
    var offsets = (0..<onCircle).map { offset(2 * .pi * Double($0) / Double(onCircle), radius) }
    // Out by a gap each turn, beginning a turn after the circle's first; each a gap along from the one before. Neighbours of two turns are a gap
    // apart too, but for the slant: hence the little more.
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
