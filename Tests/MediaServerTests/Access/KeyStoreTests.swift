internal import Foundation
internal import Glibc
internal import Logging
internal import MediaService
internal import TestSupport
internal import Testing

@testable internal import MediaServer

@Suite struct KeyStoreTests {
  private static let now = 1_800_000_000
  private let logger = Logger(label: "tests") { _ in SwiftLogNoOpLogHandler() }

  /// A key file with one key for tokens and one for signed URLs.
  static func json(_ kid: String, _ id: String) -> [UInt8] {
    let secret = Tokens.secret.base64
    return Array(
      """
      {"tokens": [{"kid": "\(kid)", "alg": "HS256", "secret": "\(secret)"}], "addresses": [{"id": "\(id)", "secret": "\(secret)"}]}
      """.utf8)
  }

  /// A field with a token of the key.
  static func field(_ kid: String, now: Int = Int(Date().timeIntervalSince1970)) -> [String: String] {
    ["Authorization": "Bearer \(token(kid, now: now))"]
  }

  private static func token(_ kid: String, now: Int = KeyStoreTests.now) -> String {
    Tokens.token(
      ["sub": "anna", "aud": "mediatool", "exp": now + 600], header: ["alg": "HS256", "kid": kid, "typ": "JWT"])
  }

  @Test func `A file that is replaced is read again, and one that cannot be used leaves the old keys in use`()
    async throws
  {
    let folder = try TemporaryFolder()
    let file = try folder.write(Self.json("old", "a1"), to: "keys.json")
    let store = KeyStore(try KeyFile(path: file), file: file) { Self.now }
    func owner(_ kid: String) async -> String? { try? await store.verifier.bearer(of: Self.token(kid)).caller.owner }
    #expect(await owner("old") == "anna")
    let unchanged = await store.refresh(logger: logger)
    #expect(unchanged == nil)
    for wrong in ["{", #"{"tokens": []}"#, String(decoding: Self.json("new", "not/a/name"), as: UTF8.self)] {
      let other = try folder.write(Array(wrong.utf8), to: "wrong")
      #expect(rename(other, file) == 0)
      let refused = await store.refresh(logger: logger)
      #expect(refused == nil, "\(wrong)")
      #expect(await owner("old") == "anna")
    }
    let next = try folder.write(Self.json("new", "a2"), to: "next")
    #expect(rename(next, file) == 0)
    let replacement = try #require(await store.refresh(logger: logger))
    #expect(replacement.signingKeys?.current == "a2")
    #expect(await owner("new") == "anna")
    #expect(await owner("old") == nil)
    let again = await store.refresh(logger: logger)
    #expect(again == nil)
  }

  @Test func `A key that is removed between the reading of the file and the start is dropped`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(Self.json("old", "a1"), to: "keys.json")
    let keys = try KeyFile(path: file)
    let next = try folder.write(Self.json("new", "a2"), to: "next")
    #expect(rename(next, file) == 0)
    let store = KeyStore(keys, file: file) { Self.now }
    let replacement = try #require(await store.refresh(logger: logger))
    #expect(replacement.signingKeys?.current == "a2")
    await #expect(throws: (any Error).self) { try await store.verifier.bearer(of: Self.token("old")) }
  }

  @Test func `Keys that were not read from a file are not reloaded`() async throws {
    let store = KeyStore(try Tokens.keys(), file: nil) { Self.now }
    let replacement = await store.refresh(logger: logger)
    #expect(replacement == nil)
    #expect(try await store.verifier.bearer(of: Self.token("test")).key == "test")
  }
}

extension [UInt8] {
  fileprivate var base64: String { Data(self).base64EncodedString() }
}
