internal import Testing

@testable internal import Mail

@Suite struct RTFTests {
  private func text(_ rtf: String, maxOctets: Int = 1 << 20) -> String {
    let structure = MailStructure(message: mail("Content-Type: text/rtf", "", rtf))
    return MailText(octets: Array(rtf.utf8), of: structure.parts[0], maxOctets: maxOctets).text
  }

  @Test(
    "Fallback characters of a code unit end with their group",
    arguments: [
      ("{\\rtf1\\uc1{\\u8364}x}", "€x"), ("{\\rtf1\\uc2 \\u8364 ab{\\uc0\\u8364 c}\\u8364 def}", "€€c€f"),
      ("{\\rtf1\\uc8\\u8364{x}y}", "€xy"), ("{\\rtf1\\uc9999999999 \\u8364 12345678y}", "€y"), ("{\\rtf1\\u7?a}", "a"),
    ])
  func fallbacks(rtf: String, expected: String) { #expect(text(rtf) == expected) }

  @Test("A code unit inside of a skipped group is not part of a pair") func pairs() {
    #expect(text("{\\rtf1{\\*\\x \\u-10179 }\\u-8694?y}") == "\u{FFFD}y")
    #expect(text("{\\rtf1\\u-10179?{}\\u-8694?y}") == "😊y")
  }

  @Test("The octets of a character may be in several groups, and the first charset counts") func charsets() {
    #expect(text("{\\rtf1\\ansicpg932 \\'82{\\'a0}b}") == "あb")
    #expect(text("{\\rtf1\\ansicpg1251 \\'cf{\\ansicpg932 \\'f0}}") == "Пр")
    #expect(text("{\\rtf1\\ansicpg999999 \\'e9\\ansicpg65001}") == "é")
    // What is incomplete is dropped, however often it is there.
    #expect(text(String(repeating: "{\\'82\\ansicpg932\\u1 }", count: 20_000)).unicodeScalars.allSatisfy { $0 == "‚" })
  }

  @Test("Groups that are not closed or not opened, and lengths that are not true, end with the text") func malformed() {
    #expect(text(String(repeating: "{", count: 300_000) + "x" + String(repeating: "}", count: 600_000) + "y") == "xy")
    #expect(text("{\\rtf1 a{\\pict \\bin99999999999999999999 zz") == "a")
    #expect(text("{\\rtf1 a\\bin-5 b\\bin2 zzc\\bin1-2 d}") == "abcd")
    #expect(text("{\\rtf1{\\*" + String(repeating: "{\\fonttbl", count: 5_000) + "x") == "")
    #expect(
      text("{\\rtf1 \\" + String(repeating: "a", count: 100) + " b\\'") == String(repeating: "a", count: 68) + " b")
  }

  @Test("The text is cut at its limit") func limit() {
    #expect(text("{\\rtf1 " + String(repeating: "é\\par ", count: 10_000), maxOctets: 100).utf8.count <= 100)
  }

  @Test("A compressed body is decoded up to a limit, and counted without being kept") func compressed() {
    // A reference to the octet before, 17 times, again and again: 2 octets become 17.
    var octets = StreamMaker.little(0) + StreamMaker.little(1 << 30) + StreamMaker.little(0x7546_5A4C)
    octets += StreamMaker.little(0) + [0, 1, 2, 3, 4, 5, 6, 7, 8]
    var position = 207 + 8
    for _ in 0..<500 {
      octets.append(0xFF)
      for _ in 0..<8 {
        let from = (position + 4_095) & 0xFFF
        octets += [UInt8(truncatingIfNeeded: from >> 4), UInt8(truncatingIfNeeded: from << 4) | 0xF]
        position = (position + 17) & 0xFFF
      }
    }
    let whole = CompressedRTF.decoded(octets)
    #expect(whole.count == 8 + 500 * 8 * 17)
    #expect(CompressedRTF.count(octets) == whole.count)
    #expect(CompressedRTF.decoded(octets, maxOctets: 1_000) == Array(whole.prefix(1_000)))
    #expect(CompressedRTF.decoded(octets, maxOctets: 0).isEmpty)
    #expect(whole.dropFirst(7).allSatisfy { $0 == 8 })
  }
}
