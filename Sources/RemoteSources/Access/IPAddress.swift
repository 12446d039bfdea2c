internal import Glibc

/// An IPv4 or IPv6 address.
struct IPAddress: Hashable, Sendable, CustomStringConvertible {
  /// 4 or 16 bytes.
  let bytes: [UInt8]

  /// An address of 4 or 16 bytes; nil for another number.
  init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Parses `192.0.2.1` or `2001:db8::1`, without brackets and zones.
  init?(_ text: String) {
    var four = in_addr()
    var six = in6_addr()
    if inet_pton(AF_INET, text, &four) == 1 {
      bytes = withUnsafeBytes(of: &four) { Array($0) }
    } else if inet_pton(AF_INET6, text, &six) == 1 {
      bytes = withUnsafeBytes(of: &six) { Array($0) }
    } else {
      return nil
    }
  }

  var isIPv4: Bool { bytes.count == 4 }

  var description: String {
    if isIPv4 { return bytes.map { "\($0)" }.joined(separator: ".") }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard bytes.withUnsafeBytes({ inet_ntop(AF_INET6, $0.baseAddress, &text, socklen_t(text.count)) }) != nil else {
      return ""
    }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Addresses with the same leading bits: `10.0.0.0/8`.
struct AddressBlock: Hashable, Sendable {
  let address: IPAddress
  /// Number of leading bits.
  let length: Int

  /// Parses `10.0.0.0/8`, or an address alone.
  init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let address = IPAddress(String(first)) else { return nil }
    self.address = address
    let bits = 8 * address.bytes.count
    guard parts.count > 1 else {
      length = bits
      return
    }
    guard let length = Int(parts[1]), (0...bits).contains(length), parts[1].allSatisfy(\.isNumber) else { return nil }
    self.length = length
  }

  func contains(_ other: IPAddress) -> Bool {
    guard other.bytes.count == address.bytes.count else { return false }
    for index in 0..<length where bit(address, index) != bit(other, index) { return false }
    return true
  }

  private func bit(_ address: IPAddress, _ index: Int) -> Bool { address.bytes[index / 8] & (0x80 >> (index % 8)) != 0 }
}
