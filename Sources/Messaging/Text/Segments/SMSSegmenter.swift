internal import AttachmentPolicy

/// Divides the text of an SMS into segments (3GPP TS 23.038, 23.040).
///
/// Uses seven bits per character if the alphabet has all characters, otherwise UCS-2 for the whole text. Escape
/// sequences and surrogate pairs are never divided. So 153 × `€` are 3 segments: 76 fit into each.
public struct SMSSegmenter: Hashable, Codable, Sendable {
  /// The size of the reference number that the segments of a message share.
  public enum Reference: Int, Codable, Sendable {
    /// One byte, as phones use. 153 septets or 67 code units per segment.
    case eightBit = 5
    /// Two bytes. 152 septets or 66 code units per segment.
    case sixteenBit = 6
  }

  /// The reference size. One byte by default.
  public var reference: Reference
  /// Languages whose locking shift table may be used. None by default.
  public var lockingLanguages: Set<NationalLanguage>
  /// Languages whose single shift table may be used. None by default.
  public var singleShiftLanguages: Set<NationalLanguage>
  /// Whether to transliterate a text that no alphabet can represent instead of using UCS-2 (A18). False by default.
  ///
  /// It replaces `ê` with `e`, and characters without a 7-bit equivalent with `*`. The text changes but needs fewer
  /// segments.
  public var isStrict7Bit: Bool

  private enum CodingKeys: CodingKey, CaseIterable {
    case reference, lockingLanguages, singleShiftLanguages, isStrict7Bit
  }

  /// Creates a segmenter.
  public init(
    reference: Reference = .eightBit, lockingLanguages: Set<NationalLanguage> = [],
    singleShiftLanguages: Set<NationalLanguage> = [], isStrict7Bit: Bool = false
  ) {
    self.isStrict7Bit = isStrict7Bit
    self.reference = reference
    self.lockingLanguages = lockingLanguages
    self.singleShiftLanguages = singleShiftLanguages
  }

  /// Decodes options; an absent key has its default, and an unknown key is an error.
  public init(from decoder: any Decoder) throws {
    let reader = try StrictReader(decoder, keyedBy: CodingKeys.self)
    self.init()
    try reader.read(.reference, into: &reference)
    try reader.read(.lockingLanguages, into: &lockingLanguages)
    try reader.read(.singleShiftLanguages, into: &singleShiftLanguages)
    try reader.read(.isStrict7Bit, into: &isStrict7Bit)
  }

  /// The segments of a text. Among the alphabets with all its characters, selects the one with the fewest segments,
  /// then with the most free space.
  public func segments(of text: String) -> Segments {
    if let segments = sevenBit(text) { return segments }
    // Transliteration only produces characters of the default alphabet.
    return isStrict7Bit ? sevenBit(Transliteration.text(text)) ?? ucs2(text) : ucs2(text)
  }

  /// The text as sent: transliterated if ``isStrict7Bit`` requires it.
  public func sentText(_ text: String) -> String {
    isStrict7Bit && sevenBit(text) == nil ? Transliteration.text(text) : text
  }

  /// Nil if no alphabet has all characters.
  private func sevenBit(_ text: String) -> Segments? {
    var text = text
    return text.withUTF8 { bytes in
      guard !lockingLanguages.isEmpty || !singleShiftLanguages.isEmpty else {
        return segments(of: bytes, .gsm7(SeptetTable.standard), tables: nil)
      }
      var best: Segments?
      for (tables, costs) in SeptetTable.pairs(self) {
        guard let segments = segments(of: bytes, .gsm7(costs), tables: tables) else { continue }
        if let best, (best.count, -best.available) <= (segments.count, -segments.available) { continue }
        best = segments
      }
      return best
    }
  }

  /// The text of each segment in order; one empty text for an empty text.
  public func split(_ text: String) -> [Substring] {
    let text = sentText(text)
    let segments = segments(of: text)
    guard segments.count > 1 else { return [text[...]] }
    let coding = coding(of: segments)
    var parts: [Substring] = []
    var start = text.startIndex
    var free = segments.perSegment
    for index in text.unicodeScalars.indices {
      let cost = coding.cost(text.unicodeScalars[index].value)
      if cost > free {
        parts.append(text[start..<index])
        start = index
        free = segments.perSegment
      }
      free -= cost
    }
    return parts + [text[start...]]
  }

  private func ucs2(_ text: String) -> Segments {
    var text = text
    return text.withUTF8 { bytes in
      // UCS-2 can represent every scalar, so this never fails.
      segments(of: bytes, .ucs2, tables: nil)
        ?? Segments(count: 1, available: 70, perSegment: 70, alphabet: .ucs2)
    }
  }

  /// Nil if the alphabet lacks a character.
  private func segments(
    of bytes: UnsafeBufferPointer<UInt8>, _ coding: Coding, tables: Segments.NationalTables?
  ) -> Segments? {
    let capacity = Capacity(alphabet: coding.alphabet, tables: tables, reference: reference)
    guard let fill = Fill(of: bytes, coding: coding, capacity: capacity.several) else { return nil }
    let isSingle = fill.units <= capacity.single
    return Segments(
      count: isSingle ? 1 : fill.segments,
      available: isSingle ? capacity.single - fill.units : fill.free,
      perSegment: isSingle ? capacity.single : capacity.several, alphabet: coding.alphabet, nationalTables: tables)
  }

  private func coding(of segments: Segments) -> Coding {
    switch segments.alphabet {
    case .ucs2: return .ucs2
    case .gsm7:
      let pair = SeptetTable.pairs(self).first { $0.tables == segments.nationalTables }
      return .gsm7(pair?.costs ?? SeptetTable.standard)
    }
  }
}
