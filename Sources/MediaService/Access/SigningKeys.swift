internal import Crypto
internal import MediaEngine

/// The keys that sign the addresses of attachments. The first one signs, all are accepted, so that a key can be replaced without breaking the
/// addresses that it signed.
public struct SigningKeys: Sendable {
  /// A key with its name.
  public struct Key: Sendable, CustomStringConvertible {
    /// The name in addresses: 1 to 32 letters, digits, `-` and `_`.
    public let id: String
    /// At least 32 random bytes.
    let secret: [UInt8]

    /// A key with a name.
    public init(id: String, secret: [UInt8]) { (self.id, self.secret) = (id, secret) }

    /// The name alone: a log never has the secret.
    public var description: String { "key \(id)" }
  }

  /// The name of the key that signs.
  public let current: String
  private let keys: [String: SymmetricKey]

  /// Keys in the order of preference.
  /// - Returns: nil without keys, for a name that is used twice or malformed, and for a secret of fewer than 32 bytes.
  public init?(_ keys: [Key]) {
    guard let first = keys.first, keys.allSatisfy({ Self.isName($0.id) && $0.secret.count >= 32 }),
      Set(keys.map(\.id)).count == keys.count
    else { return nil }
    current = first.id
    self.keys = Dictionary(uniqueKeysWithValues: keys.map { ($0.id, SymmetricKey(data: $0.secret)) })
  }

  /// HMAC-SHA256 of a text under one of the keys; nil for an unknown key.
  func code(_ text: String, key: String) -> [UInt8]? {
    keys[key].map { Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: $0)) }
  }

  private static func isName(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count) && text.utf8.allSatisfy(Base64URL.isDigit)
  }
}

extension MediaService {
  /// The keys of signed URLs that are in use; nil if addresses are not signed. At the start those of the configuration.
  public var signingKeys: SigningKeys? { attachments.signingKeys.withLock { $0 } }

  /// Replaces the keys of signed URLs. URLs that a key has signed which is not among them are refused from now on; whoever keeps answers drops them.
  public func replaceSigningKeys(_ keys: SigningKeys?) { attachments.signingKeys.withLock { $0 = keys } }
}
