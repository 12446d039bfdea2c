internal import Foundation
internal import JWTKit
internal import MediaService

/// Verifies bearer tokens: JWTs that one of the server's keys has signed (RFC 7519, RFC 8725).
///
/// JWTKit takes its first key for a token with an unknown `kid`, and lets the key choose the algorithm. Here a token names its key, and its `alg` is
/// that of the key, before JWTKit sees it.
struct TokenVerifier: Sendable {
  private let keys: JWTKeyCollection
  private let algorithms: [String: String]
  private let now: @Sendable () -> Int

  /// - Parameter now: The present in seconds since 1970.
  init(_ tokenKeys: [KeyFile.TokenKey], now: @escaping @Sendable () -> Int) async {
    keys = JWTKeyCollection()
    algorithms = Dictionary(tokenKeys.map { ($0.kid, $0.algorithm) }, uniquingKeysWith: { first, _ in first })
    self.now = now
    for key in tokenKeys {
      let kid = JWKIdentifier(string: key.kid)
      switch key.material {
      case .hmac(let secret): await keys.add(hmac: secret, digestAlgorithm: .sha256, kid: kid)
      case .ecdsa(let publicKey): await keys.add(ecdsa: publicKey, kid: kid)
      case .eddsa(let publicKey): await keys.add(eddsa: publicKey, kid: kid)
      }
    }
  }

  /// Longer tokens are refused unread.
  static let maxBytes = 16_384

  /// Who bears a token, and the name of the key that signed it.
  /// - Throws: ``Problem/unauthorized`` for whatever is wrong with it: the reason would help only who forges one.
  func bearer(of token: String) async throws(Problem) -> (caller: Caller, key: String) {
    guard token.utf8.count <= Self.maxBytes, let header = Self.header(of: token), header.crit == nil,
      let kid = header.kid, let algorithm = algorithms[kid], header.alg == algorithm
    else { throw .unauthorized }
    do {
      let claims = try await keys.verify(token, as: TokenClaims.self)
      if let caller = claims.caller(at: now()) { return (caller, kid) }
    } catch {
      // The signature is wrong or the claims are not those of a token.
    }
    throw .unauthorized
  }

  private struct Header: Decodable {
    var alg: String?
    var kid: String?
    /// Extensions that a recipient must understand (RFC 7515, section 4.1.11): we understand none.
    var crit: [String]?
  }

  private static func header(of token: String) -> Header? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    // JWTKit also reads padded and other forms of base64.
    guard parts.count == 3, let bytes = Base64URL.decode(parts[0]), parts.allSatisfy({ Base64URL.decode($0) != nil })
    else {
      return nil
    }
    return try? JSONDecoder().decode(Header.self, from: Data(bytes))
  }
}

/// Base64 for addresses, without padding (RFC 4648, section 5).
enum Base64URL {
  /// - Returns: nil for anything but unpadded base64url.
  static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits = 0
    var value: UInt32 = 0
    for character in text.utf8 {
      let digit: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = character - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = character - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0") + 52
      case UInt8(ascii: "-"): digit = 62
      case UInt8(ascii: "_"): digit = 63
      default: return nil
      }
      value = (value << 6 | UInt32(digit)) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: value >> UInt32(bits)))
      }
    }
    // What is left over must be padding of zeros, so that each value has one form.
    return bits == 6 || value & (1 << UInt32(bits) - 1) != 0 ? nil : bytes
  }
}
