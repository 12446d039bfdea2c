internal import Encodings
internal import MediaModel

extension MailStructure {
  /// Sets the role of every part (RFC 8621 §4.1.4). Images that HTML could display are ``Role/inlinePicture`` until it is known.
  mutating func assignRoles() {
    let roots = relatedRoots()
    var children = [Int](repeating: 0, count: parts.count)
    var isInAlternative = [Bool](repeating: false, count: parts.count)
    for position in parts.indices {
      let parent = parts[position].parent.map { parts[$0] }
      var place = Place()
      if let index = parts[position].parent, let parent, parent.isMultipart {
        place.container = String(parent.subtype)
        place.isRoot = parent.subtype == "related" ? roots[index] == position : children[index] == 0
        place.isInAlternative = isInAlternative[index] || parent.subtype == "alternative"
        children[index] += 1
      }
      isInAlternative[position] = place.isInAlternative
      parts[position].role = parts[position].isMultipart ? nil : parts[position].role(in: place)
    }
  }

  /// The part that each multipart/related displays: the one named by `start`, otherwise the first (RFC 2387 §3.2).
  private func relatedRoots() -> [Int: Int] {
    var first: [Int: Int] = [:]
    var named: [Int: Int] = [:]
    for (position, part) in parts.enumerated() {
      guard let parent = part.parent, parts[parent].subtype == "related" else { continue }
      if first[parent] == nil { first[parent] = position }
      guard let start = parts[parent].parameters["start"], let id = part.contentID, named[parent] == nil else {
        continue
      }
      if PartFields.identifier(Array(start.utf8)) == id { named[parent] = position }
    }
    return first.merging(named) { _, named in named }
  }

  /// Where a part is in its message.
  struct Place {
    /// The subtype of the multipart that contains it; empty for the body of a message.
    var container = ""
    /// Whether it is the first part, or the root of a multipart/related.
    var isRoot = true
    var isInAlternative = false
  }

  /// Decides which images are inline pictures, when the HTML of a message is known: one that the HTML does not name is an attachment, so that it is
  /// not hidden from the reader (MS-OXCMAIL 2.2.3.4.1.4.1). Call it once per message, with the references of all of its HTML parts.
  ///
  /// A structure of a whole mail has decided this already.
  /// - Parameter contentIDs: As ``MailText/contentIDs(inHTML:)`` returns them.
  /// - Parameter message: The position of an attached message; nil for the mail itself.
  /// - Returns: The positions of the parts whose role changed.
  @discardableResult
  public mutating func resolveInlinePictures(contentIDs: Set<String>, inMessage message: Int? = nil) -> [Int] {
    let messages = messagesOfParts()
    return parts.indices.filter { position in
      guard messages[position] == message, parts[position].type.topLevel == "image" else { return false }
      let isNamed = parts[position].contentID.map(contentIDs.contains) ?? false
      let role: Role = isNamed ? .inlinePicture : .attachment
      guard parts[position].role == .inlinePicture || parts[position].role == .attachment, parts[position].role != role
      else { return false }
      parts[position].role = role
      return true
    }
  }

  /// The attached message of every part; nil for parts of the mail itself.
  func messagesOfParts() -> [Int?] {
    var result: [Int?] = []
    result.reserveCapacity(parts.count)
    for part in parts {
      result.append(part.parent.flatMap { parts[$0].message == nil ? result[$0] : $0 })
    }
    return result
  }

  /// Resolves the inline pictures of every message in a mail whose bytes are there.
  /// - Parameter maxOctets: The limit of what is read of each HTML part, before and after decoding: uuencode can state 31 times as many octets as it has.
  mutating func resolveInlinePictures(in octets: Octets, maxOctets: Int = MailText.maxInputOctets) {
    guard parts.contains(where: { $0.type.topLevel == "image" }) else { return }
    let messages = messagesOfParts()
    var references: [Int?: Set<String>] = [:]
    for (position, part) in parts.enumerated() where part.type.rawValue == "text/html" && part.role == .body {
      guard let range = part.bodyRange else { continue }
      let html = part.decoded(octets, range.prefix(maxOctets), maxOctets: maxOctets)
      references[messages[position], default: []].formUnion(MailText.contentIDs(inHTML: html))
    }
    for position in parts.indices where parts[position].type.topLevel == "image" {
      guard parts[position].role == .inlinePicture || parts[position].role == .attachment else { continue }
      let ids = references[messages[position]] ?? []
      parts[position].role = parts[position].contentID.map(ids.contains) == true ? .inlinePicture : .attachment
    }
  }
}

extension MailStructure.Part {
  func role(in place: MailStructure.Place) -> MailStructure.Role {
    if let role = ownRole { return role }
    if place.container == "encrypted" { return .encrypted }
    if type.rawValue == "text/calendar", parameters["method"] != nil { return .invitation }
    if isBody(in: place) { return .body }
    let isRelated = place.container == "related" && !place.isRoot
    if type.topLevel == "image", contentID != nil, isRelated || disposition != "attachment" { return .inlinePicture }
    return .attachment
  }

  /// RFC 8621 §4.1.4, where a text after the first with a name is a file; a multipart/related displays its root only.
  private func isBody(in place: MailStructure.Place) -> Bool {
    guard type.topLevel == "text", disposition != "attachment" else { return false }
    // Alternatives may be in any text format: calendars, AMP.
    let isDisplayed = ["plain", "html", "enriched", "richtext"].contains(subtype) || place.container == "alternative"
    return isDisplayed
      && (place.isRoot || place.container != "related" && (name == nil || place.container == "alternative"))
  }

  /// The role that type and name decide wherever the part is.
  private var ownRole: MailStructure.Role? {
    switch type.rawValue {
    case "message/rfc822", "message/global": return .attachedMessage
    case "message/delivery-status", "message/global-delivery-status": return .deliveryReport
    case "message/disposition-notification", "message/global-disposition-notification": return .readReceipt
    case "message/feedback-report": return .complaint
    case "message/partial": return .partial
    case "message/external-body": return .external
    case "application/ms-tnef", "application/vnd.ms-tnef": return .tnef
    case "application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature": return .signature
    case "application/pgp-encrypted": return .encrypted
    case "application/pkcs7-mime", "application/x-pkcs7-mime":
      switch parameters["smime-type"]?.lowercased() {
      case "signed-data": return .signedOpaque
      case "certs-only": return .attachment
      default: return name?.lowercased() == "smime.p7s" ? .signature : .encrypted
      }
    case "application/octet-stream":
      switch name?.lowercased() {
      case "winmail.dat": return .tnef
      case "smime.p7m": return .encrypted
      case "smime.p7s": return .signature
      default: return nil
      }
    default: return nil
    }
  }
}
