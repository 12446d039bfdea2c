internal import Foundation
internal import Glibc
internal import MediaEngine

/// An HTTP/1.1 server on 127.0.0.1 that does exactly what a test says, on a thread for each connection.
final class ScriptedServer: Sendable {
  /// A request as it came.
  struct Request: Sendable {
    let method: String
    let target: String
    /// By names in lower case.
    let headers: [String: String]
    var body: [UInt8] = []

    /// The requested range; nil for none.
    var range: Range<Int>? {
      guard let text = headers["range"], text.hasPrefix("bytes=") else { return nil }
      let ends = text.dropFirst(6).split(separator: "-").compactMap { Int($0) }
      return ends.count == 2 ? ends[0]..<ends[1] + 1 : nil
    }
  }

  /// A connection that a test writes to.
  struct Connection: Sendable {
    let socket: CInt

    /// Writes everything; false once the client has gone.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }

    @discardableResult
    func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Writes a whole response.
    func respond(_ status: String, _ headers: [String] = [], body: [UInt8] = []) {
      let lines = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.count)"]
      write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }

    /// Writes the part of a file that was requested.
    func serve(_ file: [UInt8], _ request: Request, etag: String = "\"1\"") {
      if let wanted = request.headers["if-match"], wanted != etag { return respond("412 Precondition Failed") }
      guard let range = request.range else { return respond("200 OK", ["ETag: \(etag)"], body: file) }
      guard range.lowerBound < file.count else {
        return respond("416 Range Not Satisfiable", ["Content-Range: bytes */\(file.count)"])
      }
      let end = min(range.upperBound, file.count)
      let part = Array(file[range.lowerBound..<end])
      respond(
        "206 Partial Content",
        ["ETag: \(etag)", "Content-Range: bytes \(range.lowerBound)-\(end - 1)/\(file.count)"], body: part)
    }
  }

  let port: Int
  private let listener: CInt
  private let requests = Locked<[Request]>([])

  /// Starts listening.
  /// - Parameter handle: Answers a request; false closes the connection.
  init(_ handle: @escaping @Sendable (Request, Connection) -> Bool) throws {
    let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(UInt32(0x7f00_0001).bigEndian)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        Glibc.bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, pointer, &length) == 0
      }
    }
    guard bound else { throw POSIXError(.EADDRNOTAVAIL) }
    self.listener = listener
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [requests] in
      while true {
        let client = accept(listener, nil, nil)
        if client < 0 {
          // EINVAL: it was shut down. Only then may its number be used for another server, whose connections this thread would take otherwise.
          if errno == EINVAL { break }
          continue
        }
        var on: CInt = 1
        setsockopt(client, CInt(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<CInt>.size))
        Thread.detachNewThread {
          Self.serve(client, requests, handle)
          close(client)
        }
      }
      close(listener)
    }
  }

  deinit { shutdown(listener, CInt(SHUT_RDWR)) }

  /// What has been requested so far.
  var seen: [Request] { requests.withLock { $0 } }

  func url(_ path: String = "/file") -> String { "http://127.0.0.1:\(port)\(path)" }

  private static func serve(
    _ client: CInt, _ requests: Locked<[Request]>, _ handle: @Sendable (Request, Connection) -> Bool
  ) {
    var received: [UInt8] = []
    while true {
      var byte: UInt8 = 0
      while !received.suffix(4).elementsEqual("\r\n\r\n".utf8) {
        guard recv(client, &byte, 1, 0) == 1 else { return }
        received.append(byte)
      }
      let lines = String(decoding: received, as: UTF8.self).split(separator: "\r\n")
      received = []
      let words = lines.first?.split(separator: " ") ?? []
      guard words.count == 3 else { return }
      var headers: [String: String] = [:]
      for line in lines.dropFirst() {
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
      }
      var request = Request(method: String(words[0]), target: String(words[1]), headers: headers)
      let length = headers["content-length"].flatMap { Int($0) } ?? 0
      var piece = [UInt8](repeating: 0, count: 65_536)
      while request.body.count < length {
        let count = recv(client, &piece, min(piece.count, length - request.body.count), 0)
        guard count > 0 else { return }
        request.body += piece[..<count]
      }
      requests.withLock { [request] in $0.append(request) }
      guard handle(request, Connection(socket: client)) else { return }
    }
  }
}
