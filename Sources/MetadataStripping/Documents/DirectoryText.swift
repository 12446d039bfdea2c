internal import Encodings
internal import MediaModel

/// vCard (RFC 2426, RFC 6350, versions 2.1 to 4.0) and iCalendar (RFC 5545): lines of properties.
///
/// Of a contact stays what identifies and reaches a person: names, organisation, numbers, addresses, and the photo without its own metadata.
/// Location (`GEO`, also as a parameter of an address), time zone, notes, dates, keys and everything unknown are dropped. Of a calendar the
/// coordinates are dropped, and the metadata of attached images.
enum DirectoryText {
  private static let contactProperties: Set<String> = [
    "BEGIN", "END", "VERSION", "KIND", "N", "FN", "NICKNAME", "ORG", "TITLE", "ROLE", "TEL", "EMAIL", "URL", "IMPP",
    "ADR",
    "LABEL", "LANG", "PHOTO", "LOGO", "X-ABLABEL",
  ]
  private static let contactParameters: Set<String> = [
    "TYPE", "PREF", "ENCODING", "CHARSET", "VALUE", "LANGUAGE", "MEDIATYPE", "LABEL", "ALTID", "PID",
  ]
  private static let coordinates: Set<String> = ["GEO", "X-APPLE-STRUCTURED-LOCATION"]
  /// Properties whose value is a URL.
  private static let addresses: Set<String> = [
    "URL", "IMPP", "ATTACH", "IMAGE", "SOURCE", "CONFERENCE", "LINK", "STRUCTURED-DATA",
  ]

  /// Nil for a text that is no vCard.
  static func contact(_ file: [UInt8]) -> [UInt8]? {
    guard let properties = properties(of: file, container: "VCARD") else { return nil }
    var depth = 0
    var kept: [(property: DirectoryProperty, octets: [UInt8])] = []
    for property in properties {
      if property.name == "BEGIN" { depth += 1 }
      defer { if property.name == "END" { depth -= 1 } }
      // An agent of version 2.1 is a contact inside a contact.
      guard depth == 1, contactProperties.contains(property.name) else { continue }
      let octets = contact(property)
      if !octets.isEmpty { kept.append((property, octets)) }
    }
    guard depth == 0 else { return nil }
    // A label belongs to the other property of its group, and goes with it.
    let groups = Set(kept.filter { $0.property.name != label }.compactMap(\.property.group))
    return kept.flatMap { property, octets in
      property.name != label || property.group.map(groups.contains) == true ? octets : []
    }
  }

  private static let label = "X-ABLABEL"

  /// Nil for a text that is no calendar, and for one with an attached file that cannot be stripped.
  static func calendar(_ file: [UInt8]) -> [UInt8]? {
    guard let properties = properties(of: file, container: "VCALENDAR") else { return nil }
    var stripped: [UInt8] = []
    for property in properties where !isLocation(property) {
      let parameters = property.parameters.filter { !hasLocation($0) && !hasFile($0) }
      if property.isBase64 || property.isData {
        // An attached file is content. One that cannot be stripped is not sent without notice.
        guard let image = image(property) else { return nil }
        stripped += line(property, parameters, image)
      } else if hasFile(property.decodedValue) || isUnstatedFile(property) {
        // Makers have copies of a text with their own formatting.
        guard property.name.hasPrefix("X-") else { return nil }
      } else {
        stripped += line(property, parameters, property.value)
      }
    }
    return stripped
  }

  /// Whether a property of a calendar is coordinates. Makers have properties of their own for the location.
  private static func isLocation(_ property: DirectoryProperty) -> Bool {
    if coordinates.contains(property.name) { return true }
    if property.name == "LOCATION", hasLocation(property.decodedValue) { return true }
    guard property.name.hasPrefix("X-") else {
      if addresses.contains(property.name), property.isQuotedPrintable { return true }
      return addresses.contains(property.name) && hasLocation(property.decodedValue)
    }
    return hasLocation(property.decodedValue) || property.parameters.contains(where: hasLocation)
  }

  /// Whether the value is a file although no parameter states base64: one that is stated as binary, and an attachment without the scheme of a URL.
  private static func isUnstatedFile(_ property: DirectoryProperty) -> Bool {
    if property.parameters.contains(where: { String(decoding: $0, as: UTF8.self).uppercased() == "VALUE=BINARY" }) {
      return true
    }
    guard property.name == "ATTACH" || property.name == "IMAGE" else { return false }
    return DirectoryProperty.word(property.value, until: ":")?.contains { $0 == "/" || $0 == " " } ?? true
  }

