internal import Mail

extension LinkDetector {
  /// The links of a text, some of which its markup gives, such as the `href` of HTML. Elsewhere in the text, links are detected.
  ///
  /// The text stays as it is. If a given link is on an address that leads elsewhere, ``Link/leadsTo`` names where it leads.
  /// - Parameter given: Links in the order of the text. Those that overlap an earlier one or end after the text are dropped.
  func links(in text: String, given: [Link]) -> [Link] {
    var detected = links(in: text)[...]
    guard !given.isEmpty else { return Array(detected) }
    let count = text.utf8.count
    var merged: [Link] = []
    var end = 0
    for var link in given
    where kinds.contains(link.kind) && link.utf8.lowerBound >= end && link.utf8.upperBound <= count {
      while let first = detected.first, first.utf8.upperBound <= link.utf8.lowerBound {
        if first.utf8.lowerBound >= end { merged.append(first) }
        detected.removeFirst()
      }
      // An address may begin before the link or end after it.
      var named = LinkDetector().links(in: link.text)
      named += detected.prefix { $0.utf8.lowerBound < link.utf8.upperBound }
      link.leadsTo = named.contains { $0.differs(from: link) } ? link.destination : nil
      merged.append(link)
      end = link.utf8.upperBound
    }
    return merged + detected.filter { $0.utf8.lowerBound >= end }
  }

  /// The links that the HTML of a mail gives.
  static func links(of mail: MailText) -> [Link] {
    var position = TextPosition()
    var text = mail.text
    return text.withUTF8 { bytes in
      mail.links.compactMap { given -> Link? in
        let range = given.range
        guard range.lowerBound >= position.utf8, range.upperBound <= bytes.count, !range.isEmpty,
          let (kind, target) = offer(given.target)
        else { return nil }
        position.advance(to: range.lowerBound, in: bytes)
        let start = position
        position.advance(to: range.upperBound, in: bytes)
        return Link(
          kind: kind, text: String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self),
          target: target, scalars: start.scalars..<position.scalars, utf16: start.utf16..<position.utf16, utf8: range)
      }
    }
  }

  /// The kind of a URI and its target; nil for a scheme that is not safe to offer.
  private static func offer(_ uri: String) -> (kind: Link.Kind, target: String)? {
    guard let colon = uri.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = uri[..<colon].lowercased()
    let rest = uri[uri.utf8.index(after: colon)...].utf8
    switch scheme {
    case "http", "https":
      return (.url, "\(scheme):\(String(decoding: rest, as: UTF8.self))")
    case "mailto":
      // Only the addresses (RFC 6068): subject, text and further recipients are not proposed by a sender.
      let address = decoded(rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
      let isSafe = address.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"?&#".utf8.contains($0) }
      return isSafe && address.utf8.contains(UInt8(ascii: "@")) ? (.email, address) : nil
    case "tel":
      // Parameters begin with a semicolon (RFC 3966).
      let number = PhoneNumber.dialable(decoded(rest.prefix { $0 != UInt8(ascii: ";") }))
      return number.isEmpty ? nil : (.phone, number)
    default: return nil
    }
  }

  /// Text without percent-encoding.
  private static func decoded(_ octets: Substring.UTF8View) -> String {
    let octets = Array(octets)
    var result: [UInt8] = []
    var offset = 0
    while offset < octets.count {
      if octets[offset] == UInt8(ascii: "%"), offset + 2 < octets.count,
        let value = UInt8(String(decoding: octets[(offset + 1)...(offset + 2)], as: UTF8.self), radix: 16)
      {
        result.append(value)
        offset += 3
      } else {
        result.append(octets[offset])
        offset += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension LinkDetector.Link {
  /// Where a tap leads, for comparison and display: the host of a page without `www.`, the e-mail address, or the number.
  fileprivate var destination: String {
    switch kind {
    case .phone: return target
    case .email: return target.lowercased()
    case .url:
      // What is before an @ is a user name, which may look like a host; browsers read a backslash as a slash.
      let authority = target.utf8.drop { $0 != UInt8(ascii: "/") }.drop { $0 == UInt8(ascii: "/") }
        .prefix { !"/\\?#".utf8.contains($0) }
      let host = authority.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false).last ?? authority
      let name = String(decoding: host.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self).lowercased()
      return name.hasPrefix("www.") ? String(name.dropFirst(4)) : name
    }
  }

  /// Whether an address in the text is not that of the link on it. A number is compared only with the number of a link.
  fileprivate func differs(from link: Self) -> Bool {
    guard kind == .phone else { return destination != link.destination }
    guard link.kind == .phone else { return false }
    return !destination.hasSuffix(link.destination) && !link.destination.hasSuffix(destination)
  }
}
