internal import MediaModel

/// The parts of an `http` or `https` URL that a request needs.
struct WebAddress: Hashable, Sendable {
  var isSecure: Bool
  /// In lower case, without brackets.
  var host: String
  /// That of the scheme, unless the URL has one.
  var port: Int
  /// Percent-encoded, with its first slash.
  var path: String
  /// Percent-encoded, without its question mark; nil for none.
  var query: String?

  /// Parses an absolute URL.
  /// - Throws: `invalidRequest`.
  init(_ text: String) throws(MediaFailure) {
    let lower = text.prefix(8).lowercased()
    let rest: Substring
    if lower.hasPrefix("https://") {
      (isSecure, rest) = (true, text.dropFirst(8))
    } else if lower.hasPrefix("http://") {
      (isSecure, rest) = (false, text.dropFirst(7))
    } else {
      throw Self.invalid("The source is not a URL of the scheme https, http or s3.")
    }
    guard text.utf8.count <= Self.longest else {
      throw Self.invalid("The source's URL has more than \(Self.longest.grouped) bytes.")
    }
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }) else {
      throw Self.invalid("The source's URL contains a control character or a backslash.")
    }
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    guard !authority.contains("@") else { throw Self.invalid("The source's URL has a user name; remove it.") }
    guard let (host, port) = HostPort.split(authority), HostPort.isName(host) || IPAddress(host) != nil else {
      throw Self.invalid("The host or port '\(authority)' of the source's URL is invalid.")
    }
    self.host = host
    self.port = port ?? (isSecure ? 443 : 80)
    let whole = rest[authority.endIndex...].prefix { $0 != "#" }
    let path = whole.prefix { $0 != "?" }
    self.path = path.isEmpty ? "/" : Self.encoded(path)
    query = path.endIndex == whole.endIndex ? nil : Self.encoded(whole[whole.index(after: path.endIndex)...])
  }

  /// The address that a `Location` means.
  func redirected(to location: String) throws(MediaFailure) -> WebAddress {
    let scheme = isSecure ? "https" : "http"
    if location.hasPrefix("//") { return try WebAddress("\(scheme):\(location)") }
    // A scheme before the first slash.
    let first = location.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    if first.contains(":") { return try WebAddress(location) }
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
    return try WebAddress("\(scheme)://\(authority)\(location.hasPrefix("/") ? location : "\(folder)\(location)")")
  }

  /// The host as it is sent: with the port unless it is that of the scheme.
  var authority: String {
    let name = IPAddress(host).map { $0.isIPv4 ? host : "[\(host)]" } ?? host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  /// The URL.
  var text: String { "\(isSecure ? "https" : "http")://\(authority)\(path)\(query.map { "?\($0)" } ?? "")" }

  /// Encodes what a URL cannot contain, and leaves everything else as it is.
  private static func encoded(_ text: some StringProtocol) -> String {
    var result = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      if byte > 0x20, byte < 0x7F, !"\"<>^`{|}".unicodeScalars.contains(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += PercentEncoding.encoded([byte])
      }
    }
    return result
  }

  private static let longest = 16_384

  private static func invalid(_ message: String) -> MediaFailure { MediaFailure(.invalidRequest, message) }
}

/// Where a source is.
enum RemoteAddress: Hashable, Sendable {
  case web(WebAddress)
  case object(bucket: String, key: [UInt8])

  /// Parses `https://…`, `http://…` or `s3://bucket/key`. A key is not percent-encoded.
  /// - Throws: `invalidRequest`.
  init(_ text: String) throws(MediaFailure) {
    guard text.prefix(5).lowercased() == "s3://" else {
      self = .web(try WebAddress(text))
      return
    }
    let rest = Array(text.utf8.dropFirst(5))
    let bucket = rest.prefix { $0 != UInt8(ascii: "/") }
    let key = Array(rest.dropFirst(bucket.count + 1))
    let isName = bucket.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
        true
      default: false
      }
    }
    guard (1...255).contains(bucket.count), isName, bucket.first != UInt8(ascii: ".") else {
      throw MediaFailure(.invalidRequest, "The name of the bucket is invalid.")
    }
    guard (1...1_024).contains(key.count) else {
      throw MediaFailure(.invalidRequest, "The key of the object is empty, or longer than 1,024 bytes.")
    }
    self = .object(bucket: String(decoding: bucket, as: UTF8.self), key: key)
  }
}
