/// The parts of a mail as one flat list: from the mail's bytes, or from an IMAP `BODYSTRUCTURE` before anything is fetched (R-MAIL-1).
///
/// Every input has a structure. What is malformed or over a limit is a leaf whose bytes can still be read, so that one bad part costs that part only.
/// The time is linear in the size of the input, and nesting causes no recursion.
public struct MailStructure: Hashable, Codable, Sendable {
  /// The header of the mail; nil from a `BODYSTRUCTURE`, which does not contain it.
  public internal(set) var header: Header?
  /// The parts, each before the parts inside it. The first is the root, and there always is one.
  public internal(set) var parts: [Part]

  /// Reads a mail (RFC 5322, RFC 2045 to 2049).
  ///
  /// Lines end with CRLF or LF. Bytes in contiguous memory, such as an array, are not copied.
  /// - Parameter limits: What is over them becomes a leaf.
  public init(message: some Collection<UInt8>, limits: Limits = Limits()) {
    self = Octets.with(message) { MailStructure($0, limits) }
  }

  init(_ octets: Octets, _ limits: Limits) {
    var reader = MessageReader(octets, limits: limits)
    reader.read()
    header = reader.header
    parts = reader.parts
    assignRoles()
    resolveInlinePictures(in: octets)
  }

  init(header: Header?, parts: [Part]) {
    self.header = header
    self.parts = parts
  }

  /// The position of the part with an IMAP section such as `1.2`; nil if there is none.
  public func position(ofSection section: String) -> Int? { parts.firstIndex { $0.section == section } }

  /// The position of the attached message that contains a part; nil for parts of the mail itself.
  ///
  /// - Complexity: O(depth)
  public func attachedMessage(containing position: Int) -> Int? {
    guard parts.indices.contains(position) else { return nil }
    var next = parts[position].parent
    while let parent = next {
      if parts[parent].message != nil { return parent }
      next = parts[parent].parent
    }
    return nil
  }
}

extension MailStructure {
  /// The limits of reading. A part at a limit becomes a leaf of type `application/octet-stream` with ``Part/isOverLimit``.
  ///
  /// The defaults are those of Dovecot.
  public struct Limits: Hashable, Sendable {
    /// Levels of multiparts and attached messages. 100 by default.
    public var maxDepth = 100
    /// Parts in the list; the last one contains the rest of the mail. 10,000 by default. Of a `BODYSTRUCTURE`, a hundred values for each of them are read.
    public var maxParts = 10_000
    /// Octets of one header block that are read, of a `BODYSTRUCTURE` too; later fields are ignored. 10 MiB by default.
    public var maxHeaderOctets = 10 << 20

    /// Decoded octets of one part that are searched for embedded parts. 64 MiB by default.
    public var maxEmbeddedOctets = 64 << 20
    /// Levels of TNEF streams and encoded messages inside of one another. 8 by default.
    public var maxEmbeddedDepth = 8

    /// The default limits.
    public init() {}
  }

  /// The header fields of a message that lists show, decoded. Each text is one line without control characters except tabs.
  public struct Header: Hashable, Codable, Sendable {
    /// The subject; nil if there is none.
    public internal(set) var subject: String?
    /// The authors, one text each, such as `Ana <ana@example.org>`.
    public internal(set) var from: [String] = []
    /// The recipients of the field `To`, one text each.
    public internal(set) var to: [String] = []
    /// The recipients of the field `Cc`, one text each.
    public internal(set) var cc: [String] = []
    /// Where replies are sent to, one text each; empty if to ``from``. IMAP servers repeat the authors instead.
    public internal(set) var replyTo: [String] = []
    /// The field `Date` as it is written (RFC 5322 §3.3).
    public internal(set) var date: String?
    /// The field `Message-ID` without angle brackets.
    public internal(set) var messageID: String?
    /// The messages that it answers, by ``messageID``.
    public internal(set) var inReplyTo: [String] = []
    /// The messages of its conversation, by ``messageID``, the first one first; empty from a `BODYSTRUCTURE`.
    public internal(set) var references: [String] = []

    /// The instant of ``date`` in seconds since 1970; nil if the field is missing or malformed.
    public var time: Int? { date.flatMap { MailDate.seconds($0) } }
  }

  /// The size of a part after its transfer encoding is decoded, in octets.
  public enum DecodedSize: Hashable, Codable, Sendable {
    /// Counted in the part's bytes, or stated for an unencoded part.
    case exact(Int)
    /// Derived from the encoded size. Right for a label; never for a limit.
    case estimated(Int)

    /// The number of octets.
    public var octets: Int {
      switch self {
      case .exact(let octets), .estimated(let octets): octets
      }
    }
  }
}
