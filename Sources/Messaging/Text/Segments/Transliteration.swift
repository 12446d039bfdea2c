/// Transliterates texts to the GSM 7-bit alphabet (A18, the strict 7-bit option): `ça va…` becomes `Ça va...`.
///
/// Drops accents that the alphabet lacks, writes Greek in capitals, and simplifies typographic marks. Each remaining
/// unsupported character becomes one `*`.
enum Transliteration {
  static let unknown: Unicode.Scalar = "*"

  /// Transliterates a text to the characters of `table`.
  static func text(_ text: String, table: SeptetTable = .standard) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if table.cost(scalar.value) > 0 {
        result.append(scalar)
      } else if let plain = plain[scalar] {
        result.append(contentsOf: plain.unicodeScalars)
      } else if !isPartOfAnother(scalar) {
        result.append(unknown)
      }
    }
    return String(result)
  }

  /// Whether a scalar modifies the preceding character instead of being one, such as accents and joiners.
  private static func isPartOfAnother(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: true
    case .modifierSymbol: (0x1F3FB...0x1F3FF).contains(scalar.value)
    default: false
    }
  }

  /// The replacement of each character. In each row, the text before the space replaces every character after it.
  private static let plain: [Unicode.Scalar: String] = {
    var plain: [Unicode.Scalar: String] = [:]
    for row in rows.split(separator: "\n") {
      let sides = row.split(separator: " ", maxSplits: 1)
      guard sides.count == 2 else { continue }
      for scalar in sides[1].unicodeScalars { plain[scalar] = String(sides[0]) }
    }
    // White space cannot be in a row.
    for scalar in "\t\u{A0}\u{2002}\u{2003}\u{2009}\u{202F}\u{3000}".unicodeScalars { plain[scalar] = " " }
    return plain
  }()

  /// Latin-1 and Latin Extended-A without accents, Romanian's commas below, accented Greek, punctuation.
  private static let rows = """
    A ÀÁÂÃĀĂĄΑΆάα
    B Ββ
    C ĆĈĊČ
    D ĎĐÐ
    E ÈÊËĒĔĖĘĚΕΈέε
    G ĜĞĠĢ
    H ĤĦΗΉήη
    I ÌÍÎÏĨĪĬĮİΙΊΪίϊΐι
    J Ĵ
    K ĶΚκ
    L ĹĻĽĿŁ
    M Μμ
    N ŃŅŇΝν
    O ÒÓÔÕŌŎŐΟΌόο
    P Ρρ
    R ŔŖŘ
    S ŚŜŞŠȘ
    T ŢŤŦȚΤτ
    U ÙÚÛŨŪŬŮŰŲ
    W Ŵ
    X Χχ
    Y ÝŶŸΥΎΫύϋΰυ
    Z ŹŻŽΖζ
    Ç ç
    OE Œ
    Γ γ
    Δ δ
    Θ θ
    Λ λ
    Ξ ξ
    Π π
    Σ σς
    Φ φ
    Ψ ψ
    Ω ωώΏ
    a áâãāăą
    c ćĉċč
    d ďđð
    e êëēĕėęě
    g ĝğġģ
    h ĥħ
    i íîïĩīĭįı
    j ĵ
    k ķ
    l ĺļľŀł
    n ńņň
    o óôõōŏő
    oe œ
    r ŕŗř
    s śŝşšș
    t ţťŧț
    u úûũūŭůűų
    w ŵ
    y ýŷÿ
    z źżž
    ' ‘’‚‛′`´
    " “”„‟″«»
    - ‐‑‒–—―−
    ... …
    < ‹
    > ›
    ! ‼
    """
}
