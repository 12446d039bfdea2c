public import MediaLibrary

extension MediaService {
  /// What an owner changes in an attachment: a JSON merge patch (RFC 7396), in which an absent key changes nothing and null removes.
  public struct AttachmentChange: Decodable, Sendable {
    /// A value that may be changed.
    public enum Field<Value: Sendable>: Sendable {
      /// The key is absent: the value stays.
      case unchanged
      /// The key is null: the value is removed.
      case removed
      /// The key has a value, which replaces the old one.
      case set(Value)

      /// The new value in place of an old one.
      func value(instead old: Value?) -> Value? {
        switch self {
        case .unchanged: old
        case .removed: nil
        case .set(let value): value
        }
      }
    }

    /// The new title. Unchanged by default.
    public var title = Field<String>.unchanged
    /// The new caption. Unchanged by default.
    public var caption = Field<String>.unchanged
    /// The name of the owner's collection to which it belongs.
    public var collection = Field<String>.unchanged
    /// Where it was taken.
    public var location = Field<Location>.unchanged
    /// The labels whose readers may view it.
    public var labels = Field<[String]>.unchanged
    /// The labels whose readers may read the original too.
    public var originalLabels = Field<[String]>.unchanged

    /// A change of nothing.
    public init() {}

    private enum Keys: String, CodingKey, CaseIterable {
      case title, caption, collection, location, labels, originalLabels
    }

    private struct AnyKey: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }

    private struct Point: Decodable, Sendable {
      let latitude: Double
      let longitude: Double
      let altitude: Double?
    }

    /// Decodes a merge patch. A key that cannot be changed is an error, so that a spelling mistake is not taken for a change.
    public init(from decoder: any Decoder) throws {
      let all = try decoder.container(keyedBy: AnyKey.self)
      if let unknown = all.allKeys.first(where: { Keys(rawValue: $0.stringValue) == nil }) {
        throw DecodingError.dataCorruptedError(
          forKey: unknown, in: all, debugDescription: "the key \(unknown.stringValue) cannot be changed")
      }
      let container = try decoder.container(keyedBy: Keys.self)
      func field<Value: Decodable & Sendable>(_ key: Keys) throws -> Field<Value> {
        guard container.contains(key) else { return .unchanged }
        return try container.decodeNil(forKey: key) ? .removed : .set(try container.decode(Value.self, forKey: key))
      }
      (title, caption, collection) = (try field(.title), try field(.caption), try field(.collection))
      (labels, originalLabels) = (try field(.labels), try field(.originalLabels))
      let point: Field<Point> = try field(.location)
      switch point {
      case .unchanged: location = .unchanged
      case .removed: location = .removed
      case .set(let point):
        guard
          let place = Location(
            latitude: point.latitude, longitude: point.longitude, altitude: point.altitude, source: .user)
        else {
          throw DecodingError.dataCorruptedError(
            forKey: .location, in: container, debugDescription: "latitude or longitude is out of range")
        }
        location = .set(place)
      }
    }
  }
}

extension MediaService.AttachmentChange.Field: Equatable where Value: Equatable {}
