internal import MediaModel

extension MailStructure {
  /// The positions of the texts to display for the mail, in order: of every multipart/alternative one form.
  ///
  /// With `plain`, the plain form of an alternative if it is not empty, otherwise HTML, otherwise the first one; without, HTML first.
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
    let order = plain ? ["text/plain", "text/html"] : ["text/html", "text/plain"]
    return groups.flatMap { group -> [Int] in
      guard group.alternative != nil else { return group.positions }
      for type in order {
        let form = group.positions.filter { parts[$0].type.rawValue == type && parts[$0].octets > 0 }
        if !form.isEmpty { return form }
      }
      return Array(group.positions.prefix(1))
    }
  }

  /// The text to display of a mail: the texts of ``textParts(preferringPlain:inMessage:)``, decoded, with an empty line between them.
  ///
  /// - Parameter bytes: The bytes that this structure was read from.
  public func text(of bytes: some Collection<UInt8>, preferringPlain plain: Bool = true, inMessage message: Int? = nil)
    -> MailText
  {
    var result = MailText()
    for position in textParts(preferringPlain: plain, inMessage: message) {
      guard let range = parts[position].bodyRange else { continue }
      let body = bytes.dropFirst(range.lowerBound).prefix(min(range.count, MailText.maxInputOctets))
      var decoder = MailPartDecoder(encoding: parts[position].encoding)
      let octets = decoder.feed(body) + decoder.finish()
      result.append(MailText(octets: octets, of: parts[position]))
    }
    return result
  }
}
