internal import Glibc
internal import HTTPTypes
internal import NIOCore

/// Where a request comes from, for limits of clients without a token.
enum ClientAddress {
  /// The name of a client: its IPv4 address, or the first 64 bits of its IPv6 address, which are those of one network (RFC 4291, section 2.5.4).
  ///
  /// Without proxies it is the address of the connection, whatever the request states. Each of the administrator's proxies appends the address that it sees
  /// to `X-Forwarded-For`, so with `n` of them the n-th value from the end is the client's; all before it may be forged.
  /// - Parameter proxies: How many proxies of the administrator each request passes.
  /// - Returns: nil for a connection of this machine without stated proxies, and for a value of a proxy that is no address: it may be that of a proxy,
  ///   whose clients are not distinguished.
  static func name(_ fields: HTTPFields, _ connection: SocketAddress?, proxies: Int) -> String? {
    if proxies > 0, let field = HTTPField.Name("X-Forwarded-For") {
      let values = fields[values: field].flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      // A proxy's own address would be one client for all of its clients.
      if values.count >= proxies { return address(values[values.count - proxies]).flatMap(name) }
    }
    guard let client = connection.flatMap({ name($0) }) else { return nil }
    return proxies == 0 && (client.hasPrefix("127.") || client == loopback) ? nil : client
  }

  /// The name of `::1`, and of what else begins with 64 zeros, which is no client's.
  private static let loopback = "0:0:0:0:0:0:0:0"

  private static func address(_ text: Substring) -> SocketAddress? {
    var text = text.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
    // Some proxies write the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
    if text.first == "[" {
      text = text.dropFirst().prefix { $0 != "]" }
    } else if text.count(where: { $0 == ":" }) == 1 {
      text = text.prefix { $0 != ":" }
    }
    return try? SocketAddress(ipAddress: String(text), port: 0)
  }

  private static func name(_ address: SocketAddress) -> String? {
    guard let shown = address.ipAddress else { return nil }
    switch address {
    case .v4: return octets(of: shown, AF_INET, count: 4).map { text($0[...], separator: ".") }
    case .v6:
      guard let bytes = octets(of: shown, AF_INET6, count: 16) else { return nil }
      // An IPv4 address on a socket for both (RFC 4291, section 2.5.5.2).
      let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
      return isMapped ? text(bytes[12...], separator: ".") : text(bytes[..<8], separator: ":")
    case .unixDomainSocket: return nil
    }
  }

  private static func octets(of text: String, _ family: CInt, count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return inet_pton(family, text, &bytes) == 1 ? bytes : nil
  }

  private static func text(_ bytes: ArraySlice<UInt8>, separator: String) -> String {
    bytes.map { String($0, radix: separator == "." ? 10 : 16) }.joined(separator: separator)
  }
}
