internal import MediaModel

/// Who may be talked to: decided by the name before it is resolved, and by the address before it is connected to.
struct AccessRules: Sendable {
  /// If not empty, only sources that match one of them are read.
  var patterns: [RemoteClient.Pattern] = []
  /// Whether `http://` is allowed.
  var allowsHTTP = false
  /// The host of a configured endpoint, whose addresses may be private, with its port.
  var endpoint: (host: String, port: Int)?

  /// Classes that a host may have if a pattern names it. Not those of an IPv4 address in an IPv6 address, which may be any.
  private static let nameable: Set<AddressClass> = [.publicAddress, .privateNetwork, .loopback, .carrierGradeNAT]

  /// - Throws: `sourceNotAllowed` unless a pattern names the bucket and a prefix of the key.
  func check(bucket: String, key: [UInt8]) throws(MediaFailure) {
    let isAllowed = patterns.contains { pattern in
      guard case .bucket(bucket, let prefix) = pattern.form else { return false }
      return key.starts(with: prefix)
    }
    // A service that resolves the parts . and .. would read another bucket than the one that was allowed.
    let parts = key.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if !patterns.isEmpty, parts.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) {
      throw Self.refusal(
        "The key of the object contains the path segment . or .., which no allowed pattern matches.")
    }
    guard patterns.isEmpty || isAllowed else { throw Self.noMatch }
  }

  /// Checks a host and the addresses that it has.
  /// - Parameter isEndpoint: Whether the request goes to the configured service of S3, for a bucket that has been checked.
  /// - Returns: The addresses that may be connected to, at least one.
  func allowed(
    _ addresses: [IPAddress], of host: String, port: Int, isEndpoint: Bool
  ) throws(MediaFailure) -> [IPAddress] {
    var refused: AddressClass?
    var isNameAllowed = isEndpoint
    let allowed = addresses.filter { address in
      let name = AddressClass(address)
      if isEndpoint, isConfigured(host, port) { return true }
      var isAllowed = false
      for pattern in patterns {
        switch pattern.form {
        case .addresses(let block, let wanted):
          if block.contains(address), wanted ?? port == port { isAllowed = true }
        case .host(let wanted, let wantedPort) where wanted == host && wantedPort ?? port == port:
          isNameAllowed = true
          if Self.nameable.contains(name) { isAllowed = true }
        case .below(let domain, let wantedPort)
        where (domain.isEmpty || host.hasSuffix(".\(domain)")) && wantedPort ?? port == port:
          isNameAllowed = true
          if name == .publicAddress { isAllowed = true }
        default: break
        }
      }
      if patterns.isEmpty || isEndpoint { isAllowed = isAllowed || name == .publicAddress }
      if !isAllowed { refused = refused ?? name }
      return isAllowed
    }
    // One address that is not public among others is how a name is made to mean two things.
    if !allowed.isEmpty, allowed.count == addresses.count { return allowed }
    guard patterns.isEmpty || isNameAllowed || refused.map({ $0 != .publicAddress }) ?? false else {
      throw Self.noMatch
    }
    throw Self.refusal(
      "The source has \(refused.map(Self.article) ?? "no") address; only public ones are read, "
        + "unless a pattern allows others (--allow-source).")
  }

  /// Whether a host belongs to the configured endpoint: the same, or a bucket in front of it.
  private func isConfigured(_ host: String, _ port: Int) -> Bool {
    guard let endpoint, endpoint.port == port else { return false }
    return host == endpoint.host || host.hasSuffix(".\(endpoint.host)") && IPAddress(endpoint.host) == nil
  }

  private static var noMatch: MediaFailure { refusal("The source matches no allowed pattern (--allow-source).") }

  private static func article(_ name: AddressClass) -> String {
    let isVowel = name.rawValue.first.map { "aeiouAEIOU".contains($0) } ?? false
    return "\(isVowel ? "an" : "a") \(name.rawValue)"
  }

  static func refusal(_ message: String) -> MediaFailure { MediaFailure(.sourceNotAllowed, message) }
}
