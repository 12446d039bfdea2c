internal import MediaModel

/// Checks the declarations of an SVG's document type: short text entities are allowed, and nothing that expands
/// further.
///
/// The whole file is searched, not just the document type. A file that misleads the scanner about the end of the
/// document type gains nothing.
enum SVGDeclarations {
  /// Ten times what drawing programs write.
  private static let countLimit = 1_000

  /// - Returns: The replacement text of each entity: characters without markup or further references.
  static func entities(in bytes: [UInt8], limit: Int) throws(MediaFailure) -> [[UInt8]: [UInt8]] {
    var entities: [[UInt8]: [UInt8]] = [:]
    for declaration in try declarations(named: "ENTITY", in: bytes) {
      let entity = try entity(declaration)
      // XML uses the first of two declarations, librsvg the last.
      guard entities.updateValue(entity.text, forKey: entity.name) == nil else {
        throw SVGScreen.refused("an entity declared twice")
      }
    }
    if let longest = entities.values.map(\.count).max() {
      let (size, overflow) = longest.multipliedReportingOverflow(by: bytes.count { $0 == UInt8(ascii: "&") })
      guard !overflow, size <= limit else { throw SVGScreen.refused("entities") }
    }
    return entities
  }

  /// Refuses attributes with default values, which apply to elements without being written there. A default is a quoted
  /// text, and nothing else in the declaration is quoted.
  static func checkAttributes(in bytes: [UInt8]) throws(MediaFailure) {
    let marks = [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "&"), UInt8(ascii: "%")]
    for declaration in try declarations(named: "ATTLIST", in: bytes) {
      guard !declaration.prefix(while: { $0 != UInt8(ascii: ">") }).contains(where: marks.contains) else {
        throw SVGScreen.refused("attribute declarations")
      }
    }
  }

  /// Checks the prologue before the first element. A processing instruction inside the document type could contain
  /// an unmatched quotation mark and mislead the scanner.
  static func check(prologue: ArraySlice<UInt8>) throws(MediaFailure) {
    guard let type = prologue.ranges(of: Array("<!DOCTYPE".utf8)).first else { return }
    guard prologue[type.upperBound...].ranges(of: Array("<?".utf8)).isEmpty else {
      throw SVGScreen.refused("processing instructions in the document type")
    }
  }

  /// The name and the replacement text of an entity.
  private static func entity(_ declaration: ArraySlice<UInt8>) throws(MediaFailure) -> (name: [UInt8], text: [UInt8]) {
    let start = declaration.drop(while: \.isASCIIWhitespace)
    let name = start.prefix { !$0.isASCIIWhitespace }
    let rest = start[name.endIndex...].drop(while: \.isASCIIWhitespace)
    // A name and a text; anything else is a parameter entity or an external one.
    guard name.first != UInt8(ascii: "%"), let quote = rest.first, [0x22, 0x27].contains(quote)
    else { throw SVGScreen.refused("external entities") }
    let text = rest.dropFirst().prefix(while: { $0 != quote })
    guard !text.contains(where: { [UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "%")].contains($0) }) else {
      throw SVGScreen.refused("nested entities")
    }
    return (Array(name), Array(text))
  }

  /// What follows `<!NAME`, up to the end of the file.
  private static func declarations(
    named name: String, in bytes: [UInt8]
  ) throws(MediaFailure) -> [ArraySlice<UInt8>] {
    let places = bytes.ranges(of: Array("<!\(name)".utf8))
    guard places.count <= countLimit else { throw SVGScreen.refused("declarations") }
    return places.map { bytes[$0.upperBound...] }
  }
}
