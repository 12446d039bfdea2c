/// PDF (ISO 32000-1): the information dictionary, its texts and XMP streams become empty, and metadata segments of JPEG
/// images become zeros. The length and every offset stay.
///
/// Names of authors in annotations, attached files and the text itself are content and stay.
struct PDFFile {
  private(set) var bytes: [UInt8]

  /// Nil if the file is encrypted, if the information dictionary or one of its revisions may be in a compressed object
  /// stream, and if it or its XMP cannot be found for certain.
  static func strip(_ file: [UInt8]) -> [UInt8]? {
    var pdf = PDFFile(bytes: file)
    guard pdf.strip() else { return nil }
    return pdf.bytes
  }

  private mutating func strip() -> Bool {
    let head = bytes.prefix(1_024)
    guard head.firstRange(of: Array("%PDF-".utf8)) != nil, positions(of: "/Encrypt").isEmpty, !hasEscapedNames else {
      return false
    }
    var information: Set<Int> = []
    var numbers: Set<Int> = []
    for name in ["/Info", "/Metadata"] {
      for position in positions(of: name) {
        let after = position + name.utf8.count
        if let number = reference(after) {
          numbers.insert(number)
          if name == "/Info" { information.insert(number) }
        } else if name == "/Info" && hasDictionary(after) || bytes.has("%", at: skipSpace(after)) {
          return false
        }
      }
    }
    guard let objects = objects(), information.isEmpty || !hasHiddenRevisions,
      let texts = texts(of: information, in: objects)
    else { return false }
    // The others are in object streams, compressed together.
    guard numbers.isSubset(of: objects.map(\.number)) else { return false }
    for object in objects {
      if numbers.contains(object.number) || isMetadata(object.body) {
        write("<<>>", over: object.body)
      } else if texts.contains(object.number) {
        write("()", over: object.body)
      }
    }
    for object in objects { stripImage(object.body) }
    return first("<x:xmpmeta", in: 0..<bytes.count) == nil && first("<?xpacket", in: 0..<bytes.count) == nil
  }

  /// Whether an uncompressed object may have another revision in an object stream. Only compressed tables state which
  /// revision is the last.
  private var hasHiddenRevisions: Bool {
    guard !positions(of: "/ObjStm").isEmpty else { return false }
    let revisions = positions(of: "startxref").count
    // The first page of a linearized file has a table of its own; the file states its length when it was written.
    if revisions == 2, let linearized = positions(of: "/Linearized").first, linearized < 1_024,
      let end = first(">>", in: linearized..<bytes.count),
      let length = positions(of: "/L").first(where: { linearized..<end ~= $0 }), number(length + 2) == bytes.count
    {
      return !positions(of: "/XRefStm").isEmpty
    }
    return revisions > 1 || !positions(of: "/XRefStm").isEmpty
  }

  /// The objects that are texts of an information dictionary; nil if it refers to anything else or to a compressed object.
  private func texts(of information: Set<Int>, in objects: [(number: Int, body: Range<Int>)]) -> Set<Int>? {
    var texts: Set<Int> = []
    for object in objects where information.contains(object.number) {
      guard let found = references(in: object.body) else { return nil }
      texts.formUnion(found)
    }
    guard !texts.isEmpty else { return texts }
    for object in objects where texts.contains(object.number) {
      let start = skipSpace(object.body.lowerBound)
      guard bytes.has("(", at: start) || bytes.has("<", at: start) && !bytes.has("<<", at: start) else { return nil }
    }
    return texts.isSubset(of: objects.map(\.number)) ? texts : nil
  }

  /// Whether an object is a stream of XMP, whoever refers to it.
  private func isMetadata(_ body: Range<Int>) -> Bool {
    guard let stream = first("stream", in: body) else { return false }
    let dictionary = body.lowerBound..<stream
    for name in ["/Type", "/Subtype"] {
      var at = dictionary.lowerBound
      while let found = first(name, in: at..<dictionary.upperBound) {
        at = found + name.utf8.count
        let value = skipSpace(at)
        if bytes.has("/Metadata", at: value) || bytes.has("/XML", at: value) { return true }
      }
    }
    return false
  }

  /// Writes an empty value over an object.
  private mutating func write(_ value: String, over body: Range<Int>) {
    for index in body where !Self.isSpace(bytes[index]) { bytes[index] = 0x20 }
    let start = skipLineEnd(body.lowerBound)
    guard start + value.utf8.count <= body.upperBound else { return }
    for (offset, byte) in value.utf8.enumerated() { bytes[start + offset] = byte }
  }

  /// Overwrites EXIF, XMP, IPTC and comments of a JPEG that is the content of a stream.
  private mutating func stripImage(_ body: Range<Int>) {
    guard let stream = first("stream", in: body) else { return }
    var at = skipLineEnd(stream + 6)
    guard at + 4 <= body.upperBound, bytes[at] == 0xFF, bytes[at + 1] == 0xD8 else { return }
    at += 2
    while at + 4 <= body.upperBound, bytes[at] == 0xFF {
      let marker = bytes[at + 1]
      // Any number of these may come before a marker.
      if marker == 0xFF {
        at += 1
        continue
      }
      let end = at + 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
      guard marker != 0xDA, marker >= 0xC0, end >= at + 4, end <= body.upperBound else { return }
      // APP1, APP3 to APP13 and APP15, and comments. The others define colours.
      if marker == 0xFE || marker == 0xE1 || (0xE3...0xED).contains(marker) || marker == 0xEF {
        for index in (at + 4)..<end { bytes[index] = 0 }
      }
      at = end
    }
  }
}
