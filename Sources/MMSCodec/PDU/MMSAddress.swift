/// An address as To, Cc, Bcc and From write it (OMA-TS-MMS-ENC §8): a value and what it is, `+15551234/TYPE=PLMN`.
public struct MMSAddress: Hashable, Sendable {
  /// What an address is.
  public enum Kind: Hashable, Sendable {
    /// A phone number, `/TYPE=PLMN`.
    case phone
    /// An IPv4 address, `/TYPE=IPv4`.
    case ipv4
    /// An IPv6 address, `/TYPE=IPv6`.
    case ipv6
    /// An e-mail address, without a suffix.
    case email
    /// Anything else without a suffix: a short code, a name.
    case other
    /// A suffix that has no name here.
    case typed(String)
  }

  /// The address without its suffix: what is shown, and what is compared.
  public var value: String
  /// What it is.
  public var kind: Kind

  /// An address.
  public init(_ value: String, kind: Kind) {
    self.value = value
    self.kind = kind
  }

  /// The address in a field's text. Only a suffix `/TYPE=…` is cut off, so that a mail address with a slash stays whole.
  public init(fieldText text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard let suffix = parts.last, parts.count > 1, suffix.lowercased().hasPrefix("type=") else {
      self.init(text, kind: text.contains("@") ? .email : .other)
      return
    }
    let value = String(text.dropLast(suffix.count + 1))
    switch suffix.dropFirst(5).lowercased() {
    case "plmn": self.init(value, kind: .phone)
    case "ipv4": self.init(value, kind: .ipv4)
    case "ipv6": self.init(value, kind: .ipv6)
    default: self.init(value, kind: .typed(String(suffix.dropFirst(5))))
    }
  }

  /// The text of a field.
  public var fieldText: String {
    switch kind {
    case .phone: value + "/TYPE=PLMN"
    case .ipv4: value + "/TYPE=IPv4"
    case .ipv6: value + "/TYPE=IPv6"
    case .typed(let type): value + "/TYPE=" + type
    case .email, .other: value
    }
  }
}

extension EncodedString {
  /// An address as a field has it.
  public init(_ address: MMSAddress) { self.init(address.fieldText) }

  /// The text as an address.
  public var address: MMSAddress { MMSAddress(fieldText: text) }
}
