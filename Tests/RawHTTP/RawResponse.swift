/// An answer as it came over the connection.
public struct RawResponse: Sendable {
  /// The status code.
  public var status: Int
  /// The version and reason of the status line, such as `HTTP/1.1` and `OK`.
  public var version: String, reason: String
  /// The header fields in their order, names as sent.
  public var fields: [(name: String, value: String)]
  /// The body, without its chunks' frames.
  public var body: [UInt8]

  /// The first value of a field, by its name in any case.
  public subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The values of a field.
  public func values(_ name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The head of an answer: status line and fields.
  init(head: [UInt8]) throws(RawConnection.Failure) {
    let text = String(decoding: head, as: UTF8.self)
    var lines = text.components(separatedByLineEnds: ()).filter { !$0.isEmpty }
    guard !lines.isEmpty else { throw .malformed(text) }
    let status = lines.removeFirst().split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard status.count >= 2, status[0].hasPrefix("HTTP/"), let code = Int(status[1]) else { throw .malformed(text) }
    (self.status, version, reason) = (code, String(status[0]), status.count > 2 ? String(status[2]) : "")
    fields = []
    body = []
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { throw .malformed(line) }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      fields.append((String(line[..<colon]), String(value)))
    }
  }
}

extension String {
  /// The lines of a head. In Swift `\r\n` is one character.
  fileprivate func components(separatedByLineEnds: Void) -> [String] {
    split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
  }
}

extension RawConnection {
  /// Sends a request with a body of known length, and reads the final answer; interim ones (1xx) are skipped.
  /// - Parameters:
  ///   - fields: Header fields; `Host` and `Content-Length` are added if they are missing.
  @discardableResult
  public func request(
    _ method: String, _ target: String, _ fields: [String: String] = [:], body: [UInt8]? = nil
  ) async throws -> RawResponse {
    try await send(Self.bytes(method, target, fields, body: body))
    return try await readResponse(to: method)
  }

  /// One request on a connection of its own, which is sent as soon as the connection exists.
  @discardableResult
  public static func request(
    port: Int, _ method: String, _ target: String, _ fields: [String: String] = [:], body: [UInt8]? = nil
  ) async throws -> RawResponse {
    let connection = try await RawConnection(port: port, sending: bytes(method, target, fields, body: body))
    defer { connection.close() }
    return try await connection.readResponse(to: method)
  }

  /// A request as it is sent.
  private static func bytes(
    _ method: String, _ target: String, _ fields: [String: String], body: [UInt8]?
  ) -> [UInt8] {
    var head = "\(method) \(target) HTTP/1.1\r\n"
    let names = Set(fields.keys.map { $0.lowercased() })
    if !names.contains("host") { head += "Host: localhost\r\n" }
    if let body, !names.contains("content-length") { head += "Content-Length: \(body.count)\r\n" }
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
    return Array((head + "\r\n").utf8) + (body ?? [])
  }

  /// Reads the head of the next answer, also of an interim one (1xx).
  public func readHead() async throws -> RawResponse {
    try RawResponse(head: try await read(through: "\r\n\r\n"))
  }

  /// Reads the next final answer with its body; interim ones are skipped.
  /// - Parameter method: The method of the request: an answer to `HEAD` has no body.
  public func readResponse(to method: String = "GET") async throws -> RawResponse {
    var response = try await readHead()
    while response.status < 200 { response = try await readHead() }
    response.body = try await readBody(of: response, to: method)
    return response
  }

  /// Reads the body of an answer whose head was read.
  public func readBody(of response: RawResponse, to method: String = "GET") async throws -> [UInt8] {
    if method == "HEAD" || response.status == 204 || response.status == 304 { return [] }
    if response["Transfer-Encoding"]?.lowercased() == "chunked" { return try await readChunks() }
    if let length = response["Content-Length"].flatMap({ Int($0) }) { return try await read(count: length) }
    return try await readToEnd()
  }

  private func readChunks() async throws -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let line = String(decoding: try await read(through: "\r\n").dropLast(2), as: UTF8.self)
      guard let size = Int(line.prefix { $0 != ";" }, radix: 16) else { throw Failure.malformed(line) }
      if size == 0 {
        while try await read(through: "\r\n").count > 2 {}
        return body
      }
      body += try await read(count: size)
      _ = try await read(count: 2)
    }
  }
}
