internal import Mail
internal import MediaModel

/// A mail: every input has a consistent list, the same from memory and in pieces, and each part as many bytes as the list says.
@_cdecl("mediatool_fuzz_mail")
public func fuzzMail(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let mail = Array(UnsafeBufferPointer(start: bytes, count: count))
  var structure = MailStructure(message: mail)
  check(structure)
  for part in structure.parts {
    precondition(part.bodyRange.map { $0.upperBound <= count && $0.count == part.octets } ?? false)
  }
  let source = MailStructure.Source(mail)
  precondition(MailStructure(source: source) == structure)
  precondition(source.mails().reduce(0) { $0 + $1.count } == count)
  structure.addEmbeddedParts(in: mail)
  check(structure)
  var reader = MailStructure.ContentReader(source)
  for position in structure.parts.indices where !structure.parts[position].isMultipart {
    let part = structure.parts[position]
    if part.message == nil {
      precondition(reader.content(of: position, in: structure).count == part.decodedSize.octets)
    }
  }
  check(structure.text(of: mail))
}

/// A `BODYSTRUCTURE`.
@_cdecl("mediatool_fuzz_bodystructure")
public func fuzzBodyStructure(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let structure = MailStructure(bodyStructure: UnsafeBufferPointer(start: bytes, count: count))
  check(structure)
  _ = structure.textParts()
}

/// A `winmail.dat` as the body of a part.
@_cdecl("mediatool_fuzz_tnef")
public func fuzzTNEF(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let octets = Array(UnsafeBufferPointer(start: bytes, count: count))
  var structure = MailStructure(bodyStructure: Array("(\"application\" \"ms-tnef\" NIL NIL NIL \"7bit\" 1)".utf8))
  structure.addEmbeddedParts(of: 0, octets: octets)
  check(structure)
  for position in structure.parts.indices where structure.parts[position].container == 0 {
    let content = structure.content(of: position, inContainer: octets)
    precondition(content.count == structure.parts[position].decodedSize.octets)
    if structure.parts[position].role == .body { check(MailText(octets: content, of: structure.parts[position])) }
  }
}

/// HTML, and the older formats of text with commands in angle brackets.
@_cdecl("mediatool_fuzz_html")
public func fuzzHTML(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
  let html = UnsafeBufferPointer(start: bytes, count: count)
  check(MailText(html: String(decoding: html, as: UTF8.self), maxOctets: 10_000))
  _ = MailText.contentIDs(inHTML: html)
  for type in ["enriched", "richtext"] {
    let part = MailStructure(bodyStructure: Array("(\"text\" \"\(type)\" NIL NIL NIL \"7bit\" 1 1)".utf8)).parts[0]
    check(MailText(octets: html, of: part, maxOctets: 10_000))
  }
}

private func check(_ structure: MailStructure) {
  precondition(!structure.parts.isEmpty)
  precondition(Set(structure.parts.map(\.section)).count == structure.parts.count)
  for (position, part) in structure.parts.enumerated() {
    precondition(part.parent.map { $0 < position } ?? (position == 0))
    precondition(part.octets >= 0 && part.decodedSize.octets >= 0 && part.lines ?? 0 >= 0)
    precondition(part.isMultipart == (part.role == nil))
    precondition(part.name.map(isOneLine) ?? true)
    check(part.message)
  }
  check(structure.header)
}

private func check(_ header: MailStructure.Header?) {
  guard let header else { return }
  let texts = [header.subject, header.date, header.messageID].compactMap(\.self) + header.from + header.to + header.cc
  precondition((texts + header.replyTo + header.inReplyTo + header.references).allSatisfy(isOneLine))
}

/// What is displayed or becomes a field of an answer has no control characters except tabs.
private func isOneLine(_ text: String) -> Bool {
  text.unicodeScalars.allSatisfy { $0 == "\t" || $0.properties.generalCategory != .control }
}

private func check(_ text: MailText) {
  var end = 0
  for link in text.links {
    precondition(link.range.lowerBound >= end && !link.range.isEmpty && link.range.upperBound <= text.text.utf8.count)
    end = link.range.upperBound
  }
}
