/// The members of a JSON merge patch (RFC 7396), of which each may be absent, null or a value.
struct MergePatch<Keys: CodingKey & RawRepresentable & CaseIterable> where Keys.RawValue == String {
  private let container: KeyedDecodingContainer<Keys>

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads an object. A key that cannot be changed is an error, so that a spelling mistake is not taken for a change.
  init(from decoder: any Decoder, _ keys: Keys.Type) throws {
    let all = try decoder.container(keyedBy: AnyKey.self)
    if let unknown = all.allKeys.first(where: { Keys(rawValue: $0.stringValue) == nil }) {
      throw DecodingError.dataCorruptedError(
        forKey: unknown, in: all, debugDescription: "the key \(unknown.stringValue) cannot be set")
    }
    container = try decoder.container(keyedBy: Keys.self)
  }

  /// A member that null removes.
  func field<Value: Decodable & Sendable>(
    _ key: Keys, as type: Value.Type = Value.self
  ) throws -> MediaService.AttachmentChange.Field<Value> {
    guard container.contains(key) else { return .unchanged }
    return try container.decodeNil(forKey: key) ? .removed : .set(try container.decode(Value.self, forKey: key))
  }

  /// A member that cannot be removed; nil if it is absent.
  func value<Value: Decodable>(_ key: Keys, as type: Value.Type = Value.self) throws -> Value? {
    guard container.contains(key) else { return nil }
    return try container.decode(Value.self, forKey: key)
  }
}
