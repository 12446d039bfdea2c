/// A phone number, an e-mail address or a web address in the text of a message.
///
/// Its place is given three ways, because clients count differently: Swift and Python by scalars, JavaScript, Java and Objective-C by
/// UTF-16 units, C and databases by UTF-8 bytes. All are half-open and counted from the beginning of the text.
public struct TextLink: Hashable, Codable, Sendable {
  /// What a tap on the link does.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// Dials.
    case phone
    /// Writes a mail.
    case email
    /// Opens a page.
    case url
  }

  /// What the link is.
  public var kind: Kind
  /// The link as it stands in the text.
  public var text: String
  /// What is dialled, written to or opened: a phone number's dialable characters (`0123456789+*#,`), the address, or the URL with its scheme:
  /// `http://` where the text has none.
  public var target: String
  /// Unicode scalars.
  public var scalars: Range<Int>
  /// UTF-16 code units.
  public var utf16: Range<Int>
  /// UTF-8 bytes.
  public var utf8: Range<Int>

  /// A link of those facts.
  public init(
    kind: Kind, text: String, target: String, scalars: Range<Int>, utf16: Range<Int>, utf8: Range<Int>
  ) {
    self.kind = kind
    self.text = text
    self.target = target
    self.scalars = scalars
    self.utf16 = utf16
    self.utf8 = utf8
  }

  /// The target as a URI: `tel:` and `mailto:` before a number and an address, for a link in a page.
  public var uri: String {
    switch kind {
    case .phone: "tel:" + target.replacing("#", with: "%23")
    case .email: "mailto:" + target.replacing("%", with: "%25")
    case .url: target
    }
  }
}

extension String {
  /// The text with every occurrence of a character replaced.
  fileprivate func replacing(_ character: Unicode.Scalar, with text: String) -> String {
    var result = ""
    for scalar in unicodeScalars {
      if scalar == character { result += text } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }
}
