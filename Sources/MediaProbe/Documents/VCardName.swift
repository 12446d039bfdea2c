extension VCard {
  /// The display name: the first non-empty `FN`, which is mandatory from version 3.0 on. Otherwise it is composed from
  /// `N`. Nil if there is neither.
  var name: String? {
    let properties = properties.map(\.property)
    let formatted = properties.lazy.filter { $0.name == "FN" }.compactMap { TagTextSanitiser.clean($0.text.utf8) }.first
    return formatted ?? properties.lazy.filter { $0.name == "N" }.compactMap(Self.joined).first
  }

  /// Joins the components of RFC 6350, 6.2.2 in spoken order: prefixes, given names, additional names, family name,
  /// suffixes.
  private static func joined(_ property: VCardProperty) -> String? {
    let parts = property.parts
    let order = [3, 1, 2, 0, 4].filter(parts.indices.contains)
    return TagTextSanitiser.clean(order.map { parts[$0] }.joined(separator: " ").utf8)
  }
}
