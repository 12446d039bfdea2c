internal import Foundation
internal import MediaEngine
public import MediaModel

/// Reads files from URLs (`https://…`) and from buckets (`s3://bucket/key`) for a `MediaEngine`.
///
/// Nothing is started before the first request. One client serves a whole process; its files are read on the threads of the engine.
public final class RemoteClient: Sendable {
  let settings: Settings
  let transport: Transport
  /// Of all files.
  let cancellation = Cancellation()
  let tokens = Locked(RetryTokens())
  private let rules: AccessRules
  private let resolver: Resolver
  private let endpoint: S3Endpoint
  private let region: String
  private let credentials: CredentialSource
  /// The regions of buckets that are elsewhere than configured.
  private let regions = Locked<[String: String]>([:])
  /// Seconds that the clock of the service is ahead.
  private let skew = Locked(0.0)
  /// Whether the service has accepted a signature of this client.
  private let isAccepted = Locked(false)

  /// A client with these settings.
  /// - Throws: `invalidRequest` if the endpoint or the region is invalid.
  public init(_ settings: Settings = Settings()) throws(MediaFailure) {
    let profile = S3Profile(environment: settings.environment) { try? String(contentsOfFile: $0, encoding: .utf8) }
    self.settings = settings
    resolver = Resolver(resolve: settings.resolve)
    region = settings.region ?? profile.region ?? "us-east-1"
    let trustFile = settings.environment["AWS_CA_BUNDLE"].flatMap { $0.isEmpty ? nil : $0 }
    if let trustFile, !FileManager.default.isReadableFile(atPath: trustFile) {
      throw MediaFailure(.invalidRequest, "AWS_CA_BUNDLE is '\(trustFile)', which cannot be read.")
    }
    transport = Transport(trustFile: trustFile)
    guard ServiceError.isPlain(region) else {
      throw MediaFailure(.invalidRequest, "The S3 region '\(region)' is invalid.")
    }
    let base = try (settings.endpoint ?? profile.endpoint).map { (text) throws(MediaFailure) in try WebAddress(text) }
    endpoint = S3Endpoint(base: base, style: settings.style)
    rules = AccessRules(
      patterns: settings.allowed, allowsHTTP: settings.allowsHTTP, endpoint: base.map { ($0.host, $0.port) })
    credentials = CredentialSource(
      settings.keySource, profile: profile, environment: settings.environment, transport: transport,
      cancellation: cancellation)
  }

  /// A file. Nothing is requested yet.
  /// - Parameters:
  ///   - source: `https://…`, `http://…` or `s3://bucket/key`.
  ///   - etag: The entity tag that the file must have, with or without quotes. A weak one is compared with that of the response. Default nil: any.
  ///   - bytes: The size that the file must have. Default nil: any.
  /// - Throws: `invalidRequest`, `sourceNotAllowed`.
  public func file(_ source: String, etag: String? = nil, bytes: Int? = nil) throws(MediaFailure) -> RemoteFile {
    let address = try RemoteAddress(source)
    switch address {
    case .web(let address): try checkScheme(address)
    case .object(let bucket, let key): try rules.check(bucket: bucket, key: key)
    }
    let tag = etag.flatMap { EntityTag(requested: $0) }
    guard tag != nil || etag == nil else {
      throw MediaFailure(
        .invalidRequest, "The source's `etag` is not an entity tag; omit it to accept any version.")
    }
    return RemoteFile(self, address, etag: tag, bytes: bytes)
  }

  /// Ends everything that is under way or begins later, with the failure `cancelled`.
  public func cancel() { cancellation.request() }

  private func checkScheme(_ address: WebAddress) throws(MediaFailure) {
    guard address.isSecure || rules.allowsHTTP else {
      throw AccessRules.refusal("Sources of the scheme http are not allowed (--allow-http).")
    }
  }

