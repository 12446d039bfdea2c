extension MMSField {
  /// A header field of OMA-TS-MMS-ENC by its octet on the wire: 0x80 and the number assigned in its table 25.
  public struct KnownName: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The octet on the wire, 0x80…0xFF.
    public let rawValue: UInt8
    /// The field of that octet.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The specification's name, such as `X-Mms-Expiry`; the octet in hexadecimal for a field it does not have.
    public var description: String { entry?.name ?? "0x" + String(rawValue, radix: 16, uppercase: true) }

    /// The form of its value; nil for a field that the specification does not have.
    var syntax: MMSFieldSyntax? { entry?.syntax }

    private var entry: (name: String, syntax: MMSFieldSyntax)? {
      let index = Int(rawValue) - 0x81
      return Self.table.indices.contains(index) ? Self.table[index] : nil
    }

    static let contentType = KnownName(rawValue: 0x84)
    static let messageType = KnownName(rawValue: 0x8C)
    static let version = KnownName(rawValue: 0x8D)
    static let transactionID = KnownName(rawValue: 0x98)

    /// Whether the field is a property of ``MMSMessage`` instead of one of its fields.
    var isReserved: Bool {
      self == .contentType || self == .messageType || self == .version || self == .transactionID
    }

    /// Names and forms in the order of their octets, 0x81…0xBF (OMA-TS-MMS-ENC 1.3 §7.3 and table 25).
    private static let table: [(name: String, syntax: MMSFieldSyntax)] = [
      ("Bcc", .encodedString),
      ("Cc", .encodedString),
      ("X-Mms-Content-Location", .countable(.text)),
      ("Content-Type", .contentType),
      ("Date", .longInteger),
      ("X-Mms-Delivery-Report", .token),
      ("X-Mms-Delivery-Time", .time),
      ("X-Mms-Expiry", .time),
      ("From", .sender),
      ("X-Mms-Message-Class", .tokenOrText),
      ("Message-ID", .text),
      ("X-Mms-Message-Type", .token),
      ("X-Mms-MMS-Version", .token),
      ("X-Mms-Message-Size", .longInteger),
      ("X-Mms-Priority", .token),
      ("X-Mms-Read-Report", .token),
      ("X-Mms-Report-Allowed", .token),
      ("X-Mms-Response-Status", .countable(.token)),
      ("X-Mms-Response-Text", .countable(.encodedString)),
      ("X-Mms-Sender-Visibility", .token),
      ("X-Mms-Status", .token),
      ("Subject", .encodedString),
      ("To", .encodedString),
      ("X-Mms-Transaction-ID", .text),
      ("X-Mms-Retrieve-Status", .token),
      ("X-Mms-Retrieve-Text", .encodedString),
      ("X-Mms-Read-Status", .token),
      ("X-Mms-Reply-Charging", .token),
      ("X-Mms-Reply-Charging-Deadline", .time),
      ("X-Mms-Reply-Charging-ID", .text),
      ("X-Mms-Reply-Charging-Size", .longInteger),
      ("X-Mms-Previously-Sent-By", .counted(.encodedString)),
      ("X-Mms-Previously-Sent-Date", .counted(.longInteger)),
      ("X-Mms-Store", .token),
      ("X-Mms-MM-State", .token),
      ("X-Mms-MM-Flags", .keywords),
      ("X-Mms-Store-Status", .token),
      ("X-Mms-Store-Status-Text", .encodedString),
      ("X-Mms-Stored", .token),
      ("X-Mms-Attributes", .token),
      ("X-Mms-Totals", .token),
      ("X-Mms-Mbox-Totals", .amount),
      ("X-Mms-Quotas", .token),
      ("X-Mms-Mbox-Quotas", .amount),
      ("X-Mms-Message-Count", .integer),
      ("Content", .fields),
      ("X-Mms-Start", .integer),
      ("Additional-headers", .fields),
      ("X-Mms-Distribution-Indicator", .token),
      ("X-Mms-Element-Descriptor", .element),
      ("X-Mms-Limit", .integer),
      ("X-Mms-Recommended-Retrieval-Mode", .token),
      ("X-Mms-Recommended-Retrieval-Mode-Text", .encodedString),
      ("X-Mms-Status-Text", .encodedString),
      ("X-Mms-Applic-ID", .text),
      ("X-Mms-Reply-Applic-ID", .text),
      ("X-Mms-Aux-Applic-Info", .text),
      ("X-Mms-Content-Class", .token),
      ("X-Mms-DRM-Content", .token),
      ("X-Mms-Adaptation-Allowed", .token),
      ("X-Mms-Replace-ID", .text),
      ("X-Mms-Cancel-ID", .text),
      ("X-Mms-Cancel-Status", .token),
    ]
  }
}

/// The forms that values have.
enum MMSFieldSyntax: Sendable, Equatable {
  case token
  case tokenOrText
  case integer
  case longInteger
  case text
  case encodedString
  case time
  case sender
  case contentType
  case keywords
  case amount
  case element
  case fields
  case counted(Counted)
  /// With a number in front only where several messages are answered at once.
  case countable(Counted)

  /// What may have a number in front.
  enum Counted: Sendable {
    case token
    case text
    case longInteger
    case encodedString
  }
}
