internal import Encodings
internal import MediaModel

/// Makes parts of an IMAP `BODYSTRUCTURE` (RFC 9051 §7.5.2). Servers send many malformed ones; each is still a list of parts.
struct BodyStructureReader {
  /// A body that is to be read: work is on a stack of its own, not on the call stack.
  private struct Item {
    let value: Int
    let parent: Int?
    /// What its section begins with, and its number; nil for the body of a message.
    let prefix: String
    let number: Int?
    let depth: Int
  }

  /// A part has about twenty values, its parameters included.
  private static let maxValuesPerPart = 100

  private let list: IMAPList
  private let limits: MailStructure.Limits
  private(set) var parts: [MailStructure.Part] = []

  init(_ line: [UInt8], limits: MailStructure.Limits) {
    list = IMAPList(line, maxValues: max(10, limits.maxParts) * Self.maxValuesPerPart)
    self.limits = limits
  }

  mutating func read() {
    var items = [Item(value: root ?? -1, parent: nil, prefix: "", number: nil, depth: 0)]
    while let item = items.popLast() {
      if parts.count >= max(1, limits.maxParts) {
        parts[parts.count - 1].isOverLimit = true
        return
      }
      let elements = list.elements(of: item.value)
      if item.depth >= limits.maxDepth, isContainer(elements) {
        var part = MailStructure.Part.empty(.octetStream)
        part.isOverLimit = true
        _ = append(part, item)
      } else if isMultipart(elements) {
        items += readMultipart(elements, item).reversed()
      } else {
        items += readLeaf(elements, item)
      }
    }
    if list.isCut { parts[parts.count - 1].isOverLimit = true }
  }

  /// The list after `BODYSTRUCTURE` or `BODY`, otherwise the first list.
  private var root: Int? {
    let first = list.top.first { list.isList($0) }
    for values in [list.top, first.map { list.elements(of: $0) } ?? []] {
      for name in ["bodystructure", "body"] {
        for (value, next) in zip(values, values.dropFirst()) where list.isList(next) {
          if list.text(value)?.map(ASCII.lower).elementsEqual(name.utf8) == true { return next }
        }
      }
    }
    return first
  }

  // MARK: Shapes

  private func isMultipart(_ elements: [Int]) -> Bool {
    guard let first = elements.first else { return false }
    if list.isList(first) { return true }
    guard elements.count > 1, list.isList(elements[1]) else { return false }
    // `(NIL (…) "mixed")` has a missing part, `("mixed" ("boundary" "x"))` has none at all; `("text" ("charset" "x"))` lacks its subtype.
    return text(first).map { !Self.topLevelTypes.contains($0) } ?? true
  }

  private func isContainer(_ elements: [Int]) -> Bool {
    isMultipart(elements) || elements.count > 8 && list.isList(elements[7]) && list.isList(elements[8])
  }

  private static let topLevelTypes: Set<String> = [
    "text", "image", "audio", "video", "application", "message", "model", "font",
  ]

  /// A text in lower case.
  private func text(_ index: Int) -> String? {
    list.text(index).map { String(decoding: $0.map(ASCII.lower), as: UTF8.self) }
  }

  private func number(_ index: Int) -> Int? {
    list.text(index).flatMap { Int(String(decoding: $0, as: UTF8.self)) }.map { max(0, $0) }
  }

  private func parameters(_ index: Int?) -> [String: String] {
    guard let index else { return [:] }
    var pieces = ParameterPieces()
    var values = list.elements(of: index)[...]
    while values.count >= 2 {
      let (name, value) = (text(values.removeFirst()), list.text(values.removeFirst()))
      if let name, let value { pieces.add(name, value) }
    }
    return pieces.decoded()
  }

  // MARK: Parts

  private mutating func append(_ part: MailStructure.Part, _ item: Item) -> (position: Int, prefix: String) {
    var part = part
    part.parent = item.parent
    let position = parts.count
    if let number = item.number {
      part.section = item.prefix + String(number)
      parts.append(part)
      return (position, part.section + ".")
    }
    part.section = item.prefix + (part.isMultipart ? "TEXT" : "1")
    parts.append(part)
    return (position, part.isMultipart ? item.prefix : item.prefix + "1.")
  }

  private mutating func readMultipart(_ elements: [Int], _ item: Item) -> [Item] {
    let children = elements.prefix { list.isList($0) || list.values[$0] == .null }
    let fields = Array(elements.dropFirst(children.count))
    let type = "multipart/" + (fields.first.flatMap(text) ?? "mixed")
    var part = MailStructure.Part.empty(MediaType(PartFields.isType(type) ? type : "multipart/mixed"))
    part.parameters = parameters(fields.dropFirst().first)
    addExtensions(fields.dropFirst(2), to: &part)
    if children.isEmpty { part.makeLeaf(.plainText) }
    let (position, prefix) = append(part, item)
    // One more than there is space for, so that the limit is noticed.
    return children.prefix(max(0, limits.maxParts - parts.count) + 1).enumerated().map {
      Item(value: $0.element, parent: position, prefix: prefix, number: $0.offset + 1, depth: item.depth + 1)
    }
  }

