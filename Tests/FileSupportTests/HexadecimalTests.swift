internal import FileSupport
internal import TestSupport
internal import Testing

@Suite("Hexadecimal digits") struct HexadecimalTests {
  @Test("Every byte has two lower-case digits, which decode to it") func everyByte() {
    let bytes = Array(UInt8.min...UInt8.max)
    let text = Hexadecimal.encode(bytes)
    #expect(text.utf8.count == 512)
    #expect(text.hasPrefix("000102030405060708090a0b0c0d0e0f10"))
    #expect(Hexadecimal.decode(text) == bytes)
    #expect(Hexadecimal.encode([]) == "")
    #expect(Hexadecimal.decode("") == [])
  }

  @Test("Encoding and decoding any bytes gives the same bytes", arguments: 0..<20 as Range<UInt64>)
  func roundTrip(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<random.below(300)).map { _ in UInt8(truncatingIfNeeded: random.below(256)) }
    #expect(Hexadecimal.decode(Hexadecimal.encode(bytes)) == bytes)
  }

  @Test(
    "Only pairs of lower-case digits are decoded",
    arguments: ["0", "abc", "0A", "FF", "g0", "0g", " 0", "00 ", "-1", "+1", "0x00", "é0"])
  func invalid(text: String) {
    #expect(Hexadecimal.decode(text) == nil)
  }
}
