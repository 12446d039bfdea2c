internal import Messaging
internal import TestSupport
internal import Testing

/// The segments of an SMS (3GPP TS 23.038, 23.040).
@Suite struct SegmentTests {
  private func counted(_ text: String, _ segmenter: SMSSegmenter = SMSSegmenter()) -> [Int] {
    let segments = segmenter.segments(of: text)
    return [segments.count, segments.available, segments.perSegment]
  }

  private func times(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  @Test("R-MMS-18, R-MMS-19: 7-bit texts have 160 septets, or 153 in each of several segments")
  func septets() {
    #expect(counted("") == [1, 160, 160])
    #expect(counted(times("a", 160)) == [1, 0, 160])
    #expect(counted(times("a", 161)) == [2, 145, 153])
    #expect(counted(times("a", 306)) == [2, 0, 153])
    #expect(counted(times("a", 307)) == [3, 152, 153])
  }

  @Test("An escape and its character stay in one segment")
  func escapes() {
    #expect(counted(times("€", 80)) == [1, 0, 160])
    #expect(counted(times("€", 153)) == [3, 151, 153])
    #expect(counted(times("a", 152) + "€" + times("a", 10)) == [2, 141, 153])
    for character in "\u{C}^{}\\[~]|€" { #expect(counted(String(character)) == [1, 158, 160]) }
  }

  @Test(
    "One character outside the alphabet makes the whole text UCS-2",
    arguments: ["`", "ç", "“", "…", "\u{A0}", "\t", "Á", "\u{1B}"])
  func otherCharacters(character: String) {
    let segments = SMSSegmenter().segments(of: "abc" + character)
    #expect(segments == SMSSegmenter.Segments(count: 1, available: 66, perSegment: 70, alphabet: .ucs2))
  }

  @Test("UCS-2 has 70 units, or 67 in each of several segments, and splits no surrogate pair")
  func units() {
    #expect(counted(times("中", 70)) == [1, 0, 70])
    #expect(counted(times("中", 71)) == [2, 63, 67])
    #expect(counted(times("😀", 35)) == [1, 0, 70])
    #expect(counted(times("😀", 67)) == [3, 65, 67])
    #expect(counted(times("中", 66) + "😀中中中中") == [2, 61, 67])
  }

  @Test("Every character of the default alphabet is one septet; there are 127, and the escape")
  func alphabet() {
    let alphabet =
      "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿"
      + "abcdefghijklmnopqrstuvwxyzäöñüà"
    #expect(alphabet.unicodeScalars.count == 127)
    #expect(counted(alphabet) == [1, 33, 160])
  }

  @Test("A reference of two bytes leaves 152 septets or 66 units")
  func longReference() {
    let segmenter = SMSSegmenter(reference: .sixteenBit)
    #expect(counted(times("a", 161), segmenter) == [2, 143, 152])
    #expect(counted(times("中", 71), segmenter) == [2, 61, 66])
  }

  @Test("The counter is shown from the second segment on (R-MMS-18)")
  func counter() {
    #expect(!SMSSegmenter().segments(of: times("a", 160)).showsCounter)
    #expect(SMSSegmenter().segments(of: times("a", 161)).showsCounter)
  }

  @Test(
    "The segments of a random text joined are the text, and each is as full as possible",
    arguments: [4, 5, 6] as [UInt64])
  func split(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabets = ["ab €^ñ", "ab 中é😀\u{301}", "çğşıab€", "aé"]
    let national = SMSSegmenter(lockingLanguages: [.turkish], singleShiftLanguages: [.turkish, .spanish])
    for turn in 0..<400 {
      let characters = Array(alphabets[random.below(alphabets.count)].unicodeScalars)
      let scalars = (0..<random.below(500)).map { _ in characters[random.below(characters.count)] }
      let text = String(String.UnicodeScalarView(scalars))
      let segmenter = turn.isMultiple(of: 2) ? national : SMSSegmenter()
      let parts = segmenter.split(text)
      let segments = segmenter.segments(of: text)
      #expect(parts.joined() == text, "seed \(seed)")
      #expect(parts.count == segments.count, "seed \(seed): \(text)")
      guard segments.alphabet == .ucs2 else { continue }
      #expect(parts.allSatisfy { $0.utf16.count <= segments.perSegment }, "seed \(seed)")
      #expect(parts.last?.utf16.count == segments.perSegment - segments.available, "seed \(seed)")
      #expect(parts.dropLast().allSatisfy { $0.utf16.count >= segments.perSegment - 1 }, "seed \(seed)")
    }
  }

  @Test(
    "A18: strict 7-bit replaces characters outside the alphabets by similar letters of the default one, otherwise by *"
  )
  func strict() {
    let strict = SMSSegmenter(isStrict7Bit: true)
    for (text, sent) in [
      ("é", "é"), ("ê", "e"), ("ça va…", "Ça va..."), ("Łódź", "Lodz"), ("“a” – b", "\"a\" - b"), ("e\u{301}", "e"),
      ("καλημέρα", "KAΛHMEPA"), ("a\u{A0}b\tc", "a b c"), ("дом", "***"), ("👍🏽!", "*!"), ("中€", "*€"), ("", ""),
    ] {
      #expect(strict.sentText(text) == sent)
      #expect(strict.segments(of: text) == SMSSegmenter().segments(of: sent))
      #expect(strict.segments(of: text).alphabet == .gsm7)
      #expect(SMSSegmenter().sentText(text) == text)
    }
    // 100 UCS-2 units would be two segments, and 100 septets are one.
    #expect(counted(times("ê", 100)) == [2, 34, 67])
    #expect(counted(times("ê", 100), strict) == [1, 60, 160])
    #expect(strict.split(times("ê", 161)) == [Substring(times("e", 153)), Substring(times("e", 8))])
    // A language's alphabet that has it comes first.
    let turkish = SMSSegmenter(singleShiftLanguages: [.turkish], isStrict7Bit: true)
    #expect(turkish.sentText("ş") == "ş")
    #expect(turkish.segments(of: "ş").nationalTables?.singleShift == .turkish)
    #expect(turkish.sentText("şŵ") == "sw", "as one alphabet has to have it all")
  }

  @Test("With strict 7-bit, no text needs UCS-2") func strictAlways() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<500 {
      let scalars = (0..<40).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0..<0x3000, using: &random)) }
      let text = String(String.UnicodeScalarView(scalars))
      let segments = SMSSegmenter(isStrict7Bit: true).segments(of: text)
      #expect(segments.alphabet == .gsm7, "\(text.unicodeScalars.map(\.value))")
    }
  }
}