  private mutating func readLeaf(_ elements: [Int], _ item: Item) -> [Item] {
    // NIL or an empty list instead of a part.
    guard elements.count > 1 else {
      _ = append(MailStructure.Part.empty(.octetStream), item)
      return []
    }
    var fields = elements[...]
    let top = fields.popFirst().flatMap(text) ?? "application"
    // The subtype may be missing.
    let hasSubtype = fields.first.map { !list.isList($0) } ?? false
    let subtype = hasSubtype ? fields.popFirst().flatMap(text) : nil
    let type = top + "/" + (subtype ?? (top == "text" ? "plain" : "octet-stream"))
    var part = MailStructure.Part.empty(PartFields.isType(type) ? MediaType(type) : .octetStream)
    part.parameters = parameters(fields.popFirst())
    part.contentID = fields.popFirst().flatMap { list.text($0) }.flatMap(PartFields.identifier)
    _ = fields.popFirst()
    part.encoding = fields.popFirst().flatMap { list.text($0) }.flatMap(PartFields.encoding)
    part.octets = fields.popFirst().flatMap(number) ?? 0
    part.decodedSize = decodedSize(part)
    var body: Int?
    if part.isMessage, fields.count > 1, let envelope = fields.first,
      list.isList(envelope) || list.isList(fields[fields.startIndex + 1])
    {
      part.message = header(list.elements(of: envelope))
      fields.removeFirst()
      body = fields.removeFirst()
    }
    if part.isMessage || part.type.topLevel == "text" { part.lines = fields.popFirst().flatMap(number) }
    _ = fields.popFirst()
    addExtensions(fields, to: &part)
    let (position, prefix) = append(part, item)
    return body.map { [Item(value: $0, parent: position, prefix: prefix, number: nil, depth: item.depth + 1)] } ?? []
  }

  /// Disposition, language and location.
  private func addExtensions(_ fields: ArraySlice<Int>, to part: inout MailStructure.Part) {
    var fields = fields
    var disposition: [String: String] = [:]
    if let first = fields.popFirst() {
      // Some servers send the word without its list.
      let words = list.isList(first) ? list.elements(of: first) : [first]
      part.disposition = words.first.flatMap(text)
      disposition = parameters(words.dropFirst().first)
    }
    _ = fields.popFirst()
    part.location = fields.popFirst().flatMap { list.text($0) }.flatMap(PartFields.trimmed)
    part.name = PartFields.name(type: part.parameters, disposition: disposition)
  }

  /// Exact if the body is not encoded. Of base64, 57 of 78 octets are content in lines of 76 characters (RFC 2045 §6.8).
  private func decodedSize(_ part: MailStructure.Part) -> MailStructure.DecodedSize {
    switch part.transferEncoding {
    // Lines of uuencode have 61 characters for 45 octets; yEnc escapes few.
    case nil where part.isTextEncoded: .estimated(Int(Double(part.octets) * 45 / 62))
    case nil: .exact(part.octets)
    case .base64: .estimated(Int(Double(part.octets) * 57 / 78))
    case .quotedPrintable: .estimated(part.octets)
    }
  }

  /// The header of an attached message, from its envelope (RFC 9051 §7.5.2).
  private func header(_ envelope: [Int]) -> MailStructure.Header {
    var header = MailStructure.Header()
    func field(_ index: Int) -> Int? { envelope.indices.contains(index) ? envelope[index] : nil }
    header.date = field(0).flatMap { list.text($0) }.flatMap(PartFields.trimmed)
    header.subject = field(1).flatMap { list.text($0) }.map { PartFields.text($0) }
    header.from = field(2).map(addresses) ?? []
    header.replyTo = field(4).map(addresses) ?? []
    header.to = field(5).map(addresses) ?? []
    header.cc = field(6).map(addresses) ?? []
    header.inReplyTo = field(8).flatMap { list.text($0) }.map { PartFields.identifiers($0) } ?? []
    header.messageID = field(9).flatMap { list.text($0) }.flatMap(PartFields.identifier)
    return header
  }

  private func addresses(_ index: Int) -> [String] {
    list.elements(of: index).compactMap { address in
      let words = list.elements(of: address)
      guard words.count >= 4, let mailbox = list.text(words[2]) else { return nil }
      let host = list.text(words[3]).map { "@" + String(decoding: $0, as: UTF8.self) } ?? ""
      let address = (String(decoding: mailbox, as: UTF8.self) + host).withoutControls
      return list.text(words[0]).map { "\(PartFields.text($0)) <\(address)>" } ?? address
    }
  }
}
