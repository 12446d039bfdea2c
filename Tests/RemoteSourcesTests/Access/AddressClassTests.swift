internal import Testing

@testable internal import RemoteSources

@Suite("What addresses are for") struct AddressClassTests {
  @Test(
    "each special-purpose address has its name, and everything else is public",
    arguments: [
      ("127.0.0.1", AddressClass.loopback), ("127.255.255.254", .loopback), ("::1", .loopback),
      ("10.0.0.1", .privateNetwork), ("172.16.0.1", .privateNetwork), ("172.31.255.255", .privateNetwork),
      ("172.32.0.1", .publicAddress), ("192.168.1.1", .privateNetwork), ("fd12:3456::1", .privateNetwork),
      ("fc00::1", .privateNetwork), ("169.254.1.1", .linkLocal), ("fe80::1", .linkLocal), ("febf::1", .linkLocal),
      ("169.254.169.254", .metadata), ("169.254.170.2", .metadata), ("fd00:ec2::254", .metadata),
      ("100.100.100.200", .metadata), ("168.63.129.16", .metadata), ("100.64.0.1", .carrierGradeNAT),
      ("100.127.255.255", .carrierGradeNAT), ("100.128.0.1", .publicAddress), ("224.0.0.1", .multicast),
      ("239.255.255.255", .multicast), ("ff02::1", .multicast), ("0.0.0.0", .unspecified), ("::", .unspecified),
      ("0.1.2.3", .reserved), ("255.255.255.255", .broadcast), ("240.0.0.1", .reserved), ("192.0.2.1", .documentation),
      ("198.51.100.7", .documentation), ("203.0.113.9", .documentation), ("2001:db8::1", .documentation),
      ("198.18.0.1", .benchmarking), ("192.0.0.1", .reserved), ("::ffff:127.0.0.1", .mappedIPv4),
      ("::ffff:8.8.8.8", .mappedIPv4), ("::127.0.0.1", .compatibleIPv4), ("::8.8.8.8", .compatibleIPv4),
      ("64:ff9b::a9fe:a9fe", .translatedIPv4), ("64:ff9b::8.8.8.8", .translatedIPv4),
      ("64:ff9b:1::1", .translatedIPv4), ("::ffff:0:8.8.8.8", .translatedIPv4), ("2002:7f00:1::", .sixToFour),
      ("2001:0:1::1", .teredo), ("100::1", .reserved), ("4000::1", .reserved), ("5f00::1", .reserved),
      ("8.8.8.8", .publicAddress), ("1.1.1.1", .publicAddress), ("93.184.216.34", .publicAddress),
      ("2606:4700::1111", .publicAddress), ("2a00:1450:4001:80e::200e", .publicAddress),
    ]) func classes(text: String, expected: AddressClass) throws
  {
    #expect(AddressClass(try #require(IPAddress(text))) == expected)
  }

  @Test("a block contains the addresses with its leading bits") func blocks() throws {
    let block = try #require(AddressBlock("10.1.128.0/17"))
    #expect(block.contains(try #require(IPAddress("10.1.255.1"))))
    #expect(!block.contains(try #require(IPAddress("10.1.127.1"))))
    #expect(!block.contains(try #require(IPAddress("::ffff:10.1.255.1"))))
    #expect(AddressBlock("10.0.0.0/33") == nil)
    #expect(AddressBlock("10.0.0.0/-1") == nil)
    #expect(AddressBlock("10.0.0/8") == nil)
  }

  @Test(
    "an address in a form that only resolvers understand is no host",
    arguments: ["0x7f.1", "2130706433", "127.1", "0177.0.0.1"])
  func oddNumbers(host: String) { #expect(throws: (any Error).self) { try WebAddress("https://\(host)/") } }
}
