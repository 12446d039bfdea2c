internal import Crypto
internal import Foundation
internal import MediaServer

/// Bearer tokens for tests, made by hand: also those that no library would make.
enum Tokens {
  /// The secret of the key `test`.
  static let secret = Array("a secret of the tests, of 32 bytes or more".utf8)

  /// A server's keys: HS256 with the name `test`.
  static func keys() throws -> KeyFile { try KeyFile(tokens: [.hs256(kid: "test", secret: secret)]) }

  /// A field of a request that makes it one of an owner.
  static func field(
    _ owner: String, scope: String? = nil, labels: [String]? = nil, now: Int = Int(Date().timeIntervalSince1970),
    lifetime: Int = 600
  ) -> [String: String] {
    var claims: [String: Any] = ["sub": owner, "aud": "mediatool", "exp": now + lifetime]
    claims["scope"] = scope
    claims["aud_labels"] = labels
    return ["Authorization": "Bearer \(token(claims))"]
  }

  /// A token with any header and claims, signed with HMAC-SHA256.
  static func token(
    _ claims: [String: Any], header: [String: Any] = ["alg": "HS256", "kid": "test", "typ": "JWT"],
    secret: [UInt8] = secret
  ) -> String {
    let signed = encode(json(header)) + "." + encode(json(claims))
    let code = HMAC<SHA256>.authenticationCode(for: Data(signed.utf8), using: SymmetricKey(data: secret))
    return signed + "." + encode(Data(code))
  }

  /// Base64url without padding.
  static func encode(_ data: Data) -> String {
    data.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }

  private static func json(_ value: [String: Any]) -> Data {
    (try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys])) ?? Data()
  }
}
