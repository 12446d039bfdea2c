extension RemoteClient {
  /// One pattern of the sources that may be read (docs/design.md §7).
  ///
  /// | pattern | matches |
  /// |---|---|
  /// | `media.example.org`, `media.example.org:8443` | this host; its addresses may be private, but not link-local |
  /// | `*.example.org` | the hosts below it, at public addresses |
  /// | `*` | all hosts, at public addresses |
  /// | `10.1.0.0/16`, `127.0.0.1`, `[::1]:9000` | all hosts at these addresses |
  /// | `s3://bucket`, `s3://bucket/prefix` | the objects of the bucket whose keys begin so |
  public struct Pattern: Hashable, Sendable {
    enum Form: Hashable, Sendable {
      case host(String, port: Int?)
      /// Below this domain; every host if it is empty.
      case below(String, port: Int?)
      case addresses(AddressBlock, port: Int?)
      case bucket(String, prefix: [UInt8])
    }

    let form: Form

    /// Parses a pattern; nil if it is invalid.
    public init?(_ text: String) {
      if text.lowercased().hasPrefix("s3://") {
        let parts = text.dropFirst(5).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bucket = parts.first, !bucket.isEmpty else { return nil }
        form = .bucket(String(bucket), prefix: parts.count > 1 ? Array(parts[1].utf8) : [])
        return
      }
      if let block = AddressBlock(text) {
        form = .addresses(block, port: nil)
        return
      }
      guard let (host, port) = HostPort.split(text), !host.isEmpty else { return nil }
      if let block = AddressBlock(host) {
        form = .addresses(block, port: port)
      } else if host == "*", !text.hasPrefix("*.") {
        form = .below("", port: port)
      } else if host.hasPrefix("*."), HostPort.isName(String(host.dropFirst(2))) {
        form = .below(String(host.dropFirst(2)), port: port)
      } else if HostPort.isName(host) {
        form = .host(host, port: port)
      } else {
        return nil
      }
    }
  }
}

/// A host with an optional port, as in a URL.
enum HostPort {
  /// Splits `host:port` or `[::1]:port`; nil if the port is invalid. The host is in lower case, without brackets and without a final dot.
  static func split(_ text: some StringProtocol) -> (host: String, port: Int?)? {
    var host = text[...]
    var port: Int?
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return nil }
      let rest = host[host.index(after: end)...]
      host = host[host.index(after: host.startIndex)..<end]
      guard let address = IPAddress(String(host)), !address.isIPv4 else { return nil }
      if !rest.isEmpty {
        guard rest.hasPrefix(":"), let number = number(rest.dropFirst()) else { return nil }
        port = number
      }
    } else if let colon = host.lastIndex(of: ":") {
      guard let number = number(host[host.index(after: colon)...]) else { return nil }
      port = number
      host = host[..<colon]
    }
    var name = host.lowercased()
    if name.hasSuffix(".") { name.removeLast() }
    return (name, port)
  }

  /// Whether it can be the name of a host: letters, digits, dashes, underscores and dots, and not something that a resolver takes for an address.
  static func isName(_ host: String) -> Bool {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...253).contains(host.utf8.count), let last = labels.last else { return false }
    let isText = labels.allSatisfy { label in
      (1...63).contains(label.utf8.count)
        && label.utf8.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"):
            true
          default: false
          }
        }
    }
    // 0x7f.1, 2130706433 and 127.1 are addresses for getaddrinfo.
    return isText && !last.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      && !last.hasPrefix("0x")
  }

  private static func number(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int(text).flatMap { (1...65_535).contains($0) ? $0 : nil }
  }
}
