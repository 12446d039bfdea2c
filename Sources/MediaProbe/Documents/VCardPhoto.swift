package import MediaModel

/// The photo that stands in a vCard itself.
package enum VCardPhoto {
  /// Bytes of a card that are read for it: base64 of the largest photo that an address book stores, several times over.
  static let cardLimit = 16_777_216

  /// The first photo of the first card; nil when it has none of its own. One that lies elsewhere is never fetched.
  package static func bytes(of input: borrowing MediaInput) throws(MediaFailure) -> [UInt8]? {
    guard input.size <= cardLimit else { return nil }
    return bytes(in: TextSample.utf8(try input.read(at: 0, count: input.size)))
  }

  static func bytes(in card: [UInt8]) -> [UInt8]? {
    let lines = VCard.unfolded(card)
    for (index, line) in lines.enumerated() {
      guard let property = VCardProperty(line) else { continue }
      if property.name == "END", property.value.startsIgnoringCase("VCARD") { return nil }
      guard property.name == "PHOTO", let photo = photo(property, following: lines[(index + 1)...]), !photo.isEmpty
      else {
        continue
      }
      return photo
    }
    return nil
  }

  private static func photo(_ property: VCardProperty, following: ArraySlice<[UInt8]>) -> [UInt8]? {
    // RFC 6350 asks for no backslashes in an address, and some programs write them.
    let value = property.value.filter { $0 != UInt8(ascii: "\\") }
    if EncodedBytes.isData(value) { return EncodedBytes.data(value) }
    // An address of something elsewhere has a colon, which base64 has not.
    guard property.isBase64 || !property.isAddress else { return nil }
    // vCard 2.1 lets the lines of base64 stand without the indent that continues a line; an empty one ends them.
    let rest = following.prefix { !$0.isEmpty && !$0.contains(UInt8(ascii: ":")) }
    return EncodedBytes.base64(value + rest.joined())
  }
}

/// One line of a vCard, its folded parts put back: `group.NAME;PARAMETER=…:value`.
struct VCardProperty {
  /// In capitals, without its group.
  let name: String
  /// In capitals.
  private let parameters: [String]
  let value: ArraySlice<UInt8>

  init?(_ line: [UInt8]) {
    // A quoted parameter may hold a colon.
    var isQuoted = false
    let end = line.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ":") && !isQuoted
    }
    guard let end else { return nil }
    let parts = line[..<end].split(separator: UInt8(ascii: ";"))
    guard let name = parts.first?.split(separator: UInt8(ascii: ".")).last, name.count <= 32 else { return nil }
    self.name = String(decoding: name, as: UTF8.self).uppercased()
    parameters = parts.dropFirst().map { String(decoding: $0.prefix(64), as: UTF8.self).uppercased() }
    value = line[(end + 1)...]
  }

  /// 2.1 says `ENCODING=BASE64` or `BASE64` alone, 3.0 `ENCODING=b`.
  var isBase64: Bool { parameters.contains { ["ENCODING=B", "ENCODING=BASE64", "BASE64"].contains($0) } }
  var isAddress: Bool { parameters.contains { ["VALUE=URI", "VALUE=URL"].contains($0) } }
}
