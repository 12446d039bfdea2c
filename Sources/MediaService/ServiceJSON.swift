internal import Foundation

/// JSON as all answers have it: sorted keys, slashes as they are, absent values as absent keys.
enum ServiceJSON {
  /// The bytes of a value.
  static func encode(_ value: some Encodable) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(value))
  }

  /// A value from bytes that ``encode(_:)`` made.
  static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes))
  }
}
