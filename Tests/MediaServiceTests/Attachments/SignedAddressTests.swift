internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediaService

/// docs/signed-urls.md has the same vectors; the signers there were run against them.
@Suite struct SignedAddressTests {
  private let keys = SigningKeys([
    SigningKeys.Key(id: "k1", secret: Array(UInt8(0)..<32)),
    SigningKeys.Key(id: "old", secret: [UInt8](repeating: 7, count: 32)),
  ])
  private let path = "/v1/attachments/12/renditions/grid.webp"

  @Test("A signature is the HMAC-SHA256 of version, method, path, expiry, generation and key")
  func vectors() throws {
    let keys = try #require(keys)
    #expect(SignedAddress.text(path: path, expires: 9, generation: 2, key: "k1") == "mt1\nGET\n\(path)\n9\n2\nk1")
    #expect(
      keys.query(path: path, expires: 1_800_000_000, generation: 0)
        == "e=1800000000&g=0&k=k1&s=7crVI8-TOrfmCkVerAwAwQuDUBN-tYVbCK6wyL3YzWI")
    #expect(
      keys.query(path: "/v1/attachments/7/original", expires: 4_102_444_800, generation: 3)
        == "e=4102444800&g=3&k=k1&s=bv5SSboCZxH4mxitCR6izFqJahLdlot8NwrMgZOD080")
  }

  @Test("The Python signer of the documentation makes the same addresses")
  func documentedSigner() throws {
    let keys = try #require(keys)
    let page = try String(
      contentsOf: Corpus.packageRoot.appendingPathComponent("docs/signed-urls.md"), encoding: .utf8)
    let signer = try #require(page.components(separatedBy: "```python\n").last?.components(separatedBy: "```").first)
    let program = "\(signer)\nprint(signed_url('\(path)', 1800000000, 0, 'k1', bytes(range(32))), end='')"
    let output = try Tool("python3", package: "python3").run(["-c", program])
    #expect(output.text == "\(path)?\(keys.query(path: path, expires: 1_800_000_000, generation: 0))")
    #expect(page.contains(keys.query(path: path, expires: 1_800_000_000, generation: 0)))
  }

  @Test("A valid signature gives its expiry and generation, under every key")
  func valid() throws {
    let keys = try #require(keys)
    let query = keys.query(path: path, expires: 1_000, generation: 5)
    #expect(keys.verify(path: path, query: query, now: 999) == SignedAddress(expires: 1_000, generation: 5))
    let old = try #require(SigningKeys([SigningKeys.Key(id: "old", secret: [UInt8](repeating: 7, count: 32))]))
    let older = old.query(path: path, expires: 1_000, generation: 0)
    #expect(keys.verify(path: path, query: older, now: 1) != nil)
  }

  @Test("A changed, cut, padded, reordered, doubled or extended query is no signature, and neither is an expired one")
  func forged() throws {
    let keys = try #require(keys)
    let query = keys.query(path: path, expires: 1_000, generation: 5)
    let parts = query.split(separator: "&").map(String.init)
    let signature = try #require(parts.last)
    func replacing(_ text: String, _ other: String) -> String { query.replacingOccurrences(of: text, with: other) }
    var forged: [String] = [
      "", "s=", query + "&", "&" + query, query + "&x=1", "x=1&" + query, query + "=", query + "%3D",
      query + "&" + signature, String(query.dropLast()), query + "A", query.uppercased(),
    ]
    forged += [
      replacing("e=1000", "e=1001"), replacing("e=1000", "e=01000"), replacing("e=1000", "e=+1000"),
      replacing("g=5", "g=4"), replacing("g=5", "g=-5"), replacing("k=k1", "k=old"), replacing("k=k1", "k=none"),
      replacing("&", ";"), replacing("e=", "%65="),
    ]
    let swapped = [parts[1], parts[0], parts[2], parts[3]]
    for order in [Array(parts.reversed()), swapped, Array(parts.dropFirst())] {
      forged.append(order.joined(separator: "&"))
    }
    // The last digit of 43 has two bits that no byte needs: other spellings of the same bytes.
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    forged += digits.map { query.dropLast() + String($0) }.filter { $0 != query }
    for query in forged { #expect(keys.verify(path: path, query: query, now: 1) == nil, "\(query)") }
    for other in ["/v1/attachments/13/renditions/grid.webp", "/v1/attachments/12/original", path + "/", "/" + path] {
      #expect(keys.verify(path: other, query: query, now: 1) == nil)
    }
    #expect(keys.verify(path: path, query: query, now: 1_000) == nil)
    #expect(keys.verify(path: path, query: query, now: 999) != nil)
  }

  @Test("Any parameter of a signature makes a query a signed one")
  func isSigned() {
    for query in ["e=1", "x=1&s=2", "k", "g=&a"] { #expect(SignedAddress.isSigned(query)) }
    for query in ["", "at=1", "ee=1", "ids=1,2"] { #expect(!SignedAddress.isSigned(query)) }
  }

  @Test("Keys need names of letters and digits, each one once, and 32 bytes")
  func keyRules() {
    let secret = [UInt8](repeating: 1, count: 32)
    #expect(SigningKeys([]) == nil)
    #expect(SigningKeys([SigningKeys.Key(id: "a", secret: Array(secret.dropLast()))]) == nil)
    for id in ["", "a&b", "a b", "ä", String(repeating: "a", count: 33)] {
      #expect(SigningKeys([SigningKeys.Key(id: id, secret: secret)]) == nil, "\(id)")
    }
    let key = SigningKeys.Key(id: "a", secret: secret)
    #expect(SigningKeys([key, key]) == nil)
    #expect(SigningKeys([key])?.current == "a")
    #expect("\(key)" == "key a")
  }
}
