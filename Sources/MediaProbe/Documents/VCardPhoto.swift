package import MediaModel

/// The photo that is embedded in a vCard.
package enum VCardPhoto {
  /// The first embedded photo of the first contact; nil if there is none. A linked photo is never fetched.
  package static func bytes(of input: borrowing MediaInput) throws(MediaFailure) -> [UInt8]? {
    input.size <= VCard.cardLimit ? bytes(in: try VCard(input)) : nil
  }

  static func bytes(in card: VCard) -> [UInt8]? {
    card.properties.lazy.filter { $0.property.name == "PHOTO" }
      .compactMap { photo($0.property, following: $0.following) }.first { !$0.isEmpty }
  }

  private static func photo(_ property: VCardProperty, following: ArraySlice<[UInt8]>) -> [UInt8]? {
    // RFC 6350 requires no backslashes in a URL, but some programs write them.
    let value = property.value.filter { $0 != UInt8(ascii: "\\") }
    if EncodedBytes.isData(value) { return EncodedBytes.data(value) }
    // A URL of a linked photo has a colon, which base64 does not.
    guard property.isBase64 || !property.isAddress else { return nil }
    // In vCard 2.1 lines of base64 may lack the folding indent; an empty line ends them.
    let rest = following.prefix { !$0.isEmpty && !$0.contains(UInt8(ascii: ":")) }
    return EncodedBytes.base64(value + rest.joined())
  }
}
