#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Distances on the earth as a sphere; the error is at most 0.6 %.
enum GreatCircle {
  /// The mean radius of the earth (IUGG) in metres.
  static let radius = 6_371_008.8

  /// Metres between two locations in degrees, by the haversine formula.
  static func metres(
    from: (latitude: Double, longitude: Double), to: (latitude: Double, longitude: Double)
  ) -> Double {
    let radians = Double.pi / 180
    let north = sin((to.latitude - from.latitude) * radians / 2)
    let east = sin((to.longitude - from.longitude) * radians / 2)
    let square = north * north + cos(from.latitude * radians) * cos(to.latitude * radians) * east * east
    return 2 * radius * asin(min(1, square.squareRoot()))
  }
}
