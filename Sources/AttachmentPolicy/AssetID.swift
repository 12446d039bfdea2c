/// The identifier of a photo or video in its library: a local identifier, a path or a row id.
///
/// Identifiers are opaque and are compared byte by byte. An asset keeps its identifier for as long as it exists.
public struct AssetID: RawRepresentable, Hashable, Codable, Sendable, Comparable, CustomStringConvertible,
  ExpressibleByStringLiteral
{
  /// The text of the identifier, which is its JSON form too.
  public let rawValue: String
  /// Any text is an identifier; nothing is checked.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The same without a label.
  public init(_ name: String) { rawValue = name }
  /// Lets a string literal name an asset, as in tests.
  public init(stringLiteral name: String) { rawValue = name }
  /// The same text as `rawValue`.
  public var description: String { rawValue }
  /// Compares the UTF-8 bytes; canonically equivalent strings are not equal.
  public static func == (left: AssetID, right: AssetID) -> Bool { NameBytes.areEqual(left.rawValue, right.rawValue) }
  /// Hashes the UTF-8 bytes.
  public func hash(into hasher: inout Hasher) { NameBytes.hash(rawValue, into: &hasher) }
  /// Orders by UTF-8 bytes, so that the order is the same on every machine.
  public static func < (left: AssetID, right: AssetID) -> Bool {
    left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
  }
}
