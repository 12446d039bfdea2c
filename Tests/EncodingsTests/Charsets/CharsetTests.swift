internal import Encodings
internal import TestSupport
internal import Testing

@Suite struct CharsetTests {
  @Test(
    "Every charset decodes its octets",
    arguments: [
      (3, "'abc'", "abc"), (4, "E9 80", "é\u{80}"), (5, "B1", "ą"), (8, "B4", "Д"), (9, "C7", "ا"), (10, "E1", "α"),
      (11, "E0", "א"), (12, "FD", "ı"), (17, "93 FA 96 7B 5C", "日本\\"), (18, "C6 FC CB DC", "日本"),
      (36, "C7 D1", "한"), (38, "C7 D1", "한"), (39, "1B 24 42 'F|K\\' 1B 28 42", "日本"), (106, "E6 97 A5", "日"),
      (113, "C4 E3", "你"), (114, "94 39 FC 36", "😀"), (2_025, "C4 E3", "你"), (2_026, "A7 41", "你"),
      (2_084, "E4", "Д"), (2_251, "C4", "Д"), (2_252, "80", "€"), (2_259, "A1", "ก"),
      (1_000, "00 41 65 E5", "A日"), (1_013, "00 41 D8 3D DE 00", "A😀"), (1_014, "41 00 E5 65", "A日"),
      (1_015, "FF FE 41 00", "A"), (1_015, "FE FF 00 41", "A"), (1_015, "00 41", "A"), (1_018, "00 01 F6 00", "😀"),
      (0, "'any'", "any"), (99_999, "C3 A9", "é"), (111, "A4", "€"),
    ])
  func decoding(mib: Int, text: String, characters: String) {
    #expect(Charset(mib: mib).text(octets(text)[...]) == characters)
  }

  @Test(
    "Invalid octets become U+FFFD, and a truncated character at the end is omitted",
    arguments: [
      (17, "41 FF 93 42", "A\u{FFFD}釘"), (113, "FF 41", "\u{FFFD}A"), (106, "41 FF 42", "A\u{FFFD}B"),
      (17, "93 FA 96", "日"), (1_013, "D8 00 00 41", "\u{FFFD}A"), (1_013, "00 41 00", "A"), (106, "", ""), (17, "", ""),
    ])
  func invalid(mib: Int, text: String, characters: String) {
    #expect(Charset(mib: mib).text(octets(text)[...]) == characters)
  }

  @Test("Decoding ends for every charset, whatever the octets") func termination() {
    // Long enough to fill the converter's room several times, and full of what no charset has.
    let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 256) }
    let known = (0..<2_300).filter { Charset(mib: $0).name != nil }
    #expect(known.count > 40)
    for mib in known { #expect(!Charset(mib: mib).text(bytes[...]).isEmpty, "\(mib)") }
  }

  @Test("Long texts are decoded completely") func longText() {
    let bytes = Array(repeating: octets("93 FA 96 7B"), count: 5_000).flatMap { $0 }
    #expect(Charset(mib: 17).text(bytes[...]) == String(repeating: "日本", count: 5_000))
  }

  @Test("A charset is found by its name in any case, and unknown names are refused") func names() {
    #expect(Charset(name: "UTF-8") == .utf8)
    #expect(Charset(name: "utf8") == .utf8)
    #expect(Charset(name: "ISO-8859-1") == .latin1)
    #expect(Charset(name: "Shift_JIS")?.mib == 17)
    #expect(Charset(name: "no-such") == nil)
    // A name decides which module the C library loads, so none out of a message reaches it.
    #expect(Charset(name: "../../tmp/evil") == nil)
    #expect(Charset(name: "UTF-8//TRANSLIT") == nil)
    #expect(Charset.utf8.name == "utf-8")
  }
}
