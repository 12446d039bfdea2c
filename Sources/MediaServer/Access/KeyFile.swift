internal import FileSupport
internal import Foundation
internal import JWTKit

/// The keys of a server: those that verify bearer tokens, and those that sign URLs. Read from a JSON file (docs/keys.md):
/// ```json
/// {
///   "tokens": [
///     {"kid": "2026-11", "alg": "HS256", "secret": "BASE64 OF AT LEAST 32 BYTES"},
///     {"kid": "app", "alg": "ES256", "publicKey": "-----BEGIN PUBLIC KEY-----…"},
///     {"kid": "ops", "alg": "EdDSA", "publicKey": "-----BEGIN PUBLIC KEY-----…"}
///   ],
///   "addresses": [{"id": "a2", "secret": "BASE64 OF AT LEAST 32 BYTES"}]
/// }
/// ```
/// To replace a key without an interruption, add the new one, sign with it, and remove the old one when the last token or URL has expired. The
/// first of `addresses` signs, all are accepted.
public struct KeyFile: Sendable {
  /// A key that verifies tokens with its `kid` and its `alg`, and no others.
  public struct TokenKey: Sendable {
    enum Material: Sendable {
      case hmac(HMACKey)
      case ecdsa(ES256PublicKey)
      case eddsa(EdDSA.PublicKey)
    }

    /// The name of the key, in the header of tokens.
    public let kid: String
    let material: Material

    /// The algorithm that a token with this `kid` must state.
    public var algorithm: String {
      switch material {
      case .hmac: "HS256"
      case .ecdsa: "ES256"
      case .eddsa: "EdDSA"
      }
    }

    /// An HMAC key for HS256, of at least 32 bytes (RFC 7518, section 3.2).
    public static func hs256(kid: String, secret: [UInt8]) throws(Failure) -> TokenKey {
      guard secret.count >= 32 else { throw Failure("the secret of the token key \(kid) has fewer than 32 bytes") }
      return TokenKey(kid: kid, material: .hmac(HMACKey(from: secret)))
    }
  }

  /// A secret that signs addresses.
  public struct AddressKey: Hashable, Sendable {
    /// The name of the key, in the address: 1 to 32 of `A`–`Z`, `a`–`z`, `0`–`9`, `_` and `-`.
    public var id: String
    /// At least 32 bytes.
    public var secret: [UInt8]

    /// A secret with its name.
    public init(id: String, secret: [UInt8]) { (self.id, self.secret) = (id, secret) }
  }

  /// The keys that verify tokens.
  public var tokens: [TokenKey]
  /// The keys that sign addresses; the first one signs.
  public var addresses: [AddressKey]

  /// What the file was before its bytes were read, so that a change since is found; nil for keys from elsewhere.
  var stamp: FileStatus?

  /// Keys from elsewhere than a file.
  /// - Throws: ``KeyFile/Failure`` if there is no key for tokens, or if two have the same name.
  public init(tokens: [TokenKey], addresses: [AddressKey] = []) throws(Failure) {
    guard !tokens.isEmpty else { throw Failure("\"tokens\" is empty; it needs at least one key") }
    if let kid = Self.repeated(tokens.map(\.kid)) { throw Failure("two keys in \"tokens\" have the kid \(kid)") }
    if let id = Self.repeated(addresses.map(\.id)) { throw Failure("two keys in \"addresses\" have the id \(id)") }
    (self.tokens, self.addresses) = (tokens, addresses)
  }

  /// The keys in the bytes of a file.
  /// - Throws: ``KeyFile/Failure``, which never repeats a secret.
  public init(json: [UInt8]) throws(Failure) {
    let document: Document
    do { document = try JSONDecoder().decode(Document.self, from: Data(json)) } catch {
      throw Failure("it is not a JSON object with the key \"tokens\" and, for signed URLs, \"addresses\"")
    }
    var tokens: [TokenKey] = []
    for entry in document.tokens { tokens.append(try entry.key) }
    var addresses: [AddressKey] = []
    for entry in document.addresses ?? [] { addresses.append(try entry.key) }
    try self.init(tokens: tokens, addresses: addresses)
  }

  private static func repeated(_ names: [String]) -> String? {
    var seen: Set<String> = []
    return names.first { !seen.insert($0).inserted }
  }
}

extension KeyFile {
  /// Why keys are refused. The message is for the administrator and has no secret.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let description: String

    init(_ description: String) { self.description = description }
  }

  /// The document as it is written.
  private struct Document: Decodable {
    struct Token: Decodable {
      var kid: String
      var alg: String
      var secret: String?
      var publicKey: String?

      var key: TokenKey {
        get throws(Failure) {
          guard !kid.isEmpty else { throw Failure("a token key has an empty kid") }
          switch (alg, secret, publicKey) {
          case ("HS256", .some(let secret), nil):
            guard let bytes = Data(base64Encoded: secret) else {
              throw Failure("the secret of the token key \(kid) is not base64")
            }
            return try .hs256(kid: kid, secret: Array(bytes))
          case ("ES256", nil, .some(let pem)):
            do { return TokenKey(kid: kid, material: .ecdsa(try ES256PublicKey(pem: pem))) } catch {
              throw Failure("the public key of the token key \(kid) is not a P-256 key in PEM")
            }
          case ("EdDSA", nil, .some(let pem)):
            do { return TokenKey(kid: kid, material: .eddsa(try EdDSA.PublicKey(pem: pem))) } catch {
              throw Failure("the public key of the token key \(kid) is not an Ed25519 key in PEM")
            }
          default:
            throw Failure(
              "the token key \(kid) needs \"alg\": \"HS256\" with \"secret\", or \"ES256\" or \"EdDSA\" with \"publicKey\""
            )
          }
        }
      }
    }

    struct Address: Decodable {
      var id: String
      var secret: String

      var key: AddressKey {
        get throws(Failure) {
          guard let bytes = Data(base64Encoded: secret), bytes.count >= 32 else {
            throw Failure("the secret of the URL-signing key \(id) must be base64 of at least 32 bytes")
          }
          return AddressKey(id: id, secret: Array(bytes))
        }
      }
    }

    var tokens: [Token]
    var addresses: [Address]?
  }
}
