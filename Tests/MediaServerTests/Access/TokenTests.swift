internal import Foundation
internal import JWTKit
internal import MediaService
internal import RawHTTP
internal import Testing

@testable internal import MediaServer

@Suite struct TokenTests {
  static let now = 1_800_000_000

  private func verifier(_ keys: [KeyFile.TokenKey]? = nil) async throws -> TokenVerifier {
    let usual = [try KeyFile.TokenKey.hs256(kid: "test", secret: Tokens.secret)]
    return await TokenVerifier(keys ?? usual) { Self.now }
  }

  private static let claims: [String: any Sendable] = ["sub": "anna", "aud": "mediatool", "exp": now + 60]

  @Test func `A token makes its bearer the owner that it names, with its labels and scopes`() async throws {
    let verifier = try await verifier()
    var claims = Self.claims
    #expect(try await verifier.bearer(of: Tokens.token(claims)).caller == Caller(owner: "anna", expires: Self.now + 90))
    claims["aud_labels"] = ["g:42", "friends:bob"]
    claims["scope"] = "read moderate openid"
    #expect(
      try await verifier.bearer(of: Tokens.token(claims)).caller
        == Caller(owner: "anna", labels: ["g:42", "friends:bob"], scope: [.read, .moderate], expires: Self.now + 90))
    claims["aud"] = ["other", "mediatool"]
    claims["scope"] = ""
    #expect(try await verifier.bearer(of: Tokens.token(claims)).caller.scope == [])
  }

  @Test(
    arguments: [
      ["exp": now - 31], ["exp": NSNull()], ["nbf": now + 31], ["aud": "other"], ["aud": NSNull()], ["aud": [String]()],
      ["sub": ""], ["sub": NSNull()], ["sub": "a\0b"], ["sub": "e\u{301}"], ["sub": String(repeating: "a", count: 256)],
      ["exp": "soon"],
      ["aud_labels": "g:42"],
    ] as [[String: any Sendable]])
  func `Claims that are expired, early, for others or incomplete are refused`(change: [String: any Sendable])
    async throws
  {
    let token = Tokens.token(Self.claims.merging(change) { $1 })
    let verifier = try await verifier()
    await #expect(throws: Problem.self) { try await verifier.bearer(of: token).caller }
  }

  @Test func `Clocks may differ by half a minute`() async throws {
    let verifier = try await verifier()
    var claims = Self.claims
    (claims["exp"], claims["nbf"]) = (Self.now - 29, Self.now + 30)
    #expect(try await verifier.bearer(of: Tokens.token(claims)).caller.owner == "anna")
  }

  @Test(
    arguments: [
      ["alg": "none", "kid": "test"], ["alg": "None", "kid": "test"], ["alg": "HS512", "kid": "test"], ["alg": "HS256"],
      ["alg": "HS256", "kid": "unknown"], ["alg": "HS256", "kid": "../../etc/passwd"],
      ["alg": "HS256", "kid": "' OR 1=1 --"],
      ["alg": "ES256", "kid": "test"], ["kid": "test"], ["alg": "HS256", "kid": "test", "crit": ["exp"]],
      ["alg": "HS256", "kid": 1],
    ] as [[String: any Sendable]])
  func `Headers with another algorithm, key or critical extension are refused`(header: [String: any Sendable])
    async throws
  {
    let verifier = try await verifier()
    let token = Tokens.token(Self.claims, header: header)
    await #expect(throws: Problem.self) { try await verifier.bearer(of: token).caller }
  }

  @Test func `Forged, cut and malformed tokens are refused`() async throws {
    let verifier = try await verifier()
    let token = Tokens.token(Self.claims)
    let parts = token.split(separator: ".")
    let other = Tokens.token(["sub": "bob", "aud": "mediatool", "exp": Self.now + 60]).split(separator: ".")
    for wrong in [
      "", ".", "..", "a.b", "a.b.c", String(token.dropLast()), "\(parts[0]).\(parts[1]).",
      "\(parts[0]).\(other[1]).\(parts[2])",
      token + ".x", token + "=", Tokens.token(Self.claims, secret: Array(repeating: 7, count: 32)),
      String(repeating: "a", count: 20_000),
    ] {
      await #expect(throws: Problem.self, "\(wrong.prefix(40))") { try await verifier.bearer(of: wrong).caller }
    }
  }

  @Test func `Public keys verify ES256 and EdDSA, and never HS256 with the public key as the secret`() async throws {
    let curve = ES256PrivateKey()
    let edwards = try EdDSA.PrivateKey()
    let file = try KeyFile(
      json: Array(
        JSONSerialization.data(withJSONObject: [
          "tokens": [
            ["kid": "es", "alg": "ES256", "publicKey": curve.publicKey.pemRepresentation],
            ["kid": "ed", "alg": "EdDSA", "publicKey": edwards.publicKey.pemRepresentation],
          ]
        ])))
    let verifier = await TokenVerifier(file.tokens) { Self.now }
    let signer = JWTKeyCollection()
    await signer.add(ecdsa: curve, kid: "es")
    await signer.add(eddsa: edwards, kid: "ed")
    for kid in ["es", "ed"] {
      let token = try await signer.sign(
        Claims(sub: "anna", aud: "mediatool", exp: Double(Self.now + 60)), kid: JWKIdentifier(string: kid))
      #expect(try await verifier.bearer(of: token).caller.owner == "anna")
    }
    // The classic confusion: the key that everybody knows, used as a shared secret.
    let confused = Tokens.token(
      Self.claims, header: ["alg": "HS256", "kid": "es"], secret: Array(curve.publicKey.pemRepresentation.utf8))
    await #expect(throws: Problem.self) { try await verifier.bearer(of: confused).caller }
  }

  private struct Claims: JWTPayload {
    var sub: String
    var aud: String
    var exp: Double
    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }

  @Test(arguments: [
    #"{"tokens":[]}"#, #"{}"#, "[]", "", #"{"tokens":[{"kid":"a","alg":"HS256","secret":"c2hvcnQ="}]}"#,
    #"{"tokens":[{"kid":"a","alg":"none"}]}"#, #"{"tokens":[{"kid":"a","alg":"HS256","secret":"?"}]}"#,
    #"{"tokens":[{"kid":"a","alg":"ES256","publicKey":"x"}]}"#,
    #"{"tokens":[{"kid":"a","alg":"RS256","publicKey":"x"}]}"#,
  ])
  func `A key file with a weak, doubled or missing key is refused without repeating a secret`(json: String) {
    let error = #expect(throws: KeyFile.Failure.self) { try KeyFile(json: Array(json.utf8)) }
    #expect(error?.description.contains("c2hvcnQ=") == false)
  }

  @Test func `A request with a bad token is answered with 401, whatever the route`() async throws {
    try await TestServer.start(configure: { $0.keys = try? Tokens.keys() }) { server in
      let bad = Tokens.token(["sub": "anna", "aud": "mediatool", "exp": 0])
      for field in ["Bearer \(bad)", "Bearer", "Bearer ", "Basic YTpi", bad, ""] {
        let answer = try await server.request("GET", "/v1/nothing", ["Authorization": field])
        #expect(answer.status == 401, "\(field.prefix(12))")
        #expect(answer["WWW-Authenticate"] == "Bearer")
      }
      let good = try await server.request("GET", "/v1/nothing", Tokens.field("anna"))
      #expect(good.status == 404)
      #expect(try await server.request("GET", "/healthz", ["Authorization": "Bearer x"]).status == 200)
    }
  }
}
