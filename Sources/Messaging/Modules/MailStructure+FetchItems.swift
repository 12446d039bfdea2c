public import Mail
internal import MediaModel

extension MailStructure {
  /// What an IMAP client fetches of an e-mail first, before it knows its parts (RFC 9051 §6.4.5): the answers are read by
  /// `MailStructure(bodyStructure:)`, and by `MailStructure(message:)` for the header.
  public static let listItems = [
    "UID", "RFC822.SIZE", "BODYSTRUCTURE",
    "BODY.PEEK[HEADER.FIELDS (DATE FROM TO CC REPLY-TO SUBJECT MESSAGE-ID IN-REPLY-TO REFERENCES)]",
  ]

  /// An item of an IMAP `FETCH`: a part of an e-mail, or its beginning. It does not mark the e-mail as read.
  public struct FetchItem: Hashable, Sendable, CustomStringConvertible {
    /// The position of the part in `MailStructure.parts`.
    public let part: Int
    /// The IMAP section.
    public let section: String
    /// The number of octets from the beginning of the part, encoded unless ``isDecoded``; nil for the whole part.
    public let octets: Int?
    /// Whether the server decodes the part (`BINARY`, RFC 3516), so that the answer is its content.
    public let isDecoded: Bool

    /// The item as it is sent: `BODY.PEEK[2]`, `BODY.PEEK[2]<0.22501>` or `BINARY.PEEK[2]<0.16384>`.
    public var description: String {
      "\(isDecoded ? "BINARY" : "BODY").PEEK[\(section)]" + (octets.map { "<0.\($0)>" } ?? "")
    }
  }

  /// What to fetch for the modules of an e-mail whose other parts stay on the server, in this order: the texts that are displayed, the HTML that decides
  /// which pictures are inline, and the beginnings of pictures, for their size and orientation. Feed the answers to a `MailPartDecoder`.
  ///
  /// - Parameters:
  ///   - message: The position of an attached message; nil for the e-mail itself.
  ///   - textOctets: Octets of a text after decoding. Default 64 KiB.
  ///   - pictureOctets: Octets of a picture after decoding. Default 16 KiB; a photo with long metadata needs 64 KiB.
  ///   - isBinaryOffered: Whether the server has the capability `BINARY` and decodes base64 and quoted-printable itself, which saves a quarter of the octets.
  ///     Fetch a part without it that the server refuses with `UNKNOWN-CTE`. Default false.
  public func fetchItems(
    inMessage message: Int? = nil, textOctets: Int = 65_536, pictureOctets: Int = 16_384, isBinaryOffered: Bool = false
  ) -> [FetchItem] {
    var texts = textParts(inMessage: message)
    let files = attachments(inMessage: message)
    if files.contains(where: { parts[$0].role == .inlinePicture }) {
      texts += parts.indices.filter { position in
        parts[position].type.rawValue == "text/html" && parts[position].role == .body && !texts.contains(position)
          && attachedMessage(containing: position) == message
      }
    }
    let pictures = files.filter { parts[$0].declaredInfo.kind == .image }
    return texts.compactMap { item($0, textOctets, isBinaryOffered) }
      + pictures.compactMap { item($0, pictureOctets, isBinaryOffered) }
  }

  /// Nil for a part that has no section on the server.
  private func item(_ position: Int, _ count: Int, _ isBinaryOffered: Bool) -> FetchItem? {
    let part = parts[position]
    guard part.container == nil else { return nil }
    let isDecoded = isBinaryOffered && ["base64", "quoted-printable"].contains(part.encoding)
    let octets = isDecoded ? max(0, count) : part.encodedOctets(forDecoded: count)
    // A server that states no size may have any. An encoded part is never smaller than its content.
    let isWhole = part.octets > 0 && octets >= part.octets
    return FetchItem(part: position, section: part.section, octets: isWhole ? nil : octets, isDecoded: isDecoded)
  }
}
