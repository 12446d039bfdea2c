package import MediaModel

/// The photo that stands in a vCard itself.
package enum VCardPhoto {
  /// The first photo of the first card; nil when it has none of its own. One that lies elsewhere is never fetched.
  package static func bytes(of input: borrowing MediaInput) throws(MediaFailure) -> [UInt8]? {
    input.size <= VCard.cardLimit ? bytes(in: try VCard(input)) : nil
  }

  static func bytes(in card: VCard) -> [UInt8]? {
    card.properties.lazy.filter { $0.property.name == "PHOTO" }
      .compactMap { photo($0.property, following: $0.following) }.first { !$0.isEmpty }
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
