internal import Foundation
internal import Glibc

/// A proxy before an HTTP server that does to responses what networks and overloaded services do.
struct FaultProxy {
  /// What happens to one response.
  enum Fault: Sendable {
    case nothing
    /// 503 with the code `SlowDown`, without asking the server.
    case slowDown
    /// 500 without a body.
    case internalError
    /// Ends after so many bytes of head and body.
    case cut(after: Int)
    /// The body of the range with status 200, and without its Content-Range.
    case wholeStatus
    /// The connection ends without a response, and the server does not see the request.
    case closed
    /// The server has done it, and its response is lost.
    case lost
  }

  let front: ScriptedServer

  /// - Parameters:
  ///   - port: The port of the server.
  ///   - fault: What happens to the request of a number, from 0.
  init(to port: Int, fault: @escaping @Sendable (Int) -> Fault) throws {
    try self.init(to: port) { number, _ in fault(number) }
  }

  /// - Parameters:
  ///   - port: The port of the server.
  ///   - fault: What happens to a request, which has a number from 0.
  init(to port: Int, fault: @escaping @Sendable (Int, ScriptedServer.Request) -> Fault) throws {
    let counter = Counter()
    front = try ScriptedServer { request, connection in
      switch fault(counter.next() - 1, request) {
      case .slowDown:
        connection.respond("503 Slow Down", Self.last, body: Array("<Error><Code>SlowDown</Code></Error>".utf8))
      case .internalError: connection.respond("500 Internal Server Error", Self.last)
      case .closed: break
      case .lost: _ = Self.forward(request, to: port)
      case .nothing: connection.write(Self.forward(request, to: port))
      case .cut(let count): connection.write(Array(Self.forward(request, to: port).prefix(count)))
      case .wholeStatus:
        let response = Self.forward(request, to: port)
        let end = response.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? response.endIndex
        let head = String(decoding: response[..<end], as: UTF8.self)
          .replacingOccurrences(of: "206 Partial Content", with: "200 OK")
          .replacingOccurrences(of: "Content-Range", with: "X-Range")
        connection.write(Array(head.utf8) + response[end...])
      }
      return false
    }
  }

  /// A client that does not know that the connection ends sends its next attempt there, and the proxy neither sees nor counts it.
  private static let last = ["Connection: close"]

  /// The whole response of the server to the same request.
  private static func forward(_ request: ScriptedServer.Request, to port: Int) -> [UInt8] {
    let server = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    defer { close(server) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = in_addr_t(UInt32(0x7f00_0001).bigEndian)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { return [] }
    var headers = request.headers
    headers["connection"] = "close"
    let text =
      "\(request.method) \(request.target) HTTP/1.1\r\n"
      + headers.map { "\($0.key): \($0.value)\r\n" }.joined() + "\r\n"
    ScriptedServer.Connection(socket: server).write(Array(text.utf8) + request.body)
    var response: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = recv(server, &piece, piece.count, 0)
      guard count > 0 else { return response }
      response += piece[..<count]
    }
  }
}
