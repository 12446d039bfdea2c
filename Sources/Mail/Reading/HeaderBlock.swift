/// Where the fields of interest are in a header block: the first field of each name.
struct HeaderBlock {
  enum Field: Int, CaseIterable {
    case contentType, contentDisposition, contentTransferEncoding, contentID, contentLocation
    case subject, from, to, cc, replyTo, date, messageID, inReplyTo, references
  }

  /// Offset of the first octet of the body.
  var bodyStart = 0
  private var values = [Range<Int>?](repeating: nil, count: Field.allCases.count)

  subscript(_ field: Field) -> Range<Int>? {
    get { values[field.rawValue] }
    set { values[field.rawValue] = newValue }
  }

  static let names: [String: Field] = [
    "content-type": .contentType, "content-disposition": .contentDisposition,
    "content-transfer-encoding": .contentTransferEncoding, "content-id": .contentID,
    "content-location": .contentLocation, "subject": .subject, "from": .from, "to": .to, "date": .date,
    "message-id": .messageID, "cc": .cc, "reply-to": .replyTo, "in-reply-to": .inReplyTo, "references": .references,
  ]

  /// The field with this name in any case.
  static func field(_ octets: Octets, _ name: Range<Int>) -> Field? {
    guard (2...25).contains(name.count), "cCsSfFtTdDmMrRiI".utf8.contains(octets[name.lowerBound]) else { return nil }
    return names[String(decoding: octets[name].map(ASCII.lower), as: UTF8.self)]
  }
}

extension Octets {
  /// Offset of the colon if a line is a header field: printable ASCII without spaces, then maybe spaces, then a colon (RFC 5322 §2.2, §4.5).
  ///
  /// A field without a name is one too: other readers skip it, instead of starting the body there.
  func colon(ofFieldIn line: Range<Int>) -> Int? {
    var offset = line.lowerBound
    while offset < line.upperBound, self[offset] > 0x20, self[offset] < 0x7F, self[offset] != 0x3A { offset += 1 }
    while self[offset] == ASCII.space || self[offset] == ASCII.tab { offset += 1 }
    return offset < line.upperBound && self[offset] == 0x3A ? offset : nil
  }

  /// Whether a line begins with a word, in any case.
  func line(at offset: Int, beginsWith word: StaticString) -> Bool {
    word.withUTF8Buffer { word in word.indices.allSatisfy { ASCII.lower(self[offset + $0]) == word[$0] } }
  }

  /// The offset of one of the next lines, up to an empty one, that is a field that real headers contain: then the malformed line before them was part
  /// of a header. Nil if there is none.
  ///
  /// A line of two dashes ends the search: it is a boundary, and the fields after it are those of a part. At most 16 lines are read.
  func knownField(from offset: Int) -> Int? {
    var offset = offset
    for _ in 0..<16 {
      guard offset < count, self[offset] != ASCII.lineFeed, self[offset] != ASCII.carriageReturn else { return nil }
      if hasPrefix("--", at: offset) { return nil }
      if Self.knownFields.contains(where: { line(at: offset, beginsWith: $0) }) { return offset }
      offset = lineEnd(from: offset)
    }
    return nil
  }

  private static let knownFields: [StaticString] = [
    "content-", "mime-version:", "received:", "subject:", "from:", "to:", "date:", "message-id:",
  ]

  /// The octets of a field without its line breaks (RFC 5322 §2.2.3).
  func unfolded(_ range: Range<Int>) -> [UInt8] {
    self[range].filter { $0 != ASCII.lineFeed && $0 != ASCII.carriageReturn }
  }
}
