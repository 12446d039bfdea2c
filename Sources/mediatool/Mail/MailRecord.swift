internal import FileSupport
internal import Mail
internal import MediaModel

/// The JSON record of a mail (docs/design.md §7).
struct MailRecord: Encodable {
  /// Where a mail is.
  struct Place: Sendable {
    var path: PathBytes
    /// The number of the mail in its file, from 1, if there are several.
    var number: Int?
  }

  let place: Place
  var structure: MailStructure?
  var failure: MediaFailure?

  enum Keys: CodingKey {
    case number, subject, from, to, cc, replyTo, date, time, messageID, inReplyTo, references, structure, parts, error
  }

  func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var values = encoder.container(keyedBy: Keys.self)
    try values.encodeIfPresent(failure, forKey: .error)
    guard let structure else { return }
    try MailHeaders(header: structure.header).encode(to: encoder)
    try values.encode(StructureText.text(structure), forKey: .structure)
    try values.encode(structure.parts.count, forKey: .parts)
  }
}

extension MailRecord.Place {
  func encode(to encoder: any Encoder) throws {
    try PathKeys.encode(path, as: "path", to: encoder)
    var values = encoder.container(keyedBy: MailRecord.Keys.self)
    try values.encodeIfPresent(number, forKey: .number)
  }
}

/// The header of a mail as keys of its record.
struct MailHeaders: Encodable {
  let header: MailStructure.Header?

  func encode(to encoder: any Encoder) throws {
    guard let header else { return }
    var values = encoder.container(keyedBy: MailRecord.Keys.self)
    try values.encodeIfPresent(header.subject, forKey: .subject)
    if !header.from.isEmpty { try values.encode(header.from, forKey: .from) }
    if !header.to.isEmpty { try values.encode(header.to, forKey: .to) }
    if !header.cc.isEmpty { try values.encode(header.cc, forKey: .cc) }
    if !header.replyTo.isEmpty { try values.encode(header.replyTo, forKey: .replyTo) }
    try values.encodeIfPresent(header.date, forKey: .date)
    try values.encodeIfPresent(header.time, forKey: .time)
    try values.encodeIfPresent(header.messageID, forKey: .messageID)
    if !header.inReplyTo.isEmpty { try values.encode(header.inReplyTo, forKey: .inReplyTo) }
    if !header.references.isEmpty { try values.encode(header.references, forKey: .references) }
  }
}

/// The JSON record of a part.
struct MailPartRecord: Encodable {
  let place: MailRecord.Place
  let part: MailStructure.Part
  var sha256: String?
  /// Why the part has no digest, if one was asked for.
  var failure: MediaFailure?

  private enum Keys: CodingKey {
    case section, type, role, name, disposition, contentID, encoding, charset, octets, bytes, bytesAreEstimated, lines
    case message, damaged, overLimit, sha256, error
  }

  func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(part.section, forKey: .section)
    try values.encode(part.type, forKey: .type)
    try values.encodeIfPresent(part.role, forKey: .role)
    try values.encodeIfPresent(part.name, forKey: .name)
    try values.encodeIfPresent(part.disposition, forKey: .disposition)
    try values.encodeIfPresent(part.contentID, forKey: .contentID)
    try values.encodeIfPresent(part.encoding, forKey: .encoding)
    try values.encodeIfPresent(part.charset, forKey: .charset)
    try values.encode(part.octets, forKey: .octets)
    if !part.isMultipart {
      try values.encode(part.decodedSize.octets, forKey: .bytes)
      if case .estimated = part.decodedSize { try values.encode(true, forKey: .bytesAreEstimated) }
    }
    try values.encodeIfPresent(part.lines, forKey: .lines)
    if part.message != nil { try values.encode(true, forKey: .message) }
    if part.isDamaged { try values.encode(true, forKey: .damaged) }
    try values.encodeIfPresent(sha256, forKey: .sha256)
    try values.encodeIfPresent(failure, forKey: .error)
    if part.isOverLimit { try values.encode(true, forKey: .overLimit) }
  }
}

/// The JSON record of a mail's text.
struct MailTextRecord: Encodable {
  let place: MailRecord.Place
  let text: MailText

  private enum Keys: CodingKey { case text, links, truncated }
  private struct Link: Encodable {
    let utf8: [Int]
    let target: String
  }

  func encode(to encoder: any Encoder) throws {
    try place.encode(to: encoder)
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(text.text, forKey: .text)
    let links = text.links.map { Link(utf8: [$0.range.lowerBound, $0.range.upperBound], target: $0.target) }
    if !links.isEmpty { try values.encode(links, forKey: .links) }
    if text.isTruncated { try values.encode(true, forKey: .truncated) }
  }
}
