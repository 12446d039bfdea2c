/// Which elements the style sheets of an SVG apply filters to, for ``SVGWork``. A selector that is hard to parse counts
/// for all elements.
struct SVGSheetRules {
  private var classes: Set<String> = []
  private var isForAll = false
  /// The maximum number of chained filters in one rule.
  private var maximum = 0

  init(_ sheet: [UInt8]) {
    for rule in sheet.split(separator: UInt8(ascii: "}")) {
      guard let brace = rule.firstIndex(of: UInt8(ascii: "{")) else { continue }
      let body = rule[brace...].filter { $0 > 0x20 }.map(\.asciiLowercased)
      guard let place = body.ranges(of: Array("filter:".utf8)).first else { continue }
      // Each function has a parenthesis; `none` has not.
      let filters = body[place.upperBound...].count { $0 == UInt8(ascii: "(") }
      guard filters > 0 else { continue }
      maximum = max(maximum, filters)
      for selector in rule[..<brace].split(separator: UInt8(ascii: ",")) { add(selector) }
    }
  }

  /// If a selector has several classes, each of them is counted.
  private mutating func add(_ selector: ArraySlice<UInt8>) {
    let parts = selector.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if parts.count < 2 { isForAll = true }
    for part in parts.dropFirst() {
      classes.insert(String(decoding: part.prefix { !" \t\r\n>+~:#[".utf8.contains($0) }, as: UTF8.self))
    }
  }

  /// The number of filters on an element with these classes.
  func filters(on names: [String]) -> Int { isForAll || names.contains(where: classes.contains) ? maximum : 0 }
}
