extension VCard {
  /// The name that is shown for it: the first `FN` with something in it, which every card from 3.0 on has to have; else what `N` is made
  /// of; nil when there is neither.
  var name: String? {
    let properties = properties.map(\.property)
    let formatted = properties.lazy.filter { $0.name == "FN" }.compactMap { TagText.clean($0.text.utf8) }.first
    return formatted ?? properties.lazy.filter { $0.name == "N" }.compactMap(Self.joined).first
  }

  /// RFC 6350, 6.2.2: family name, given names, further ones, what stands before and what behind, as they are said.
  private static func joined(_ property: VCardProperty) -> String? {
    let parts = property.parts
    let order = [3, 1, 2, 0, 4].filter(parts.indices.contains)
    return TagText.clean(order.map { parts[$0] }.joined(separator: " ").utf8)
  }
}
