extension [UInt8] {
  /// Whether the bytes of a text stand anywhere among these.
  public func contains(text: String) -> Bool {
    let text = Array(text.utf8)
    return indices.dropLast(text.count - 1).contains { self[$0..<($0 + text.count)].elementsEqual(text) }
  }
}
