/// An address in To, Cc, Bcc and From (OMA-TS-MMS-ENC §8): a value with its type, `+15551234/TYPE=PLMN`.
public struct MMSAddress: Hashable, Sendable {
  /// The type of an address.
  public enum Kind: Hashable, Sendable {
    /// A phone number, `/TYPE=PLMN`.
    case phone
    /// An IPv4 address, `/TYPE=IPv4`.
    case ipv4
    /// An IPv6 address, `/TYPE=IPv6`.
    case ipv6
    /// An e-mail address, without a suffix.
    case email
    /// Any other address without a suffix: a short code, a name.
    case other
    /// An address with another suffix.
    case typed(String)
  }

  /// The address without its suffix, to display and to compare.
  public var value: String
  /// The type of the address.
  public var kind: Kind

  /// An address without its type suffix; ``fieldText`` adds it.
  public init(_ value: String, kind: Kind) {
    self.value = value
    self.kind = kind
  }

  /// Parses the text of a field. Only a suffix `/TYPE=…` is removed, so that an e-mail address with a slash stays unchanged.
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

  /// The address as in a header field of a PDU, with its type, such as `+15551234567/TYPE=PLMN` (OMA-TS-MMS-ENC, section 8).
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
  /// The address as a field value.
  public init(_ address: MMSAddress) { self.init(address.fieldText) }

  /// The text as an address.
  public var address: MMSAddress { MMSAddress(fieldText: text) }
}
