extension LinkDetector {
  /// A phone number, an e-mail address or a web address in the text of a message.
  ///
  /// Its range is given in three units because clients differ: scalars for Swift and Python, UTF-16 code units for
  /// JavaScript, Java and Objective-C, UTF-8 bytes for C and databases. All ranges are half-open offsets from the start
  /// of the text.
  public struct Link: Hashable, Codable, Sendable {
    /// The kind of a link, which determines the action of a tap.
    public enum Kind: String, Codable, Sendable, CaseIterable {
      /// Dials the number.
      case phone
      /// Composes an e-mail.
      case email
      /// Opens the page.
      case url
    }

    /// What the link opens: a web page, an e-mail or a phone call.
    public var kind: Kind
    /// The link as written in the text.
    public var text: String
    /// The target: the dialable characters of a phone number (`0123456789+*#,`), the e-mail address, or the URL with its
    /// scheme. `http://` is added if the text has none.
    public var target: String
    /// The range in Unicode scalars.
    public var scalars: Range<Int>
    /// The range in UTF-16 code units.
    public var utf16: Range<Int>
    /// The range in UTF-8 bytes.
    public var utf8: Range<Int>
    /// Where the link leads, if its text is an address that leads elsewhere: the host, e-mail address or number to show after the text.
    ///
    /// Only links that a sender gives, such as those of HTML, can differ from their text, as in phishing. Nil otherwise.
    public var leadsTo: String?

    /// A link that the caller has found, for example in markup.
    public init(
      kind: Kind, text: String, target: String, scalars: Range<Int>, utf16: Range<Int>, utf8: Range<Int>,
      leadsTo: String? = nil
    ) {
      self.kind = kind
      self.text = text
      self.target = target
      self.scalars = scalars
      self.utf16 = utf16
      self.utf8 = utf8
      self.leadsTo = leadsTo
    }

    /// The target as a URI, with `tel:` and `mailto:` for numbers and e-mail addresses, for links in HTML.
    public var uri: String {
      switch kind {
      case .phone: "tel:" + target.replacing("#", with: "%23")
      case .email: "mailto:" + target.replacing("%", with: "%25")
      case .url: target
      }
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
