#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Locations as single numbers, close for neighbours: the interleaved bits of the two Web Mercator coordinates (EPSG:3857), in Morton order.
/// A grid cell of any zoom level is one range of these numbers.
enum LocationCode {
  /// Bits of a coordinate: 15 cm at the equator.
  static let bits = 28
  /// Units of a coordinate across the map.
  static let side: Int64 = 1 << Int64(bits)
  /// Latitude of the edge of the square map; locations nearer to a pole are on the edge.
  static let maximumLatitude = 85.051_128_779_806_59

  static func code(latitude: Double, longitude: Double) -> Int64 {
    let (x, y) = position(latitude: latitude, longitude: longitude)
    return interleave(x: unit(x), y: unit(y))
  }

  /// The position of a location on the map, in units from the upper left corner.
  static func position(latitude: Double, longitude: Double) -> (x: Double, y: Double) {
    let limited = min(max(latitude, -maximumLatitude), maximumLatitude) * .pi / 180
    let y = (1 - log(tan(limited) + 1 / cos(limited)) / .pi) / 2
    return ((longitude + 180) / 360 * Double(side), y * Double(side))
  }

  static func longitude(x: Double) -> Double { x / Double(side) * 360 - 180 }
  static func latitude(y: Double) -> Double { atan(sinh(.pi * (1 - 2 * y / Double(side)))) * 180 / .pi }

  /// The whole unit of a position.
  static func unit(_ position: Double) -> UInt32 {
    position.isFinite ? UInt32(min(max(position, 0), Double(side - 1))) : 0
  }

  static func interleave(x: UInt32, y: UInt32) -> Int64 { Int64(bitPattern: spread(x) | spread(y) << 1) }

  static func coordinates(_ code: Int64) -> (x: UInt32, y: UInt32) {
    (gather(UInt64(bitPattern: code)), gather(UInt64(bitPattern: code) >> 1))
  }

  /// Puts a zero before each bit.
  private static func spread(_ value: UInt32) -> UInt64 {
    var bits = UInt64(value)
    bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
    bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits << 2) & 0x3333_3333_3333_3333
    return (bits | bits << 1) & 0x5555_5555_5555_5555
  }

  private static func gather(_ value: UInt64) -> UInt32 {
    var bits = value & 0x5555_5555_5555_5555
    bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
    bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
    bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
    bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
    return UInt32(truncatingIfNeeded: bits | bits >> 16)
  }
}

/// A grid cell of the map: one of 4^level.
struct LocationCell: Hashable, Sendable {
  let level: Int
  /// The interleaved bits of its coordinates.
  let code: Int64

  var x: UInt32 { LocationCode.coordinates(code).x }
  var y: UInt32 { LocationCode.coordinates(code).y }
  private var shift: Int64 { Int64(2 * (LocationCode.bits - level)) }
  /// The location codes inside the cell.
  var locations: Range<Int64> { code << shift..<(code + 1) << shift }

  init(level: Int, code: Int64) { (self.level, self.code) = (level, code) }
  init(level: Int, holding location: Int64) {
    self.level = level
    code = location >> Int64(2 * (LocationCode.bits - level))
  }
}
