internal import MediaModel

extension MailStructure {
  /// The positions of the texts to display for the mail, in order: of every multipart/alternative one form.
  ///
  /// With `plain`, the plain form of an alternative if it is not empty, otherwise HTML, otherwise text/enriched or text/richtext, otherwise the first one;
  /// without, HTML first.
  /// Attached messages have their own: pass the position of one as `message`.
  public func textParts(preferringPlain plain: Bool = true, inMessage message: Int? = nil) -> [Int] {
    let messages = messagesOfParts()
    // The outermost alternative that contains each part, within its message.
    var alternatives: [Int?] = []
    alternatives.reserveCapacity(parts.count)
    var groups: [(alternative: Int?, positions: [Int])] = []
    for (position, part) in parts.enumerated() {
      let parent = part.parent.flatMap { parts[$0].message == nil ? $0 : nil }
      alternatives.append(
        parent.flatMap { alternatives[$0] } ?? (part.type.rawValue == "multipart/alternative" ? position : nil))
      guard messages[position] == message, part.role == .body else { continue }
      if let alternative = alternatives[position], groups.last?.alternative == alternative {
        groups[groups.count - 1].positions.append(position)
      } else {
        groups.append((alternatives[position], [position]))
      }
    }
    // The body of a TNEF stream is that of the mail once more, unless the mail has no other.
    if groups.contains(where: { $0.positions.contains { !isInStream($0) && parts[$0].octets > 0 } }) {
      groups = groups.map { ($0.alternative, $0.positions.filter { !isInStream($0) }) }
    }
    let order =
      (plain ? ["text/plain", "text/html"] : ["text/html", "text/plain"]) + ["text/enriched", "text/richtext"]
    return groups.flatMap { group -> [Int] in
      guard group.alternative != nil else { return group.positions }
      for type in order {
        let form = group.positions.filter { parts[$0].type.rawValue == type && parts[$0].octets > 0 }
        if !form.isEmpty { return form }
      }
      return Array(group.positions.prefix(1))
    }
  }

  private func isInStream(_ position: Int) -> Bool { parts[position].container.map { parts[$0].isTNEF } ?? false }

  /// The text to display of a mail: the texts of ``textParts(preferringPlain:inMessage:)``, decoded, with an empty line between them.
  ///
  /// Of a text with embedded parts in the list, the uuencode and yEnc are not displayed. A mail has at most 4 MiB of text, of which each part has at most
  /// 1 MiB; ``MailText/isTruncated`` states that there is more.
  /// - Parameter bytes: The bytes that this structure was read from.
  public func text(of bytes: some Collection<UInt8>, preferringPlain plain: Bool = true, inMessage message: Int? = nil)
    -> MailText
  {
    Octets.with(bytes) { text(ContentReader($0), textParts(preferringPlain: plain, inMessage: message)) }
  }

  /// The text to display of a mail, as of its bytes.
  /// - Parameter source: The source that this structure was read from.
  public func text(of source: Source, preferringPlain plain: Bool = true, inMessage message: Int? = nil) -> MailText {
    text(ContentReader(source), textParts(preferringPlain: plain, inMessage: message))
  }

  /// The text to display of a mail, with other limits: of the decoded octets of a part, and of the text of all parts in UTF-8.
  func text(of bytes: some Collection<UInt8>, maxInputOctets: Int, maxOctets: Int) -> MailText {
    Octets.with(bytes) {
      text(ContentReader($0), textParts(), maxInputOctets: maxInputOctets, maxOctets: maxOctets)
    }
  }

  private func text(
    _ reader: ContentReader, _ positions: [Int], maxInputOctets: Int = MailText.maxInputOctets,
    maxOctets: Int = MailText.maxMailOctets
  ) -> MailText {
    // Many texts may be in one container, which the reader decodes once.
    var reader = reader
    var result = MailText()
    let files = textFiles()
    for position in positions {
      // With the empty line before it.
      let left = maxOctets - result.text.utf8.count - (result.text.isEmpty ? 0 : 2)
      guard left > 0 else {
        result.isTruncated = true
        break
      }
      var octets = reader.content(of: position, in: self, maxOctets: maxInputOctets + 1)
      let isWhole = octets.count <= maxInputOctets
      if !isWhole { octets.removeLast(octets.count - maxInputOctets) }
      var (text, copied): ([UInt8], Int) = ([], 0)
      for file in files[position] ?? [] where file.lowerBound >= copied && file.upperBound <= octets.count {
        text += octets[copied..<file.lowerBound]
        copied = file.upperBound
      }
      let content = copied == 0 ? octets : text + octets[copied...]
      result.append(
        MailText(octets: content, isWhole: isWhole, of: parts[position], maxOctets: min(MailText.maxPartOctets, left)))
    }
    return result
  }

  /// The ranges of uuencode and yEnc in the decoded body of each text, in their order.
  private func textFiles() -> [Int: [Range<Int>]] {
    var result: [Int: [Range<Int>]] = [:]
    for part in parts where part.isTextEncoded {
      if let container = part.container, let range = part.rangeInContainer {
        result[container, default: []].append(range)
      }
    }
    return result
  }
}
