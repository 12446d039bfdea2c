internal import FileSupport
internal import MediaModel
internal import Testing

@testable internal import MediatoolCommand

@Suite("Plain requests") struct PlainRequestTests {
  private static let pieces = [
    "{", "}", "[", "]", ",", ":", " ", "\t", "\"", "\\", "\u{1}", "é", "null", "true", "false", "-1", "0", "01", "12",
    "1.5", "1e3", "999999999999999",
    "9999999999999999999", "\"id\"", "\"source\"", "\"name\"", "\"bytes\"", "\"etag\"", "\"sizes\"", "\"other\"",
    "\"a.txt\"", "\"\"", "\"a/b\"",
    "\"\\u0061\"", "\"s3://b/k\"", "\"gs://b/k\"", "[\"grid\"]",
  ]

  private static func line(_ random: inout some RandomNumberGenerator) -> [UInt8] {
    let keys = ["\"id\"", "\"source\"", "\"name\"", "\"bytes\"", "\"etag\""].shuffled(using: &random).prefix(
      Int.random(in: 1...5, using: &random))
    let values =
      pieces.suffix(10) + [
        "null", "true", "-1", "0", "01", "12", "1.5", "999999999999999", "9999999999999999999", "{}",
      ]
    let members = keys.map { key in
      let usual = key == "\"bytes\"" ? "12" : "\"a.txt\""
      return "\(key) :\(Bool.random(using: &random) ? usual : values.randomElement(using: &random) ?? usual)"
    }
    var text = Array("{ \(members.joined(separator: ", "))}".utf8)
    // Every third line has a piece where it does not belong.
    if Int.random(in: 0..<3, using: &random) == 0, let piece = pieces.randomElement(using: &random) {
      let index = Int.random(in: 0...text.count, using: &random)
      text.replaceSubrange(index..<min(text.count, index + Int.random(in: 0...2, using: &random)), with: piece.utf8)
    }
    if Int.random(in: 0..<20, using: &random) == 0 { text[Int.random(in: 0..<text.count, using: &random)] = 0xFF }
    return text
  }

  private static func shown(_ request: FileRequest) -> String {
    let parts: [String?] = [
      request.id, request.name, request.etag, request.bytes.map(String.init), request.path.text,
      request.refusal?.message,
    ]
    return parts.map { $0.map { "<\($0)>" } ?? "-" }.joined(separator: " ")
  }

  @Test("Every line gives the same request with and without the decoder") func sameAsTheDecoder() {
    var random = SystemRandomNumberGenerator()
    var plain = 0
    for _ in 0..<3_000 {
      let line = Self.line(&random)
      let text = String(decoding: line, as: UTF8.self)
      plain += PlainRequest(json: line) == nil ? 0 : 1
      let (one, other) = (FileRequest(json: line, line: 1), FileRequest(json: line, line: 1, isPlainRead: false))
      #expect(Self.shown(one) == Self.shown(other), "\(text)")
    }
    #expect(plain > 100)
  }

  @Test("Usual requests need no decoder") func usual() throws {
    let lines = [
      #"{"id":17,"source":"/srv/a b.jpg"}"#,
      #"{"source":"s3://b/é.jpg","bytes":12,"etag":"9b2c","id":"x"}"#,
    ]
    for line in lines {
      let request = try #require(PlainRequest(json: Array(line.utf8)))
      #expect(request.source != nil)
    }
  }
}
