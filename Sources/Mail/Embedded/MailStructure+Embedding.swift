internal import Encodings
internal import MediaModel

extension MailStructure {
  /// Appends the parts that are directly in the decoded body of a part.
  mutating func embed(_ octets: Octets, in position: Int, maxParts: Int, _ limits: Limits) {
    if parts[position].isTNEF {
      embedStream(octets, in: position, maxParts: maxParts)
    } else if parts[position].isMessage {
      embedMessage(octets, in: position, maxParts: maxParts, limits)
    } else {
      embedTextFiles(octets, in: position, maxParts: maxParts)
    }
  }

  private mutating func append(_ part: Part, in position: Int, _ range: Range<Int>) {
    var part = part
    part.container = position
    part.parent = part.parent ?? position
    part.rangeInContainer = range
    part.octets = range.count
    parts.append(part)
  }

  /// A file by its name, of the type of its extension unless one is declared.
  private func file(_ section: String, name: String?, type: String?) -> Part {
    let ending = name?.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last
    let usual = ending.flatMap { MediaType.types(forExtension: String($0)).first } ?? .octetStream
    var part = Part.empty(type.flatMap { PartFields.isType($0) ? MediaType($0) : nil } ?? usual)
    part.section = section
    part.name = name.flatMap { $0.isEmpty ? nil : $0.withoutControls }
    part.disposition = "attachment"
    part.role = .attachment
    return part
  }

  // MARK: uuencode and yEnc

  private mutating func embedTextFiles(_ octets: Octets, in position: Int, maxParts: Int) {
    let text = octets[0..<octets.count]
    let files = TextFiles(text, maxFiles: maxParts).files
    for (index, file) in files.enumerated() {
      let kind = file.encoding == MailPartDecoder.yEnc ? "yenc" : "uu"
      var part = self.file(
        "\(parts[position].section).\(kind).\(index + 1)", name: Charset.mailText(undeclared: file.name[...]), type: nil
      )
      part.encoding = file.encoding
      part.isDamaged = file.isDamaged
      part.parameters["number"] = file.number.map(String.init)
      part.parameters["total"] = file.total.map(String.init)
      part.decodedSize = .exact(octets.decodedCount(part, file.range))
      append(part, in: position, file.range)
    }
  }

  // MARK: Encoded messages

  private mutating func embedMessage(_ octets: Octets, in position: Int, maxParts: Int, _ limits: Limits) {
    var limits = limits
    limits.maxParts = maxParts
    let inner = MailStructure(octets, limits)
    parts[position].message = inner.header
    let (first, prefix) = (parts.count, parts[position].section + ".mail.")
    for var part in inner.parts {
      part.section = prefix + part.section
      part.parent = part.parent.map { $0 + first }
      let range = part.bodyRange ?? 0..<0
      (part.bodyRange, part.headerRange) = (nil, nil)
      append(part, in: position, range)
    }
  }

  // MARK: TNEF

  private mutating func embedStream(_ octets: Octets, in position: Int, maxParts: Int) {
    let stream = TNEFReader(octets, maxAttachments: max(0, maxParts - 1))
    parts[position].isDamaged = parts[position].isDamaged || stream.isDamaged
    // One inside of another is an attached message.
    if parts[position].role == .attachedMessage {
      parts[position].message = Header()
      parts[position].message?.subject = stream.message.subject?.withoutControls
    }
    let prefix = parts[position].section + ".tnef."
    var ids: Set<String> = []
    if let (body, range) = body(stream, prefix + "body") {
      var body = body
      if body.type.rawValue == "text/html" { ids = MailText.contentIDs(inHTML: octets[range]) }
      let isCompressed = body.encoding == Part.compressedRTF
      body.decodedSize = .exact(isCompressed ? CompressedRTF.count(octets[range]) : range.count)
      append(body, in: position, range)
    }
    for (index, attachment) in stream.attachments.enumerated() {
      var part = file(prefix + String(index + 1), name: attachment.name, type: attachment.type)
      part.contentID = attachment.contentID
      if part.isMultipart { part.type = .octetStream }
      if attachment.isMessage {
        part.type = MediaType("application/ms-tnef")
        part.role = .attachedMessage
      } else if part.isMessage {
        part.role = .attachedMessage
      } else if part.type.topLevel == "image", attachment.contentID.map(ids.contains) ?? false {
        part.role = .inlinePicture
      }
      let range = attachment.content ?? 0..<0
      part.decodedSize = .exact(range.count)
      part.isDamaged = attachment.content == nil || stream.isDamaged && range.upperBound == octets.count
      append(part, in: position, range)
    }
  }

  /// The richest form of the body of a stream.
  private func body(_ stream: TNEFReader, _ section: String) -> (Part, Range<Int>)? {
    var part = Part.empty(.plainText)
    part.section = section
    part.role = .body
    if let html = stream.message.html, !html.isEmpty {
      part.type = MediaType("text/html")
      part.parameters["charset"] = stream.message.htmlCharset?.name
      return (part, html)
    }
    if let text = stream.message.plainText, !text.isEmpty {
      part.parameters["charset"] = stream.message.isPlainTextUTF16 ? "utf-16le" : stream.charset?.name
      return (part, text)
    }
    if let rtf = stream.message.rtf, !rtf.isEmpty {
      part.type = MediaType("text/rtf")
      part.encoding = Part.compressedRTF
      return (part, rtf)
    }
    return nil
  }
}
