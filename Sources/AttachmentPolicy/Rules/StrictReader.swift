/// Reads a value that somebody wrote by hand, whose keys may all be absent, and refuses what it does not understand: a misspelt limit would hold
/// nobody back.
package struct StrictReader<Key: CodingKey & CaseIterable> {
  private let values: KeyedDecodingContainer<Key>

  /// Any key, to find those that are not known.
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// - Throws: When there is a key that is none of `Key`.
  package init(_ decoder: any Decoder, keyedBy: Key.Type) throws {
    let known = Set(Key.allCases.map(\.stringValue))
    let found = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    if let stranger = found.sorted().first(where: { !known.contains($0) }) {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "there is no key “\(stranger)”"))
    }
    values = try decoder.container(keyedBy: Key.self)
  }

  /// What stands there; nil when the key is absent. Null is an error.
  package func value<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) throws -> Value? {
    guard values.contains(key) else { return nil }
    guard try !values.decodeNil(forKey: key) else { throw refusal(of: key, "null says nothing here") }
    return try values.decode(type, forKey: key)
  }

  /// Absent, it stays as it was.
  package func read<Value: Decodable>(_ key: Key, into value: inout Value) throws {
    if let found = try self.value(key, as: Value.self) { value = found }
  }

  /// Absent, it stays as it was; null is none.
  package func readOptional<Value: Decodable>(_ key: Key, into value: inout Value?) throws {
    if values.contains(key) { value = try values.decodeIfPresent(Value.self, forKey: key) }
  }

  /// A limit: absent, it stays as it was; null is none. Never negative.
  package func readLimit<Number: Decodable & Comparable & ExpressibleByIntegerLiteral>(
    _ key: Key, into limit: inout Number?
  ) throws {
    try readOptional(key, into: &limit)
    if let limit, limit < 0 { throw refusal(of: key, "a limit is not negative") }
  }

  /// What is wrong with the value of a key.
  package func refusal(of key: Key, _ reason: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: values, debugDescription: reason)
  }
}
