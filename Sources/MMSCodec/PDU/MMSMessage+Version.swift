extension MMSMessage {
  /// X-Mms-MMS-Version: a Short-integer of 3 bits major and 4 bits minor.
  public struct Version: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// 0…7.
    public let major: Int
    /// 0…15.
    public let minor: Int

    /// A version; nil when a number is out of its range.
    public init?(major: Int, minor: Int) {
      guard (0...7).contains(major), (0...15).contains(minor) else { return nil }
      self.major = major
      self.minor = minor
    }

    init(octet: UInt8) {
      major = Int(octet >> 4 & 0x07)
      minor = Int(octet & 0x0F)
    }

    var octet: UInt8 { 0x80 | UInt8(truncatingIfNeeded: major) << 4 | UInt8(truncatingIfNeeded: minor) }

    /// MMS 1.0.
    public static let v10 = Version(octet: 0x90)
    /// MMS 1.1, which introduced read reports.
    public static let v11 = Version(octet: 0x91)
    /// MMS 1.2, which most phones write.
    public static let v12 = Version(octet: 0x92)
    /// MMS 1.3, which this library writes.
    public static let v13 = Version(octet: 0x93)

    /// Whether this codec supports the major version. A newer minor version is read as 1.3; a message of a newer major version is to be
    /// answered `unrecognised` (OMA-TS-MMS-ENC §7.3.34).
    public var isKnown: Bool { major == 1 }

    /// `1.3`.
    public var description: String { "\(major).\(minor)" }

    /// By major, then minor.
    public static func < (first: Version, second: Version) -> Bool {
      (first.major, first.minor) < (second.major, second.minor)
    }
  }
}
