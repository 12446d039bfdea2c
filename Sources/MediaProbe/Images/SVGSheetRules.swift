/// Which elements the style sheets of a drawing put filters on, for ``SVGWork``. Of what is hard to understand, all.
struct SVGSheetRules {
  private var classes: Set<String> = []
  private var isForAll = false
  /// The most filters that one rule puts one after the other.
  private var maximum = 0

  init(_ sheet: [UInt8]) {
    for rule in sheet.split(separator: UInt8(ascii: "}")) {
      guard let brace = rule.firstIndex(of: UInt8(ascii: "{")) else { continue }
      let body = rule[brace...].filter { $0 > 0x20 }.map(\.asciiLowercased)
      guard let place = body.ranges(of: Array("filter:".utf8)).first else { continue }
      // Each has a parenthesis; `none` has not.
      let filters = body[place.upperBound...].count { $0 == UInt8(ascii: "(") }
      guard filters > 0 else { continue }
      maximum = max(maximum, filters)
      for selector in rule[..<brace].split(separator: UInt8(ascii: ",")) { add(selector) }
    }
  }

  /// Of several classes in one selector each may be the one that counts.
  private mutating func add(_ selector: ArraySlice<UInt8>) {
    let parts = selector.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if parts.count < 2 { isForAll = true }
    for part in parts.dropFirst() {
      classes.insert(String(decoding: part.prefix { !" \t\r\n>+~:#[".utf8.contains($0) }, as: UTF8.self))
    }
  }

  /// How many filters an element of those classes has.
  func filters(on names: [String]) -> Int { isForAll || names.contains(where: classes.contains) ? maximum : 0 }
}
