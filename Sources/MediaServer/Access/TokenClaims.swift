internal import Foundation
internal import JWTKit
internal import MediaService

/// What a token states (RFC 7519). ``TokenVerifier`` checks it after the signature.
struct TokenClaims: JWTPayload {
  var sub: String
  var aud: Audience
  var exp: Double
  var nbf: Double?
  var scope: String?
  var labels: [String]?

  enum CodingKeys: String, CodingKey {
    case sub, aud, exp, nbf, scope
    case labels = "aud_labels"
  }

  /// One name or a list of names.
  struct Audience: Codable {
    var names: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let name = try? container.decode(String.self) {
        names = [name]
      } else {
        names = try container.decode([String].self)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(names)
    }
  }

  /// Called by JWTKit; the time is that of the service, so the checks are in ``caller(at:)``.
  func verify(using algorithm: some JWTAlgorithm) async throws {}

  /// Seconds by which the clocks of the issuer and of this machine may differ.
  static let leeway = 30.0

  /// Who the token makes its bearer.
  /// - Returns: nil if the token is not valid now, not for this service, or names no owner.
  func caller(at now: Int) -> Caller? {
    let now = Double(now)
    guard aud.names.contains("mediatool"), exp > now - Self.leeway, (nbf ?? 0) <= now + Self.leeway else { return nil }
    guard !sub.isEmpty, sub.utf8.count <= 255, !sub.unicodeScalars.contains("\0") else { return nil }
    // One spelling: texts of Swift that are canonically equivalent are equal, and two subjects must not be one owner.
    guard sub.isNormalized else { return nil }
    let labels = labels ?? []
    // The longest is `friends:` with the longest name of an owner.
    guard labels.count <= 1_000, labels.allSatisfy({ $0.utf8.count <= 263 && $0.isNormalized }) else { return nil }
    // A token is accepted up to here; one without a near end has none.
    let end = (exp + Self.leeway).rounded(.up)
    return Caller(owner: sub, labels: Set(labels), scope: scopes, expires: end < 1e12 ? Int(end) : nil)
  }

  /// Without `scope` a token may read and write. Names of scopes that are not ours are for other services.
  private var scopes: Caller.Scope {
    guard let scope else { return .owner }
    var scopes: Caller.Scope = []
    for name in scope.split(separator: " ") {
      switch name {
      case "read": scopes.insert(.read)
      case "write": scopes.insert(.write)
      case "moderate": scopes.insert(.moderate)
      default: break
      }
    }
    return scopes
  }
}

extension String {
  /// Whether it is in normalization form C (Unicode Standard Annex 15).
  fileprivate var isNormalized: Bool { utf8.elementsEqual(precomposedStringWithCanonicalMapping.utf8) }
}
