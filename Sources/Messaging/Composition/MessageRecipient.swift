internal import MMSCodec

/// A recipient as typed or selected.
public struct MessageRecipient: Hashable, Codable, Sendable {
  /// A phone number, a short code or an e-mail address, without surrounding white space and without `/TYPE=PLMN`.
  public let address: String
  /// Whether it comes from the address book. A typed recipient must look like a number or an e-mail address.
  public var isContact: Bool

  /// A recipient; spaces around the address are removed, and the type of a number as in a field of a PDU.
  public init(_ address: String, isContact: Bool = false) {
    let field = MMSAddress(fieldText: address.trimmed)
    self.address = field.kind == .phone ? field.value.trimmed : address.trimmed
    self.isContact = isContact
  }

  /// Maximum characters of an address (Firefox OS).
  public static let longestAddress = 312

  /// Whether it is an e-mail address: text before and after an `@`, without white space.
  public var isEmail: Bool {
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !address.contains(where: \.isWhitespace)
  }

  /// Whether a typed recipient is neither a number (a digit after an optional `+`) nor an e-mail address, and should be
  /// looked up in the address book (A33).
  public var isQuestionable: Bool {
    guard !isEmail, !isContact else { return false }
    let first = address.hasPrefix("+") ? address.utf8.dropFirst().first : address.utf8.first
    return first.map(PhoneNumber.isDigit) != true
  }

  /// Whether a message can be sent to the address (R-MMS-2).
  ///
  /// An address with a control character is not valid: gateways copy it into the header of an e-mail, where a line break begins another field.
  /// Neither is one with a type of its own, such as `/TYPE=IPv4` (OMA-TS-MMS-ENC §8): a message adds that of a phone number.
  public var isValid: Bool {
    !address.isEmpty && !isQuestionable && address.unicodeScalars.count <= Self.longestAddress && !hasType
      && !address.unicodeScalars.contains { $0.properties.generalCategory == .control }
  }

  /// Whether the address has a type.
  private var hasType: Bool { address.split(separator: "/").contains { $0.lowercased().hasPrefix("type=") } }

  /// Whether two recipients are the same person, for matching threads (A34).
  ///
  /// E-mail addresses must be equal. Numbers must have equal dialable characters or the same last 7 digits, because one
  /// of them may have a country code.
  public func isSame(as other: MessageRecipient) -> Bool {
    if address == other.address { return true }
    guard !isEmail, !other.isEmail else { return false }
    let own = PhoneNumber.dialable(address)
    let others = PhoneNumber.dialable(other.address)
    return !own.isEmpty && (own == others || own.count >= 7 && others.count >= 7 && own.suffix(7) == others.suffix(7))
  }

  /// The form in which two recipients are equal exactly if they are the same person by ``isSame(as:)``: the last 7 digits of a number.
  package var comparable: String {
    if isEmail { return address }
    let dialable = PhoneNumber.dialable(address)
    return dialable.isEmpty ? address : String(dialable.suffix(7))
  }

  /// Whether two groups contain the same people in any order (A34).
  public static func areSame(_ one: [MessageRecipient], _ other: [MessageRecipient]) -> Bool {
    guard one.count == other.count else { return false }
    var rest = other
    return one.allSatisfy { recipient in
      guard let index = rest.firstIndex(where: recipient.isSame) else { return false }
      rest.remove(at: index)
      return true
    }
  }
}

extension String {
  /// The string without surrounding white space.
  var trimmed: String {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