  /// What is requested for a file at first, signed.
  func route(
    to address: RemoteAddress, _ operation: RemoteOperation, until deadline: ContinuousClock.Instant
  ) throws(MediaFailure) -> RemoteRoute {
    switch address {
    case .web(let address): return RemoteRoute(address: address)
    case .object(let bucket, let key):
      let region = regions.withLock { $0[bucket] } ?? region
      var web = try endpoint.address(bucket: bucket, key: key, region: region)
      var request = SigV4.Request(host: web.authority, path: web.path)
      (request.method, request.query, request.headers) = (operation.method, operation.query, operation.headers)
      if !operation.query.isEmpty { web.query = request.encodedQuery }
      if !operation.body.isEmpty { request.payloadHash = SigV4.hash(operation.body) }
      var route = RemoteRoute(address: web)
      (route.isService, route.region) = (true, region)
      route.headers = operation.headers
      guard let keys = try credentials.keys(until: deadline) else { return route }
      route.keys = keys
      let signer = SigV4(credentials: keys, region: region)
      route.headers = signer.signed(request, at: Date(timeIntervalSinceNow: skew.withLock { $0 }))
      return route
    }
  }

  /// The addresses that a request may be sent to.
  func allowed(
    _ route: RemoteRoute, until deadline: ContinuousClock.Instant, cancellation: Cancellation
  ) throws(MediaFailure) -> [IPAddress] {
    if !route.isService { try checkScheme(route.address) }
    let found = try resolver.addresses(of: route.address.host, until: deadline, cancellation: cancellation)
    return try rules.allowed(
      found, of: route.address.host, port: route.address.port, isEndpoint: route.isService)
  }

  /// Notes that a bucket is in another region; false if that is not new.
  func moved(_ address: RemoteAddress, to region: String, from old: String?) -> Bool {
    guard case .object(let bucket, _) = address, region != old else { return false }
    regions.withLock { regions in
      if regions.count > 10_000 { regions = [:] }
      regions[bucket] = region
    }
    return true
  }

  /// Notes that the service accepted the signature of a request.
  func acceptSignature() { isAccepted.withLock { $0 = true } }

  /// Whether an error means that every request with these keys will fail. A signature that does not match is a fault of the keys until one has matched; after
  /// that it is a fault of this object, such as a key that a proxy writes in another way.
  func refusesKeys(_ error: ServiceError) -> Bool {
    guard error.refusesKeys else { return false }
    return error.code != "SignatureDoesNotMatch" || !isAccepted.withLock { $0 }
  }

  /// Stops using keys that the service has refused.
  /// - Returns: Whether a request that is signed now has other keys, as far as is known.
  func renewKeys(insteadOf keys: S3Credentials?) -> Bool { keys.map(credentials.renew) ?? false }

  /// Notes the time of the service.
  /// - Returns: Whether a request that is signed now has another time: false if the clocks agree, or differ by more than a day.
  func setClock(by time: Date?) -> Bool {
    guard let time else { return false }
    let ahead = time.timeIntervalSinceNow
    guard abs(ahead) < 86_400 else { return false }
    return skew.withLock { skew in
      // Another request may have noted it since this one was signed.
      if abs(ahead - skew) <= 60 { return abs(skew) > 60 }
      skew = ahead
      return true
    }
  }
}

/// What is done with an object: it is read, unless stated otherwise. Only services of S3 are asked for anything else.
struct RemoteOperation: Sendable {
  var method = "GET"
  /// Not encoded.
  var query: [(name: String, value: String)] = []
  /// Signed.
  var headers: [(name: String, value: String)] = []
  /// Signed. Empty for none.
  var body: [UInt8] = []
}

/// A request as it is sent, before its name is resolved.
struct RemoteRoute: Sendable {
  var address: WebAddress
  var headers: [(name: String, value: String)] = []
  /// Whether it goes to the configured service of S3: then it is signed, and follows no redirect.
  var isService = false
  var region: String?
  /// The keys that it is signed with.
  var keys: S3Credentials?

  init(address: WebAddress) { self.address = address }
}
