/// The name of a photo or video in the library it comes from: a photo library's local identifier, a path, a row.
///
/// Only ever compared, byte by byte. The same asset has the same name for as long as it exists.
public struct AssetID: RawRepresentable, Hashable, Codable, Sendable, Comparable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  /// The name.
  public let rawValue: String
  /// An asset of that name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// An asset of that name.
  public init(_ name: String) { rawValue = name }
  /// An asset of that name.
  public init(stringLiteral name: String) { rawValue = name }
  /// The name.
  public var description: String { rawValue }
  /// Whether the bytes of the names are the same, not only their looks.
  public static func == (left: AssetID, right: AssetID) -> Bool { NameBytes.areEqual(left.rawValue, right.rawValue) }
  /// Hashes the bytes of the name.
  public func hash(into hasher: inout Hasher) { NameBytes.hash(rawValue, into: &hasher) }
  /// By the bytes of the names in UTF-8, so that an order is the same on every machine.
  public static func < (left: AssetID, right: AssetID) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }
}
