/// One entry of a message's "To": what was typed or picked.
public struct MessageRecipient: Hashable, Codable, Sendable {
  /// A phone number, a short code or an e-mail address, without white space at its ends.
  public let address: String
  /// Whether it comes out of the address book. What is only typed has to look like a number or an address.
  public var isContact: Bool

  /// An entry of that address.
  public init(_ address: String, isContact: Bool = false) {
    self.address = address.trimmed
    self.isContact = isContact
  }

  /// Characters of an address at most (Firefox OS).
  public static let longestAddress = 312

  /// Whether it is an e-mail address: something, `@`, something, and no white space.
  public var isEmail: Bool {
    let parts = address.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } && !address.contains(where: \.isWhitespace)
  }

  /// Whether a typed entry is neither a number, which begins with a digit behind an optional `+`, nor an e-mail address: to be
  /// looked up in the address book (A33).
  public var isQuestionable: Bool {
    guard !isEmail, !isContact else { return false }
    let first = address.hasPrefix("+") ? address.utf8.dropFirst().first : address.utf8.first
    return first.map(PhoneNumber.isDigit) != true
  }

  /// Whether a message can be sent to it (R-MMS-2).
  public var isValid: Bool {
    !address.isEmpty && !isQuestionable && address.unicodeScalars.count <= Self.longestAddress
      && !address.utf8.contains(0)
  }

  /// Whether two entries are the same person, for telling threads apart: e-mail addresses that are equal; numbers that are equal in what can be
  /// dialled, or in its last 7 digits, since one may be written with the code of the country (A34).
  public func isSame(as other: MessageRecipient) -> Bool {
    if address == other.address { return true }
    guard !isEmail, !other.isEmail else { return false }
    let own = PhoneNumber.dialable(address)
    let others = PhoneNumber.dialable(other.address)
    return !own.isEmpty && (own == others || own.count >= 7 && others.count >= 7 && own.suffix(7) == others.suffix(7))
  }

  /// Whether two groups are the same people, in any order (A34).
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
  /// Without white space at the ends.
  var trimmed: String {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
