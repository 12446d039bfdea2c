/// What an address is for, from the registries of special-purpose addresses (RFC 6890).
enum AddressClass: String, Hashable, Sendable, CaseIterable {
  case publicAddress = "public"
  case unspecified
  case loopback
  case privateNetwork = "private"
  case linkLocal = "link-local"
  case metadata
  case carrierGradeNAT = "carrier-grade NAT"
  case multicast
  case broadcast
  case documentation
  case benchmarking
  case reserved
  case mappedIPv4 = "IPv4-mapped"
  case compatibleIPv4 = "IPv4-compatible"
  case translatedIPv4 = "IPv4-translated (NAT64)"
  case sixToFour = "6to4"
  case teredo = "Teredo"

  /// The class of an address. An IPv4 address in an IPv6 address is a class of its own, whatever it is.
  init(_ address: IPAddress) {
    self = Self.table.first { $0.block.contains(address) }?.name ?? (address.isIPv4 ? .publicAddress : .reserved)
  }

  private static let table: [(block: AddressBlock, name: AddressClass)] = [
    // Services that give credentials to whoever asks from this machine.
    ("169.254.169.254", .metadata), ("169.254.170.2", .metadata), ("169.254.170.23", .metadata),
    ("100.100.100.200", .metadata), ("168.63.129.16", .metadata), ("192.0.0.192", .metadata),
    ("fd00:ec2::/32", .metadata), ("fd20:ce::254", .metadata),
    ("0.0.0.0", .unspecified), ("0.0.0.0/8", .reserved), ("10.0.0.0/8", .privateNetwork),
    ("100.64.0.0/10", .carrierGradeNAT), ("127.0.0.0/8", .loopback), ("169.254.0.0/16", .linkLocal),
    ("172.16.0.0/12", .privateNetwork), ("192.0.0.0/24", .reserved), ("192.0.2.0/24", .documentation),
    ("192.88.99.0/24", .sixToFour), ("192.168.0.0/16", .privateNetwork), ("198.18.0.0/15", .benchmarking),
    ("198.51.100.0/24", .documentation), ("203.0.113.0/24", .documentation), ("224.0.0.0/4", .multicast),
    ("255.255.255.255", .broadcast), ("240.0.0.0/4", .reserved),
    ("::", .unspecified), ("::1", .loopback), ("::ffff:0:0/96", .mappedIPv4), ("::ffff:0:0:0/96", .translatedIPv4),
    ("::/96", .compatibleIPv4), ("64:ff9b::/96", .translatedIPv4), ("64:ff9b:1::/48", .translatedIPv4),
    ("100::/64", .reserved), ("2001::/32", .teredo), ("2001:2::/48", .benchmarking), ("2001:db8::/32", .documentation),
    ("2001::/23", .reserved), ("2002::/16", .sixToFour), ("3fff::/20", .documentation), ("fc00::/7", .privateNetwork),
    ("fe80::/10", .linkLocal), ("fec0::/10", .privateNetwork), ("ff00::/8", .multicast),
    // Everything else that is in use.
    ("2000::/3", .publicAddress),
  ].compactMap { text, name in AddressBlock(text).map { ($0, name) } }
}
