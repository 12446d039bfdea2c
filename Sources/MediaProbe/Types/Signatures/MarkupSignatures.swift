internal import MediaModel

/// Signatures of HTML, XML and the XML formats that matter to messages: SVG, XHTML, SMIL.
enum MarkupSignatures {
  /// Nil if it is no markup. `text` begins at the first non-white-space character.
  static func type(of text: some RandomAccessCollection<UInt8>) -> MediaType? {
    var rest = Array(text)[...]
    guard rest.first == UInt8(ascii: "<") else { return nil }
    var isXML = false
    // Declarations, comments and processing instructions may precede the root element; 64 are plenty.
    for _ in 0..<64 {
      rest = rest.drop { $0.isASCIIWhitespace }
      if rest.startsIgnoringCase("<?xml") {
        isXML = true
        rest = after("?>", in: rest)
      } else if rest.startsIgnoringCase("<?php") {
        return .php
      } else if rest.startsIgnoringCase("<!--") {
        rest = after("-->", in: rest)
      } else if rest.startsIgnoringCase("<!DOCTYPE") {
        let name = rest.dropFirst(9).drop { $0.isASCIIWhitespace }
        return type(ofRoot: name, isXML: isXML, isDocumentType: true)
      } else if rest.startsIgnoringCase("<?") {
        rest = after("?>", in: rest)
      } else if rest.first == UInt8(ascii: "<") {
        return type(ofRoot: rest.dropFirst(), isXML: isXML, isDocumentType: false)
      } else {
        break
      }
    }
    return isXML ? .xml : nil
  }

  private static func type(ofRoot text: ArraySlice<UInt8>, isXML: Bool, isDocumentType: Bool) -> MediaType? {
    let raw = text.prefix(64).prefix { !$0.isASCIIWhitespace && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
    // A prefix such as "svg:" does not change the element.
    let name = String(decoding: raw, as: UTF8.self).lowercased().split(separator: ":").last ?? ""
    switch name {
    case "svg": return .svg
    case "smil": return .smil
    case "html": return isXML ? .xhtml : .html
    default: break
    }
    if isXML || isDocumentType { return .xml }
    if htmlElements.contains(String(name)) { return .html }
    // XML without a declaration: only the root element names its vocabulary.
    let tag = text.prefix { $0 != UInt8(ascii: ">") }
    return tag.firstRange(of: Array("xmlns".utf8)) != nil ? .xml : nil
  }

  /// Elements by which browsers sniff HTML (WHATWG MIME Sniffing, 7.1), except "a", "b" and "p", which may also begin
  /// Markdown.
  private static let htmlElements: Set<String> = [
    "head", "script", "iframe", "h1", "div", "font", "table", "style", "title", "body", "br", "meta", "link", "form",
  ]

  private static func after(_ end: StaticString, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let needle = UnsafeBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount)
    guard let range = text.firstRange(of: Array(needle)) else { return [] }
    return text[range.upperBound...]
  }
}
