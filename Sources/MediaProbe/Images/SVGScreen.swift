internal import Encodings
package import MediaModel

/// Refuses untrusted SVG files that would make a renderer use unbounded time or memory, before rendering.
///
/// librsvg (2.54) follows no reference out of the file, because it gets no base URL. References inside the file have
/// no limits, so they are checked here. They are entities and `data:` images, which librsvg expands; included
/// documents; and filters, which may run for any time. Where this scanner and librsvg could parse a file differently,
/// the file is refused.
package struct SVGScreen {
  /// Maximum characters of all expanded entities; drawing programs use entities for namespace URLs.
  private static let entityLimit = 16_777_216
  /// librsvg's own bound (2.54, `MAX_LOADED_ELEMENTS`).
  private static let elementLimit = 1_000_000
  /// 128 × 128 pixels. A drawing that would have to be smaller is not rendered.
  private static let leastArea = 16_384
  /// Maximum nesting: an SVG in a `data:` URL in an SVG, and no deeper.
  private static let depthLimit = 1

  private var pixelsLeft: Int
  private let workLimit: Int

  /// Checks a whole SVG.
  ///
  /// - Parameters:
  ///   - pixels: Maximum pixels of all embedded images together.
  ///   - area: Number of pixels to render.
  ///   - canShrink: Whether it may be rendered smaller.
  /// - Returns: The scale of each side at which it may be rendered: less than 1 if its filters would take too long.
  /// - Throws: `unsupported`, `tooManyPixels`, `corrupt`, and read errors.
  package static func check(
    _ input: borrowing MediaInput, pixels: Int, area: Int, canShrink: Bool
  ) throws(MediaFailure) -> Double {
    let least = canShrink ? min(area, leastArea) : area
    var screen = SVGScreen(pixelsLeft: pixels, workLimit: SVGWork.limit(area: least))
    let work = try screen.check(try input.read(at: 0, count: input.size), depth: 0)
    return SVGWork.scale(units: work, area: area)
  }

  /// - Returns: The cost of its filters, in the units of ``SVGWork``.
  private mutating func check(_ document: [UInt8], depth: Int) throws(MediaFailure) -> Int {
    let bytes = TextSample.utf8(document)
    try SVGEncoding.check(document, as: bytes)
    try SVGStyle.check(instructionsIn: bytes)
    try SVGDeclarations.checkAttributes(in: bytes)
    let entities = try SVGDeclarations.entities(in: bytes, limit: Self.entityLimit)
    var scanner = XMLScanner(bytes)
    var work = SVGWork()
    var elements = 0
    // The text of all style elements forms one style sheet.
    var sheet: [UInt8] = []
    var isInStyle = false
    while let token = scanner.next() {
      switch token {
      case .end:
        isInStyle = false
        work.end()
      case .text(let range) where isInStyle:
        sheet += scanner.isLiteral(range) ? bytes[range] : try Self.text(bytes[range], entities)
      case .text, .other: break
      case .start(let name, let isEmpty):
        if elements == 0 { try SVGDeclarations.check(prologue: bytes[..<name.lowerBound]) }
        elements += 1
        guard elements <= Self.elementLimit else {
          throw Self.refused("more than \(Self.elementLimit.grouped) elements")
        }
        guard !isInStyle else { throw Self.refused("elements in a style sheet") }
        let element = try element(scanner, name, entities, depth: depth)
        isInStyle = element.name == "style" && !isEmpty
        work.start(element)
        if isEmpty { work.end() }
      }
    }
    guard elements > 0 else { throw .corruptImage("no svg element") }
    // librsvg might see what the scanner has not.
    guard scanner.isAtEnd else { throw .corruptImage("not well-formed XML") }
    try SVGStyle.check(sheet: sheet)
    return try work.units(sheet: sheet, limit: workLimit)
  }

  /// Checks one start tag and records its requests.
  private mutating func element(
    _ scanner: XMLScanner, _ name: Range<Int>, _ entities: [[UInt8]: [UInt8]], depth: Int
  ) throws(MediaFailure) -> SVGWork.Element {
    var element = SVGWork.Element(name: String(decoding: scanner.bytes[scanner.split(name).local], as: UTF8.self))
    // XInclude under any prefix: no SVG element has that name.
    guard element.name != "include" else { throw Self.refused("XInclude") }
    guard scanner.attributes.count < XMLScanner.attributeLimit else {
      throw Self.refused("more than \(XMLScanner.attributeLimit.grouped) attributes")
    }
    for attribute in scanner.attributes {
      // libxml2 drops an undeclared prefix and keeps the local name.
      let local = String(decoding: scanner.bytes[scanner.split(attribute.name).local], as: UTF8.self)
      guard SVGWork.isOfInterest(local) || !Self.isPlainText(local) else { continue }
      let value = try Self.text(scanner.bytes[attribute.value], entities)
      switch local {
      case "href": element.work += EncodedBytes.isData(value) ? try checkData(value, depth: depth) : 0
      case "numOctaves": try Self.checkOctaves(value)
      case "order" where element.name == "feConvolveMatrix": try Self.checkOrder(value)
      default: if !Self.isPlainText(local) { try SVGStyle.check(attribute: value) }
      }
      element.add(local, value)
    }
    return element
  }

  /// Whether an attribute holds free text from people or drawing programs, such as Windows paths. None is CSS.
  private static func isPlainText(_ name: String) -> Bool {
    ["absref", "class", "docname", "export-filename", "id", "label", "title"].contains(name)
      || name.hasPrefix("data-") || name.hasPrefix("aria-")
  }

  /// Text with its references replaced.
  private static func text(
    _ raw: ArraySlice<UInt8>, _ entities: [[UInt8]: [UInt8]]
  ) throws(MediaFailure) -> ArraySlice<UInt8> {
    guard raw.contains(UInt8(ascii: "&")) else { return raw }
    guard let text = XMLScanner.replacingReferences(in: raw, entities) else { throw refused("unknown entities") }
    return text[...]
  }

  private mutating func checkData(_ address: ArraySlice<UInt8>, depth: Int) throws(MediaFailure) -> Int {
    guard let content = EncodedBytes.data(address) else { throw Self.refused("invalid data URL") }
    let reader = ByteReader(content)
    guard let type = TypeDecider.type(of: reader) else { throw Self.refused("embedded image of unknown type") }
    if type == .svg || type.kind == .text {
      guard depth < Self.depthLimit else { throw Self.refused("SVG images nested too deeply") }
      return try check(content, depth: depth + 1)
    }
    guard let size = StillReader.header(of: type, reader)?.size else {
      throw Self.refused("embedded image of unknown size")
    }
    guard size.pixelCount <= pixelsLeft else {
      throw MediaFailure(.tooManyPixels, "The images embedded in the SVG have too many pixels.")
    }
    pixelsLeft -= size.pixelCount
    return 0
  }

  /// Checks the octaves of noise: each costs as much as the one before, and the tenth is invisible.
  private static func checkOctaves(_ value: ArraySlice<UInt8>) throws(MediaFailure) {
    guard value.count <= 16, value.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt64(bytes: value),
      number <= 9
    else { throw refused("more than 9 noise octaves") }
  }

  /// Checks the matrix order: librsvg 2.54 aborts the process on a matrix with more than 400 numbers.
  private static func checkOrder(_ value: ArraySlice<UInt8>) throws(MediaFailure) {
    let numbers = value.split { $0 <= 0x20 || $0 == UInt8(ascii: ",") }
    guard numbers.count <= 2, numbers.allSatisfy({ $0.count <= 2 && (UInt64(bytes: $0) ?? 99) <= 15 }) else {
      throw refused("a filter matrix larger than 15 x 15")
    }
  }

  static func refused(_ detail: String) -> MediaFailure {
    MediaFailure(.unsupported, "The SVG uses a feature that is not allowed.", detail: detail)
  }
}

extension UInt64 {
  fileprivate init?(bytes: ArraySlice<UInt8>) { self.init(String(decoding: bytes, as: UTF8.self)) }
}
