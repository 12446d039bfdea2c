internal import Crypto
internal import FileSupport
public import Foundation

/// Signs requests to S3 with AWS Signature Version 4, as S3 wants it: the path is neither normalised nor encoded twice.
public struct SigV4: Hashable, Sendable {
  /// The keys of an account or a session.
  public var credentials: S3Credentials
  /// The region of the bucket, such as `eu-central-1`.
  public var region: String
  /// The name of the service. Default `s3`.
  public var service: String

  /// The digest of a request without a body.
  static let emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  /// Instead of a digest, for a body that is not signed.
  static let unsignedPayload = "UNSIGNED-PAYLOAD"
  private static let algorithm = "AWS4-HMAC-SHA256"
  /// The longest time for which a URL can be valid: seven days.
  private static let longest = 604_800

  /// A signer with these keys.
  public init(credentials: S3Credentials, region: String, service: String = "s3") {
    self.credentials = credentials
    self.region = region
    self.service = service
  }

  /// A request to sign.
  public struct Request: Sendable {
    /// `GET` by default.
    public var method = "GET"
    /// The host as it is sent, with the port unless it is that of the scheme.
    public var host: String
    /// The path as it is sent: percent-encoded, with its first slash.
    public var path: String
    /// Names and values of the query, not encoded.
    public var query: [(name: String, value: String)] = []
    /// Headers to sign besides `host` and those that signing adds.
    public var headers: [(name: String, value: String)] = []
    /// SHA-256 of the body in hexadecimal, or `UNSIGNED-PAYLOAD`. Default: of no body.
    public var payloadHash: String

    /// A GET request without a body.
    public init(host: String, path: String) {
      self.host = host
      self.path = path
      payloadHash = SigV4.emptyHash
    }

    /// The query as it is sent.
    public var encodedQuery: String {
      query.map { "\(PercentEncoding.encoded($0.name))=\(PercentEncoding.encoded($0.value))" }.joined(separator: "&")
    }
  }

  /// The headers to send with a request: those that were signed, except `host`, and `Authorization`.
  public func signed(_ request: Request, at time: Date) -> [(name: String, value: String)] {
    let stamp = Self.stamp(time)
    var headers = request.headers
    headers.append(("x-amz-content-sha256", request.payloadHash))
    headers.append(("x-amz-date", stamp))
    if let token = credentials.sessionToken { headers.append(("x-amz-security-token", token)) }
    var all = request
    all.headers = headers
    let (canonical, names) = Self.canonical(all)
    let scope = scope(stamp)
    let signature = signature(of: canonical, stamp: stamp)
    headers.append(
      (
        "Authorization",
        "\(Self.algorithm) Credential=\(credentials.accessKey)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
      ))
    return headers
  }

  /// SHA-256 of a body in hexadecimal.
  static func hash(_ body: [UInt8]) -> String { Hexadecimal.encode(SHA256.hash(data: body)) }

  /// The URL of a GET request that anybody can send until it expires.
  /// - Parameters:
  ///   - scheme: `https` or `http`.
  ///   - seconds: For how long, from 1 to 604,800 (seven days).
  public func presigned(_ request: Request, scheme: String = "https", seconds: Int, at time: Date) -> String {
    let stamp = Self.stamp(time)
    let scope = scope(stamp)
    var all = request
    all.payloadHash = Self.unsignedPayload
    let names = Self.canonical(all).names
    all.query += [
      ("X-Amz-Algorithm", Self.algorithm), ("X-Amz-Credential", "\(credentials.accessKey)/\(scope)"),
      ("X-Amz-Date", stamp), ("X-Amz-Expires", "\(max(1, min(seconds, Self.longest)))"), ("X-Amz-SignedHeaders", names),
    ]
    if let token = credentials.sessionToken { all.query.append(("X-Amz-Security-Token", token)) }
    let signature = signature(of: Self.canonical(all).text, stamp: stamp)
    return "\(scheme)://\(all.host)\(all.path)?\(all.encodedQuery)&X-Amz-Signature=\(signature)"
  }

  /// The canonical form of a request, and the names of its signed headers.
  static func canonical(_ request: Request) -> (text: String, names: String) {
    let query = request.query.map { (PercentEncoding.encoded($0.name), PercentEncoding.encoded($0.value)) }
      .sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
    var headers: [String: [String]] = ["host": [request.host]]
    for (name, value) in request.headers { headers[name.lowercased(), default: []].append(trimmed(value)) }
    let sorted = headers.sorted { $0.key < $1.key }
    let names = sorted.map(\.key).joined(separator: ";")
    let lines = sorted.map { "\($0.key):\($0.value.joined(separator: ","))\n" }.joined()
    let text = [request.method, request.path, query, lines, names, request.payloadHash].joined(separator: "\n")
    return (text, names)
  }

  /// Without spaces around it, and with one instead of several within.
  private static func trimmed(_ value: String) -> String {
    value.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }).joined(separator: " ")
  }

  private func scope(_ stamp: String) -> String { "\(stamp.prefix(8))/\(region)/\(service)/aws4_request" }

  private func signature(of canonical: String, stamp: String) -> String {
    let digest = Hexadecimal.encode(SHA256.hash(data: Data(canonical.utf8)))
    let text = [Self.algorithm, stamp, scope(stamp), digest].joined(separator: "\n")
    var key = SymmetricKey(data: Data("AWS4\(credentials.secretKey)".utf8))
    for part in [String(stamp.prefix(8)), region, service, "aws4_request"] {
      key = SymmetricKey(data: Data(HMAC<SHA256>.authenticationCode(for: Data(part.utf8), using: key)))
    }
    return Hexadecimal.encode(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key))
  }

  /// `20130524T000000Z`.
  static func stamp(_ time: Date) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: time)
    func digits(_ value: Int?, _ count: Int) -> String {
      let text = "\(value ?? 0)"
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return digits(parts.year, 4) + digits(parts.month, 2) + digits(parts.day, 2) + "T" + digits(parts.hour, 2)
      + digits(parts.minute, 2) + digits(parts.second, 2) + "Z"
  }
}
