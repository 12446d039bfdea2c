/// A decoding container for hand-written JSON: every key is optional, and unknown keys are errors.
///
/// Without the check, a misspelt limit would have no effect.
package struct StrictReader<Key: CodingKey & CaseIterable> {
  private let values: KeyedDecodingContainer<Key>

  /// Accepts any key, to find the unknown ones.
  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// - Throws: `DecodingError` when the object has a key that is not in `Key`.
  package init(_ decoder: any Decoder, keyedBy: Key.Type) throws {
    let known = Set(Key.allCases.map(\.stringValue))
    let found = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    if let unknown = found.sorted().first(where: { !known.contains($0) }) {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription:
            "unknown key '\(unknown)'; expected \(Key.allCases.map(\.stringValue).joined(separator: ", "))"))
    }
    values = try decoder.container(keyedBy: Key.self)
  }

  /// Decodes a value; nil when the key is absent. Null is an error.
  package func value<Value: Decodable>(_ key: Key, as type: Value.Type = Value.self) throws -> Value? {
    guard values.contains(key) else { return nil }
    guard try !values.decodeNil(forKey: key) else { throw refusal(of: key, "null is not allowed for this key") }
    return try values.decode(type, forKey: key)
  }

  /// Decodes into `value`, which is unchanged when the key is absent.
  package func read<Value: Decodable>(_ key: Key, into value: inout Value) throws {
    if let found = try self.value(key, as: Value.self) { value = found }
  }

  /// Decodes into `value`, which is unchanged when the key is absent. Null becomes nil.
  package func readOptional<Value: Decodable>(_ key: Key, into value: inout Value?) throws {
    if values.contains(key) { value = try values.decodeIfPresent(Value.self, forKey: key) }
  }

  /// Decodes a limit into `value`, which is unchanged when the key is absent. Null becomes nil; a negative limit is an
  /// error.
  package func readLimit<Number: Decodable & Comparable & ExpressibleByIntegerLiteral>(
    _ key: Key, into limit: inout Number?
  ) throws {
    try readOptional(key, into: &limit)
    if let limit, limit < 0 { throw negativeLimit(limit, of: key) }
  }

  /// The error for a limit below zero.
  package func negativeLimit(_ limit: some Comparable, of key: Key) -> DecodingError {
    refusal(of: key, "a limit must be 0 or more, but is \(limit)")
  }

  /// The error for an invalid value of a key.
  package func refusal(of key: Key, _ reason: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: values, debugDescription: reason)
  }
}
