internal import MediaModel

/// Where the objects of a service are.
struct S3Endpoint: Hashable, Sendable {
  /// The configured URL; nil for AWS.
  let base: WebAddress?
  let style: RemoteClient.Settings.Style?

  /// The address of an object.
  func address(bucket: String, key: [UInt8], region: String) throws(MediaFailure) -> WebAddress {
    let path = PercentEncoding.encoded(key, keepsSlash: true)
    var address: WebAddress
    if let base {
      address = base
    } else {
      let domain = region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
      address = try WebAddress("https://s3.\(region).\(domain)")
    }
    address.query = nil
    let prefix = address.path.hasSuffix("/") ? String(address.path.dropLast()) : address.path
    // A dot in the name does not match the certificate for *.s3.amazonaws.com.
    let usual: RemoteClient.Settings.Style = base == nil && Self.isLabel(bucket) ? .host : .path
    if style ?? usual == .host, HostPort.isName(bucket), IPAddress(address.host) == nil {
      address.host = "\(bucket).\(address.host)"
      address.path = "\(prefix)/\(path)"
    } else {
      address.path = "\(prefix)/\(PercentEncoding.encoded(bucket))/\(path)"
    }
    return address
  }

  private static func isLabel(_ bucket: String) -> Bool { HostPort.isName(bucket) && !bucket.contains(".") }
}
