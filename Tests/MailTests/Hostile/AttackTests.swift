internal import Mail
internal import MediaModel
internal import Testing

/// Mails that cost other readers minutes or gigabytes: of each, reading is a fixed number of passes, and the list is no larger than the mail.
@Suite struct AttackTests {
  /// Octets of a window of a source, of which a few are read for the smallest mail.
  private static let window = 256 << 10

  @Test("A hostile mail is read in a fixed number of passes", .timeLimit(.minutes(10)), arguments: Attack.all)
  func passes(attack: Attack) {
    let bytes = attack.bytes
    let file = CountedFile(bytes)
    var structure = MailStructure(source: file.source)
    // Once for the lines, once for the sizes of decoded bodies.
    #expect(file.octetsRead <= 3 * bytes.count + 4 * Self.window)
    let before = file.octetsRead
    structure.addEmbeddedParts(in: file.source)
    _ = structure.text(of: file.source)
    #expect(file.octetsRead - before <= 6 * bytes.count + 12 * Self.window)
  }

  @Test("The list of a hostile mail has limits", .timeLimit(.minutes(10)), arguments: Attack.all)
  func limits(attack: Attack) {
    let bytes = attack.bytes
    var structure = MailStructure(message: bytes)
    structure.addEmbeddedParts(in: bytes)
    #expect((1...10_000).contains(structure.parts.count))
    #expect(Set(structure.parts.map(\.section)).count == structure.parts.count)
    var depths: [Int] = []
    var texts = structure.header.map(Self.octets) ?? 0
    for part in structure.parts {
      depths.append((part.parent.map { depths[$0] } ?? 0) + 1)
      texts += (part.name?.utf8.count ?? 0) + (part.message.map(Self.octets) ?? 0)
      texts += part.parameters.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count }
      // "_" and a line break announce 63 octets of uuencode.
      #expect(part.decodedSize.octets <= 32 * part.octets + 64)
      #expect(!(part.name ?? "").unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\t" })
    }
    // Messages inside of encoded messages, eight at most, have levels of their own.
    #expect((depths.max() ?? 0) <= 9 * 101)
    // An octet of windows-1252 has up to three of UTF-8.
    #expect(texts <= 4 * bytes.count)
    let text = structure.text(of: bytes)
    #expect(text.text.utf8.count <= 3 << 20)
  }

  private static func octets(_ header: MailStructure.Header) -> Int {
    let texts = [header.subject, header.date, header.messageID].compactMap(\.self)
    return (texts + header.from + header.to + header.cc + header.replyTo + header.inReplyTo + header.references)
      .reduce(0) { $0 + $1.utf8.count }
  }
}