  /// Whether a text has a `geo:` URL (RFC 5870), in any case.
  private static func hasLocation(_ text: ArraySlice<UInt8>) -> Bool { has("geo:", in: text) }

  /// Whether a text has a `data:` URL in base64, as HTML has for its images.
  private static func hasFile(_ text: ArraySlice<UInt8>) -> Bool { has(";base64,", in: text) }

  /// Whether a text has a word, in any case of its letters.
  private static func has(_ word: String, in text: ArraySlice<UInt8>) -> Bool {
    let word = Array(word.utf8)
    guard text.count >= word.count else { return false }
    return text.indices.dropLast(word.count - 1).contains { index in
      word.indices.allSatisfy { text[index + $0] | 0x20 == word[$0] | 0x20 }
    }
  }

  private static func contact(_ property: DirectoryProperty) -> [UInt8] {
    let parameters = property.parameters
    let kept = parameters.filter { parameter in
      guard !hasLocation(parameter) else { return false }
      guard let name = DirectoryProperty.word(parameter, until: "=") else { return true }
      return contactParameters.contains(name.split(separator: " ").joined())
    }
    var value = property.value
    // What is encoded hides what it is the address of, and an address needs no encoding.
    if addresses.contains(property.name), hasLocation(property.decodedValue) || property.isEncoded { return [] }
    // A file instead of an address.
    if property.isData, property.name != "PHOTO", property.name != "LOGO" { return [] }
    if property.name == "PHOTO" || property.name == "LOGO" {
      guard let image = image(property) else { return [] }
      value = image
    }
    return line(property, kept, value)
  }

  /// The property with these parameters and this value: its own lines where nothing has changed.
  private static func line(
    _ property: DirectoryProperty, _ parameters: [ArraySlice<UInt8>], _ value: ArraySlice<UInt8>
  ) -> [UInt8] {
    let isChanged = parameters.count < property.parameters.count || value != property.value
    guard isChanged || property.hasLineOfProperty else { return Array(property.octets) }
    var line = Array(property.fullName)
    for parameter in parameters { line += [UInt8(ascii: ";")] + parameter }
    // A reader without quoted-printable must not see a property that this one has not stripped.
    let text = property.hasLineOfProperty ? property.withoutSoftBreaks[...] : value
    return line + [UInt8(ascii: ":")] + text + Array("\r\n".utf8)
  }

  /// The value with an image that has no metadata; nil for an image that cannot be stripped. The address of an image on a server stays.
  private static func image(_ property: DirectoryProperty) -> ArraySlice<UInt8>? {
    guard !property.hasLineOfProperty else { return nil }
    let value = property.value
    var start = value.startIndex
    if property.isData {
      // The type is before the comma, and `;base64` at its end.
      guard let comma = value.firstIndex(of: UInt8(ascii: ",")),
        String(decoding: value[..<comma].suffix(7), as: UTF8.self).lowercased() == ";base64"
      else { return nil }
      start = comma + 1
    } else if !property.isBase64 {
      return property.begins(with: ["http://", "https://"]) ? value : nil
    }
    let image = TransferEncoding.base64.decoded(value[start...])
    for type in [MediaType.jpeg, .png, .gif] {
      guard let stripped = ImageMetadataStripper.strip(image, type: type) else { continue }
      let encoded = Base64Text.encoded(stripped)
      // Whatever a reader of base64 skips is dropped, too.
      if Base64Text.unfolded(value[start...]) == Base64Text.unfolded(encoded[...]) { return value }
      return value[..<start] + encoded
    }
    return nil
  }

  /// The properties of the text; nil if it is not one container after another.
  private static func properties(of file: [UInt8], container: String) -> [DirectoryProperty]? {
    // A byte order mark of UTF-8. UTF-16 is no vCard of any version.
    var rest = file.starts(with: [0xEF, 0xBB, 0xBF]) ? file[3...] : file[...]
    var properties: [DirectoryProperty] = []
    while !rest.isEmpty {
      let property = DirectoryProperty(&rest)
      if property.isBlank { continue }
      if properties.isEmpty {
        guard property.name == "BEGIN", property.hasValue(container) else { return nil }
      }
      properties.append(property)
    }
    return properties.isEmpty ? nil : properties
  }
}
