package import MediaModel

/// What a stranger's drawing may not ask of whoever draws it, found before it is drawn.
///
/// librsvg (2.54) follows no reference out of the file, for it is given no address to start from. What it does follow stands in the file
/// itself, and has no bounds there: entities, which it unpacks; pictures in `data:` addresses, which it unpacks as well; documents
/// included in the document. So all of these are looked at here. Where this scanner and librsvg could understand a file
/// differently, the file is refused.
package struct SVGScreen {
  /// Characters that all entities together may unpack to; drawing programs use them for the addresses of namespaces.
  private static let entityLimit = 16_777_216
  /// A drawing in a `data:` address in a drawing, and no further.
  private static let depthLimit = 1

  private var pixelsLeft: Int

  /// Looks through a whole drawing.
  /// - Parameter pixels: How many the pictures in it may have, all together.
  /// - Throws: `unsupported`, `tooManyPixels`, `corrupt`; whatever reading throws.
  package static func check(_ input: borrowing MediaInput, pixels: Int) throws(MediaFailure) {
    var screen = SVGScreen(pixelsLeft: pixels)
    try screen.check(try input.read(at: 0, count: input.size), depth: 0)
  }

  private mutating func check(_ document: [UInt8], depth: Int) throws(MediaFailure) {
    let bytes = TextSample.utf8(document)
    try checkEncoding(bytes)
    try SVGDeclarations.check(bytes, entityLimit: Self.entityLimit)
    var scanner = XMLScanner(bytes)
    var isDrawing = false
    while let token = scanner.next() {
      guard case .start(let name, _) = token else { continue }
      if !isDrawing { try SVGDeclarations.check(prologue: bytes[..<name.lowerBound]) }
      isDrawing = true
      // XInclude, under whatever prefix: no element of SVG has that name.
      if scanner.equals(scanner.split(name).local, "include") { throw Self.refused("XInclude") }
      guard scanner.attributes.count < XMLScanner.attributeLimit else { throw Self.refused("too many attributes") }
      for attribute in scanner.attributes {
        let local = scanner.split(attribute.name).local
        if scanner.equals(local, "href") { try checkAddress(attribute.value, in: scanner, depth: depth) }
        if scanner.equals(local, "numOctaves") { try checkNumber(bytes[attribute.value]) }
      }
    }
    guard isDrawing else { throw .corruptPicture("no element") }
  }

  /// The scanner reads ASCII and what contains it. In UTF-7 and its like, tags can be written in other characters.
  private func checkEncoding(_ bytes: [UInt8]) throws(MediaFailure) {
    guard bytes.starts(with: "<?xml".utf8), let end = bytes.firstIndex(of: UInt8(ascii: ">")) else { return }
    let declaration = String(decoding: bytes[..<min(end, 512)], as: UTF8.self).lowercased()
    guard let place = declaration.firstRange(of: "encoding") else { return }
    let name = declaration[place.upperBound...].drop(while: { " =\"'\t\r\n".contains($0) })
    let harmless = ["utf-8", "utf8", "us-ascii", "ascii", "iso-8859-", "windows-125", "utf-16"]
    guard harmless.contains(where: name.hasPrefix) else { throw Self.refused("encoding") }
  }

  private mutating func checkAddress(_ value: Range<Int>, in scanner: XMLScanner, depth: Int) throws(MediaFailure) {
    let raw = scanner.bytes[value]
    guard let ampersand = raw.firstIndex(of: UInt8(ascii: "&")) else {
      return EncodedBytes.isData(raw) ? try checkData(raw, depth: depth) : ()
    }
    // Written with entities, an address can be anything; only those that clearly lie elsewhere in the file, or outside, may pass.
    let start = raw[..<ampersand].drop(while: { $0 <= 0x20 })
    guard let first = start.first, first.asciiLowercased != UInt8(ascii: "d") else {
      throw Self.refused("address made of entities")
    }
  }

  private mutating func checkData(_ address: ArraySlice<UInt8>, depth: Int) throws(MediaFailure) {
    guard let content = EncodedBytes.data(address) else { return }
    let reader = ByteReader(content)
    guard let type = TypeDecider.type(of: reader) else { throw Self.refused("a picture of no known type") }
    if type == .svg || type.kind == .text {
      guard depth < Self.depthLimit else { throw Self.refused("drawings in drawings") }
      return try check(content, depth: depth + 1)
    }
    guard let size = StillReader.header(of: type, reader)?.size else {
      throw Self.refused("a picture of no known size")
    }
    guard size.pixelCount <= pixelsLeft else {
      throw MediaFailure(.tooManyPixels, "The pictures in the drawing have too many pixels.")
    }
    pixelsLeft -= size.pixelCount
  }

  /// Octaves of noise, each of which takes as long as the one before it, and of which nobody sees the tenth.
  private func checkNumber(_ value: ArraySlice<UInt8>) throws(MediaFailure) {
    let text = String(decoding: value.prefix(16), as: UTF8.self)
    guard let number = Double(text.filter { $0 != " " }), number <= 32 else { throw Self.refused("octaves") }
  }

  static func refused(_ detail: String) -> MediaFailure {
    MediaFailure(.unsupported, "The drawing asks for more than a picture needs.", detail: detail)
  }
}
