internal import MediaModel

/// The declarations of a drawing's document type: short texts under a name are allowed, nothing that unpacks to more.
///
/// They are looked for anywhere in the file, not where they belong: whoever is misled about where the document type ends finds them
/// all the same.
enum SVGDeclarations {
  /// Ten times what drawing programs write.
  private static let countLimit = 1_000

  static func check(_ bytes: [UInt8], entityLimit: Int) throws(MediaFailure) {
    var longest = 0
    for declaration in try declarations(named: "ENTITY", in: bytes) {
      longest = max(longest, try length(ofEntity: declaration))
    }
    if longest > 0 {
      let (size, overflow) = longest.multipliedReportingOverflow(by: bytes.count { $0 == UInt8(ascii: "&") })
      guard !overflow, size <= entityLimit else { throw SVGScreen.refused("entities") }
    }
    // An attribute with a default stands in every element without being there.
    for declaration in try declarations(named: "ATTLIST", in: bytes) {
      let text = String(decoding: declaration.prefix(while: { $0 != UInt8(ascii: ">") }), as: UTF8.self)
      guard !["href", "numOctaves", "&", "%"].contains(where: text.contains) else {
        throw SVGScreen.refused("attributes by declaration")
      }
    }
  }

  /// What stands before the first element. A processing instruction inside the document type could hold a quotation mark that opens
  /// nothing, and so mislead the scanner.
  static func check(prologue: ArraySlice<UInt8>) throws(MediaFailure) {
    guard let type = prologue.ranges(of: Array("<!DOCTYPE".utf8)).first else { return }
    guard prologue[type.upperBound...].ranges(of: Array("<?".utf8)).isEmpty else {
      throw SVGScreen.refused("instructions in the document type")
    }
  }

  /// The length of what an entity stands for.
  private static func length(ofEntity declaration: ArraySlice<UInt8>) throws(MediaFailure) -> Int {
    let name = declaration.drop(while: \.isASCIIWhitespace)
    let rest = name.drop(while: { !$0.isASCIIWhitespace }).drop(while: \.isASCIIWhitespace)
    // A name and a text; what has neither is a parameter, or lies outside.
    guard name.first != UInt8(ascii: "%"), let quote = rest.first, [0x22, 0x27].contains(quote)
    else { throw SVGScreen.refused("entities from elsewhere") }
    let text = rest.dropFirst().prefix(while: { $0 != quote })
    guard !text.contains(where: { [UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "%")].contains($0) }) else {
      throw SVGScreen.refused("entities in entities")
    }
    return text.count
  }

  /// What follows `<!NAME`, to the end of the file.
  private static func declarations(
    named name: String, in bytes: [UInt8]
  ) throws(MediaFailure) -> [ArraySlice<UInt8>] {
    let places = bytes.ranges(of: Array("<!\(name)".utf8))
    guard places.count <= countLimit else { throw SVGScreen.refused("declarations") }
    return places.map { bytes[$0.upperBound...] }
  }
}
