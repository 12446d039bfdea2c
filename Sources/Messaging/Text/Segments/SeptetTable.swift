/// The cost of each character in a 7-bit alphabet: 1 septet, 2 with the escape, 0 if missing.
struct SeptetTable: Sendable {
  /// Costs by scalar value; 0 if the alphabet lacks the character.
  private let costs: [UInt8]

  init(alphabet: [Unicode.Scalar?], extension shifted: [Unicode.Scalar?]) {
    let largest = (alphabet + shifted).compactMap { $0?.value }.max() ?? 0
    var costs = [UInt8](repeating: 0, count: max(128, Int(largest) + 1))
    for scalar in shifted.compactMap(\.self) { costs[Int(scalar.value)] = 2 }
    // A character in both tables uses the shorter form.
    for scalar in alphabet.compactMap(\.self) { costs[Int(scalar.value)] = 1 }
    self.costs = costs
  }

  /// Septets of a character; 0 if the alphabet lacks it.
  func cost(_ scalar: UInt32) -> Int { scalar < costs.count ? Int(costs[Int(scalar)]) : 0 }
}

extension SeptetTable {
  /// The GSM 7-bit default alphabet of 3GPP TS 23.038, 6.2.1, by code; the escape, 0x1B, is no character.
  static let defaultAlphabet: [Unicode.Scalar?] = Array(
    """
    @£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u{1B}ÆæßÉ !"#¤%&'()*+,-./0123456789:;<=>?\
    ¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà
    """.unicodeScalars
  ).map { $0 == "\u{1B}" ? nil : $0 }

  /// The default extension, 6.2.1.1: form feed, brackets and the euro.
  static let defaultExtension: [Unicode.Scalar?] = Array("\u{C}^{}\\[~]|€".unicodeScalars)

  /// The default alphabet with the default extension.
  static let standard = SeptetTable(alphabet: defaultAlphabet, extension: defaultExtension)

  /// Every permitted pair of tables, the default ones first: among equally good ones the earlier is used.
  static func pairs(_ options: SMSSegmenter) -> [(tables: SMSSegmenter.Segments.NationalTables?, costs: SeptetTable)] {
    var pairs: [(SMSSegmenter.Segments.NationalTables?, SeptetTable)] = [(nil, standard)]
    let locking = [nil] + options.lockingLanguages.sorted().filter(\.hasLockingTable)
    let shifts = [nil] + options.singleShiftLanguages.sorted()
    for locked in locking {
      for shift in shifts where locked != nil || shift != nil {
        let tables = SMSSegmenter.Segments.NationalTables(locking: locked, singleShift: shift)
        pairs.append((tables, national[tables] ?? standard))
      }
    }
    return pairs
  }

  /// All pairs of tables; computed on first use of a national language, in 2 MB.
  private static let national: [SMSSegmenter.Segments.NationalTables: SeptetTable] = {
    var tables: [SMSSegmenter.Segments.NationalTables: SeptetTable] = [:]
    let shifts = SMSSegmenter.NationalLanguage.allCases.map { ($0, $0.singleShift) }
    for locked in [nil] + SMSSegmenter.NationalLanguage.allCases.filter(\.hasLockingTable) {
      let alphabet = locked?.locking ?? defaultAlphabet
      tables[.init(locking: locked)] = SeptetTable(alphabet: alphabet, extension: defaultExtension)
      for (language, shifted) in shifts {
        tables[.init(locking: locked, singleShift: language)] = SeptetTable(alphabet: alphabet, extension: shifted)
      }
    }
    return tables
  }()
}
