internal import Testing

@testable internal import Messaging

/// The alphabets of languages, as an option of segments.
@Suite struct NationalLanguageTests {
  @Test(
    "Every table has 128 positions, no character twice, and the euro sign and brackets at common positions",
    arguments: SMSSegmenter.NationalLanguage.allCases)
  func shape(language: SMSSegmenter.NationalLanguage) throws {
    let shift = language.singleShift
    #expect(shift.count == 128)
    for (character, place) in [
      ("^", 0x14), ("{", 0x28), ("}", 0x29), ("\\", 0x2F), ("[", 0x3C), ("~", 0x3D), ("]", 0x3E), ("|", 0x40),
      ("€", 0x65),
    ] {
      #expect(shift[place].map { String($0) } == character)
    }
    #expect(shift[0x1B] == nil)
    guard let locking = language.locking else {
      #expect(language == .spanish)
      return
    }
    try #require(locking.count == 128)
    #expect(locking[0x1B] == nil)
    #expect(locking[0x20] == " ")
    #expect(locking[0x0A] == "\n")
    let assigned = locking.compactMap(\.self)
    #expect(Set(assigned).count == assigned.count)
    #expect((0..<10).allSatisfy { locking[0x30 + $0] == Unicode.Scalar(UInt8(0x30 + $0)) })
  }

  @Test("Characters have the positions of 3GPP TS 23.038")
  func places() {
    #expect(SMSSegmenter.NationalLanguage.turkish.locking?[0x60] == "ç")
    #expect(SMSSegmenter.NationalLanguage.turkish.locking?[0x07] == "ı")
    #expect(SMSSegmenter.NationalLanguage.portuguese.locking?[0x5D] == "Ú")
    #expect(SMSSegmenter.NationalLanguage.portuguese.locking?[0x12] == "ª")
    #expect(SMSSegmenter.NationalLanguage.hindi.locking?[0x10] == "ऐ")
    #expect(SMSSegmenter.NationalLanguage.hindi.locking?[0x7F] == "ॿ")
    #expect(SMSSegmenter.NationalLanguage.telugu.locking?[0x48] == nil)
    #expect(SMSSegmenter.NationalLanguage.kannada.locking?[0] == nil)
    #expect(SMSSegmenter.NationalLanguage.urdu.locking?[0] == "ا")
    #expect(SMSSegmenter.NationalLanguage.urdu.singleShift[0x1C] == "۰")
    #expect(SMSSegmenter.NationalLanguage.bengali.singleShift[0x1C] == "২")
    #expect(SMSSegmenter.NationalLanguage.tamil.singleShift[0x2E] == "௺")
  }

  private func segments(
    _ text: String, locking: Set<SMSSegmenter.NationalLanguage> = [], shift: Set<SMSSegmenter.NationalLanguage> = []
  ) -> SMSSegmenter.Segments {
    SMSSegmenter(lockingLanguages: locking, singleShiftLanguages: shift).segments(of: text)
  }

  @Test("One national table takes 5 septets of a segment, two take 8; 149 and 146 remain in several")
  func capacity() {
    #expect(segments("ş", shift: [.turkish]).available == 153)
    #expect(segments("ş", shift: [.turkish]).perSegment == 155)
    #expect(segments("ş", locking: [.turkish]).available == 154)
    #expect(segments(String(repeating: "ş", count: 156), locking: [.turkish]).perSegment == 149)
    let both = segments("अ०", locking: [.hindi], shift: [.hindi])
    #expect(both.perSegment == 152)
    #expect(both.available == 149)
    #expect(both.nationalTables == .init(locking: .hindi, singleShift: .hindi))
    #expect(segments(String(repeating: "अ०", count: 60), locking: [.hindi], shift: [.hindi]).perSegment == 146)
  }

  @Test(
    "The encoding with the fewest segments is used, then the one with the most room; on a tie, the default alphabet")
  func choice() {
    #expect(segments("abc", locking: [.turkish], shift: [.turkish]).nationalTables == nil)
    #expect(segments("ş", locking: [.turkish], shift: [.turkish]).nationalTables == .init(locking: .turkish))
    #expect(segments("ç", locking: [.turkish, .portuguese]).nationalTables == .init(locking: .turkish))
    #expect(segments("中", locking: [.turkish], shift: [.spanish]).alphabet == .ucs2)
    #expect(segments("á", locking: [.spanish]).alphabet == .ucs2)
  }
}
