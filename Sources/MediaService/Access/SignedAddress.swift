/// What a valid signature of an address says (docs/signed-urls.md).
///
/// An address is a path with the query `e=EXPIRY&g=GENERATION&k=KEY&s=SIGNATURE`, in this order and with nothing else. The signature is HMAC-SHA256,
/// in base64url, of the text `mt1`, `GET`, path, expiry, generation and key, joined by line feeds. It is checked without a look-up; the generation
/// then has to be that of the attachment.
public struct SignedAddress: Hashable, Sendable {
  /// The second since 1970 at which the address expires.
  public var expires: Int
  /// The generation of the attachment for which the address was made.
  public var generation: Int

  /// The text whose HMAC is the signature.
  static func text(path: String, expires: Int, generation: Int, key: String) -> String {
    "mt1\nGET\n\(path)\n\(expires)\n\(generation)\n\(key)"
  }

  /// Whether a query is meant to be a signature: an address with any of its parameters is never read as one without.
  public static func isSigned(_ query: String) -> Bool {
    query.split(separator: "&", omittingEmptySubsequences: false).contains { part in
      ["e", "g", "k", "s"].contains(part.prefix { $0 != "=" })
    }
  }
}

extension SigningKeys {
  /// The query that signs a path.
  /// - Parameters:
  ///   - path: The path from the first slash on, as a client sends it.
  ///   - expires: The second since 1970 at which the address expires.
  ///   - generation: The generation of the attachment.
  public func query(path: String, expires: Int, generation: Int) -> String {
    let signature = signature(path: path, expires: expires, generation: generation, key: current) ?? ""
    return "e=\(expires)&g=\(generation)&k=\(current)&s=\(signature)"
  }

  /// Checks a signature, in time that does not depend on it.
  /// - Returns: nil unless the query is exactly one that ``query(path:expires:generation:)`` may have returned for the path under one of the keys,
  ///   and has not expired.
  public func verify(path: String, query: String, now: Int) -> SignedAddress? {
    let parts = query.split(separator: "&", omittingEmptySubsequences: false)
    guard parts.count == 4, let expires = number(parts[0], "e"), let generation = number(parts[1], "g"),
      let key = value(parts[2], "k"), let stated = value(parts[3], "s"),
      let expected = signature(path: path, expires: expires, generation: generation, key: key)
    else { return nil }
    guard Self.areEqual(stated, expected), now < expires else { return nil }
    return SignedAddress(expires: expires, generation: generation)
  }

  private func signature(path: String, expires: Int, generation: Int, key: String) -> String? {
    code(SignedAddress.text(path: path, expires: expires, generation: generation, key: key), key: key)
      .map(Base64URL.encode)
  }

  private func value(_ part: Substring, _ name: String) -> String? {
    part.hasPrefix("\(name)=") ? String(part.dropFirst(name.count + 1)) : nil
  }

  /// A number in the one form that it has: no sign, no zeros before it.
  private func number(_ part: Substring, _ name: String) -> Int? {
    guard let text = value(part, name), let number = Int(text), number >= 0, "\(number)" == text else { return nil }
    return number
  }

  private static func areEqual(_ one: String, _ other: String) -> Bool {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard one.count == other.count else { return false }
    return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
