internal import Encodings
internal import MediaModel

/// vCard (RFC 2426, RFC 6350, versions 2.1 to 4.0) and iCalendar (RFC 5545): lines of properties.
///
/// Of a contact stays what identifies and reaches a person: names, organisation, numbers, addresses, and the photo without its own metadata.
/// Location (`GEO`, also as a parameter of an address), time zone, notes, dates, keys and everything unknown are dropped. Of a calendar the
/// coordinates are dropped.
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

  /// Nil for a text that is no vCard.
  static func contact(_ file: [UInt8]) -> [UInt8]? {
    guard let properties = properties(of: file, container: "VCARD") else { return nil }
    var depth = 0
    var stripped: [UInt8] = []
    for property in properties {
      if property.name == "BEGIN" { depth += 1 }
      defer { if property.name == "END" { depth -= 1 } }
      // An agent of version 2.1 is a contact inside a contact.
      guard depth == 1, contactProperties.contains(property.name) else { continue }
      stripped += contact(property)
    }
    return depth == 0 ? stripped : nil
  }

  /// Nil for a text that is no calendar.
  static func calendar(_ file: [UInt8]) -> [UInt8]? {
    guard let properties = properties(of: file, container: "VCALENDAR") else { return nil }
    return properties.filter { !coordinates.contains($0.name) }.flatMap(\.octets)
  }

  private static func contact(_ property: DirectoryProperty) -> [UInt8] {
    let parameters = property.parameters
    let kept = parameters.filter { parameter in
      guard let name = DirectoryProperty.word(parameter, until: "=") else { return true }
      return contactParameters.contains(name)
    }
    var value = property.value
    if property.name == "PHOTO" || property.name == "LOGO" {
      guard let image = image(property) else { return [] }
      value = image
    }
    guard kept.count < parameters.count || value != property.value else { return Array(property.octets) }
    var line = Array(property.fullName)
    for parameter in kept { line += [UInt8(ascii: ";")] + parameter }
    return line + [UInt8(ascii: ":")] + value + Array("\r\n".utf8)
  }

  /// The value with an image that has no metadata; nil for an image that cannot be stripped. An address of an image stays.
  private static func image(_ property: DirectoryProperty) -> ArraySlice<UInt8>? {
    let value = property.value
    let mark = Array(";base64,".utf8)
    var start = value.startIndex
    if value.prefix(5).elementsEqual("data:".utf8) {
      guard let comma = value.firstRange(of: mark) else { return nil }
      start = comma.upperBound
    } else if !property.isBase64 {
      return value
    }
    let image = TransferEncoding.base64.decoded(value[start...])
    for type in [MediaType.jpeg, .png, .gif] {
      guard let stripped = ImageMetadataStripper.strip(image, type: type) else { continue }
      if stripped == image { return value }
      return value[..<start] + Base64Text.encoded(stripped)
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
