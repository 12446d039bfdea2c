internal import Foundation
internal import RemoteSources
internal import TestSupport
internal import Testing

/// Signatures of generated requests against those of botocore.
@Suite("Signatures against botocore", .timeLimit(.minutes(20))) struct PeerSignatureTests {
  private struct Order: Encodable {
    var time: Int
    var access: String
    var secret: String
    var token: String?
    var region: String
    var host: String
    var path: String
    var method: String
    var headers: [[String]]
    var query: [[String]]
    var presign: Bool
    var seconds: Int
  }

  private static let pieces = [
    "a", "photo.jpg", ".", "..", "", " ", "+", "~", "é", "日本", "%", "100%", "&", "=", "?", "#", ":", "@", "'", "(x)",
    "*",
    "!", "\"", "<", "\\", "^", "|", "$", ",", ";", "[", "_", "-", "a b", "A%20B", "😀", "\u{7F}", "%2F",
  ]

  @Test("thousands of generated requests have the same signature as botocore's") func generated() throws {
    guard let python = Python.withPackage("botocore", for: "signatures against botocore") else { return }
    var random = SeededGenerator(seed: 20)
    var orders: [Order] = []
    var own: [String] = []
    for _ in 0..<4_000 {
      let (order, signature) = Self.request(&random)
      orders.append(order)
      own.append(signature)
    }
    let encoder = JSONEncoder()
    let lines = try orders.map { String(decoding: try encoder.encode($0), as: UTF8.self) }.joined(separator: "\n")
    let output = try python.run([Python.peer("sign.py")], input: lines)
    let theirs = output.split(separator: "\n").map(String.init)
    #expect(theirs.count == own.count)
    for (index, pair) in zip(own, theirs).enumerated() where pair.0 != pair.1 {
      Issue.record("other signature for \(orders[index])")
      break
    }
  }

  private static func request(_ random: inout SeededGenerator) -> (Order, String) {
    func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
    let key = (0..<Int.random(in: 1...5, using: &random)).map { _ in pick(pieces) }
      .joined(separator: pick(["/", "", "//"]))
    let keys = S3Credentials(
      accessKey: "AKIA\(Int.random(in: 0..<1_000_000, using: &random))", secretKey: pick(["s/+=", "secret", "Ä/x"]),
      sessionToken: pick([nil, nil, "to/ken+==", "short"]))
    let host = pick([
      "bucket.s3.eu-central-1.amazonaws.com", "127.0.0.1:8080", "s3.localhost:9000", "[::1]:8080",
      "xn--e1afmkfd.example",
    ])
    var request = SigV4.Request(host: host, path: "/b/" + encodedPath(key))
    request.method = pick(["GET", "GET", "HEAD", "DELETE"])
    for index in 0..<Int.random(in: 0...3, using: &random) {
      request.query.append((pick(pieces) + "\(index)", pick(pieces)))
    }
    if Bool.random(using: &random) {
      request.headers.append(("Range", "bytes=0-\(Int.random(in: 0..<9_999, using: &random))"))
    }
    if Bool.random(using: &random) {
      request.headers.append(("x-amz-meta-Name", pick(["a  b ", " x", "\"1\"", "plain"])))
    }
    let signer = SigV4(credentials: keys, region: pick(["us-east-1", "eu-central-1", "cn-north-1"]))
    let time = Int.random(in: 1_000_000_000..<2_000_000_000, using: &random)
    let date = Date(timeIntervalSince1970: Double(time))
    let seconds = Int.random(in: 1...604_800, using: &random)
    let presign = Bool.random(using: &random)
    let signature: String?
    if presign {
      request.method = "GET"
      request.headers = []
      signature = signer.presigned(request, seconds: seconds, at: date).split(separator: "=").last.map(String.init)
    } else {
      signature = signer.signed(request, at: date).last?.value.split(separator: "=").last.map(String.init)
    }
    let order = Order(
      time: time, access: keys.accessKey, secret: keys.secretKey, token: keys.sessionToken, region: signer.region,
      host: host, path: request.path, method: request.method, headers: request.headers.map { [$0.name, $0.value] },
      query: request.query.map { [$0.name, $0.value] }, presign: presign, seconds: seconds)
    return (order, signature ?? "")
  }

  /// Encodes a key as an independent rule: everything but unreserved characters and slashes.
  private static func encodedPath(_ key: String) -> String {
    let kept = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
    return key.addingPercentEncoding(withAllowedCharacters: kept) ?? ""
  }
}
