internal import Dispatch
internal import Foundation
internal import MediaEngineProtocol
internal import MediaModel

/// The keys for S3: those that were configured, or temporary ones of the machine's or the container's service, which are renewed before they end.
final class CredentialSource: Sendable {
  private let source: RemoteClient.Settings.KeySource
  private let profile: S3Profile
  private let environment: [String: String]
  private let transport: Transport
  private let cancellation: Cancellation
  /// Seconds between two attempts of a request to the service.
  private let pause: Double
  private let temporary = TemporaryKeys()

  init(
    _ source: RemoteClient.Settings.KeySource, profile: S3Profile, environment: [String: String], transport: Transport,
    cancellation: Cancellation, pause: Double = 1
  ) {
    (self.source, self.profile, self.environment, self.transport) = (source, profile, environment, transport)
    (self.cancellation, self.pause) = (cancellation, pause)
  }

  /// The keys; nil for unsigned requests. Blocking.
  /// - Throws: `noCredentials`.
  func keys(until deadline: ContinuousClock.Instant) throws(MediaFailure) -> S3Credentials? {
    switch source {
    case .anonymous: return nil
    case .keys(let keys): return keys
    case .automatic:
      if let keys = profile.credentials { return keys }
      throw MediaFailure(
        .noCredentials,
        "There are no keys for S3: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write a profile to ~/.aws/credentials."
      )
    case .instance: return try temporary.keys(until: deadline) { () throws(MediaFailure) in try ofInstance(deadline) }
    case .container: return try temporary.keys(until: deadline) { () throws(MediaFailure) in try ofContainer(deadline) }
    }
  }

  /// Stops using temporary keys that S3 has refused.
  /// - Returns: Whether there may be others.
  func renew(insteadOf refused: S3Credentials) -> Bool {
    switch source {
    case .instance, .container: temporary.drop(refused)
    case .anonymous, .keys, .automatic: false
    }
  }

  /// Version 2 of the metadata service of EC2.
  private func ofInstance(_ deadline: ContinuousClock.Instant) throws(MediaFailure) -> S3Credentials {
    let base = environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? "http://169.254.169.254"
    let token = try ask(
      "PUT", "\(base)/latest/api/token", [("X-aws-ec2-metadata-token-ttl-seconds", "21600")], deadline)
    let headers = [("X-aws-ec2-metadata-token", String(decoding: token, as: UTF8.self))]
    let folder = "\(base)/latest/meta-data/iam/security-credentials/"
    let role = String(decoding: try ask("GET", folder, headers, deadline).prefix { $0 != 10 }, as: UTF8.self)
    return try Self.parsed(try ask("GET", folder + PercentEncoding.encoded(role), headers, deadline, isJSON: true))
  }

  private func ofContainer(_ deadline: ContinuousClock.Instant) throws(MediaFailure) -> S3Credentials {
    let relative = environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"].map { "http://169.254.170.2\($0)" }
    guard let url = relative ?? environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] else {
      throw Self.missing("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI and AWS_CONTAINER_CREDENTIALS_FULL_URI are not set")
    }
    let file = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"]
    let token =
      file.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
      ?? environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"]
    let headers = token.map { [(name: "Authorization", value: $0)] } ?? []
    return try Self.parsed(try ask("GET", url, headers, deadline, isJSON: true))
  }

  /// Asks a service at a link-local or loopback address, and no other. A failed request is sent again after a second, three times in all, as botocore does
  /// (`ContainerMetadataFetcher`): the service of a whole machine is busy when all its processes start.
  /// - Parameter isJSON: Whether an answer without keys has failed, too.
  private func ask(
    _ method: String, _ url: String, _ headers: [(name: String, value: String)], _ deadline: ContinuousClock.Instant,
    isJSON: Bool = false
  ) throws(MediaFailure) -> [UInt8] {
    let address = try WebAddress(url)
    guard let ip = IPAddress(address.host), [.metadata, .linkLocal, .loopback].contains(AddressClass(ip)) else {
      throw Self.missing(
        "the credentials service has the address \(address.host), which is neither link-local nor loopback")
    }
    let request = TransportRequest(
      method: method, address: address, ip: ip,
      headers: headers + (method == "PUT" ? [("Content-Length", "0")] : []))
    var attempt = 1
    while true {
      do throws(MediaFailure) {
        let bytes = try send(request, deadline)
        if isJSON { _ = try Self.parsed(bytes) }
        return bytes
      } catch {
        let next = ContinuousClock.now.advanced(by: .milliseconds(Int64(1_000 * pause)))
        guard error.code == .noCredentials, attempt < Self.attempts, next < deadline else { throw error }
        if cancellation.wait(for: DispatchSemaphore(value: 0), until: next) == .cancelled { throw .cancelled }
        attempt += 1
      }
    }
  }

  private func send(
    _ request: TransportRequest, _ deadline: ContinuousClock.Instant
  ) throws(MediaFailure) -> [UInt8] {
    let sink = BodySink(limit: 65_536)
    do throws(TransportFailure) {
      let end = min(deadline, .now.advanced(by: .seconds(5)))
      try transport.send(request, until: end, cancellation: cancellation) { head in
        try sink.take(head: head) { (head) throws(MediaFailure) in
          head.status == 200 ? RangePlan(whole: nil) : nil
        }
      } body: { part in
        try sink.take(part)
      }
    } catch {
      if case .cancelled = error { throw .cancelled }
      throw Self.missing("the credentials service does not answer")
    }
    let received = sink.close()
    guard received.plan != nil else {
      throw Self.missing("the credentials service answers with status \(received.head?.status ?? 0)")
    }
    return received.bytes
  }

  /// Number of attempts of one request.
  private static let attempts = 3

  private struct Answer: Decodable {
    var accessKey: String
    var secretKey: String
    var token: String?
    var expiration: String?

    enum CodingKeys: String, CodingKey {
      case accessKey = "AccessKeyId"
      case secretKey = "SecretAccessKey"
      case token = "Token"
      case expiration = "Expiration"
    }
  }

  static func parsed(_ json: [UInt8]) throws(MediaFailure) -> S3Credentials {
    guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(json)) else {
      throw missing("the answer of the credentials service is invalid")
    }
    let expires = answer.expiration.flatMap { try? Date($0, strategy: .iso8601) }
    return S3Credentials(
      accessKey: answer.accessKey, secretKey: answer.secretKey, sessionToken: answer.token, expires: expires)
  }

  private static func missing(_ detail: String) -> MediaFailure { .noS3Keys(detail: detail) }
}

extension MediaFailure {
  /// S3 refuses the keys, and would refuse every request made with them.
  static func refusedS3Keys(detail: String) -> MediaFailure {
    MediaFailure(
      .noCredentials,
      "S3 refused the keys; check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and whether the session has expired.",
      detail: detail)
  }

  /// S3 refused the time in a signature, and its own time did not help.
  static func refusedClock(detail: String) -> MediaFailure {
    MediaFailure(
      .noCredentials, "S3 refused the time of the request; check the clock of this machine.", detail: detail)
  }

  /// There are no keys for requests to S3.
  static func noS3Keys(detail: String) -> MediaFailure {
    MediaFailure(
      .noCredentials,
      "There are no keys for S3; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run on a machine with an IAM role.",
      detail: detail)
  }
}
