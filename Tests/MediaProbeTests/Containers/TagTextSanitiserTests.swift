internal import Testing

@testable internal import MediaProbe

@Suite struct TagTextSanitiserTests {
  @Test(arguments: [
    ("Title", "Title"),
    ("  Title \n", "Title"),
    ("One\r\nTwo\tThree", "One Two Three"),
    ("a\u{1B}[31mb\u{7}c", "a[31mbc"),
    ("é 日本 👩‍👩‍👧", "é 日本 👩‍👩‍👧"),
    ("C1\u{85}\u{9B}ends", "C1ends"),
    ("before\0after", "before"),
  ])
  func `Text is cleaned`(_ text: String, _ expected: String) {
    #expect(TagTextSanitiser.clean(Array(text.utf8)) == expected)
  }

  @Test(arguments: [[], [0x20, 0x0A], [0x01, 0x02], [0x00, 0x41]] as [[UInt8]]) func `Empty text is absent`(
    _ bytes: [UInt8]
  ) {
    #expect(TagTextSanitiser.clean(bytes) == nil)
  }

  @Test func `Broken UTF-8 is replaced`() {
    #expect(TagTextSanitiser.clean([0x41, 0xFF, 0xC3, 0x42]) == "A\u{FFFD}\u{FFFD}B")
  }

  @Test func `Long text is cut`() {
    #expect(TagTextSanitiser.clean([UInt8](repeating: 0x41, count: 1_000_000))?.count == TagTextSanitiser.length)
    // One letter under a million accents is one character, and a long text.
    let accents = Array(("e" + String(repeating: "\u{301}", count: 100_000)).utf8)
    #expect(TagTextSanitiser.clean(accents)?.unicodeScalars.count == TagTextSanitiser.length)
  }
}
