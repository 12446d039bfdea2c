public import MediaModel

extension MailStructure {
  /// A part of a mail: a multipart, an attached message or a leaf.
  public struct Part: Hashable, Codable, Sendable {
    /// The IMAP section, for `BODY.PEEK[1.2]` (RFC 9051 §6.4.5). A multipart that is the body of a message has `TEXT` or `2.TEXT`.
    public internal(set) var section: String
    /// The position of the multipart or message that contains it; nil for the root.
    public internal(set) var parent: Int?
    /// The declared media type; `text/plain` if it is missing or malformed, and for a multipart without parts.
    public internal(set) var type: MediaType
    /// The parameters of the type, names in lower case, values decoded (RFC 2231; of `name`, also encoded words, RFC 2047).
    public internal(set) var parameters: [String: String]
    /// The file name as the sender wrote it, decoded; nil if there is none. It contains no control characters except tabs, but may contain path
    /// separators: make it safe before use.
    public internal(set) var name: String?
    /// The disposition in lower case: `attachment`, `inline` or another word (RFC 2183); nil if there is none.
    public internal(set) var disposition: String?
    /// The content id without angle brackets.
    public internal(set) var contentID: String?
    /// The content location (RFC 2557).
    public internal(set) var location: String?
    /// The transfer encoding in lower case; nil if there is none.
    public internal(set) var encoding: String?
    /// The size of the body in octets, still encoded.
    public internal(set) var octets: Int
    /// The size of the body in octets after decoding. Of a multipart and an attached message it is ``octets``.
    public internal(set) var decodedSize: DecodedSize
    /// Number of lines of a text or an attached message; otherwise nil.
    public internal(set) var lines: Int?
    /// Offsets of the header in the mail; nil from a `BODYSTRUCTURE`.
    public internal(set) var headerRange: Range<Int>?
    /// Offsets of the body in the mail, still encoded; nil from a `BODYSTRUCTURE`.
    public internal(set) var bodyRange: Range<Int>?
    /// What it is for the reader; nil for a multipart.
    public internal(set) var role: Role?
    /// The header of an attached message that was read; its parts follow in the list.
    public internal(set) var message: Header?
    /// The position of the part whose decoded body contains it; nil for a part of the mail itself.
    ///
    /// Parts inside of TNEF, uuencode, yEnc and encoded messages have one: see ``MailStructure/addEmbeddedParts(of:octets:limits:)``.
    public internal(set) var container: Int?
    /// Offsets of the body in the decoded body of ``container``, still encoded; nil for a part of the mail itself.
    public internal(set) var rangeInContainer: Range<Int>?
    /// Whether an embedded part is incomplete, or its checksum is wrong (yEnc).
    public internal(set) var isDamaged = false
    /// Whether a limit ended the reading here, so that parts may be inside that are not listed.
    public internal(set) var isOverLimit = false

    /// The declared charset, as it is written.
    public var charset: String? { parameters["charset"] }
    /// Whether it is a container of parts.
    public var isMultipart: Bool { type.topLevel == "multipart" }
    /// The part of the type after the slash.
    var subtype: Substring { type.rawValue.drop { $0 != "/" }.dropFirst() }
    /// Whether it is a message that can be read as one.
    var isMessage: Bool { type.rawValue == "message/rfc822" || type.rawValue == "message/global" }
    /// Whether its body is not encoded, as RFC 2046 requires of messages.
    var isUnencoded: Bool { transferEncoding == nil && !isTextEncoded }
    /// Whether its body is uuencode or yEnc.
    var isTextEncoded: Bool { encoding.map(MailPartDecoder.isTextEncoding) ?? false }
    /// Whether it was searched for embedded parts.
    var isSearched = false
  }
}
