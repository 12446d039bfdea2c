/// The checksum of yEnc and of the chunks of a PNG (W3C PNG, annex D): CRC-32 of IEEE 802.3.
package enum CRC32 {
  /// The checksum of all octets.
  package static func of(_ octets: some Sequence<UInt8>) -> UInt32 {
    ~octets.reduce(~0) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ $0 >> 8 }
  }

  private static let table: [UInt32] = (0..<256).map { value in
    (0..<8).reduce(UInt32(value)) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
  }
}
