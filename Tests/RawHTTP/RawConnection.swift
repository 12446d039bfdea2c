internal import Dispatch
internal import Glibc
internal import Synchronization

/// A TCP connection to 127.0.0.1 that sends exactly the bytes it is given: drips, half-closes, lies and resets, which no HTTP library sends.
///
/// Calls block threads of their own, never those of Swift's pool, on which the server under test runs. One task may send while another one reads.
public final class RawConnection: Sendable {
  /// Why a call failed.
  public enum Failure: Error, Hashable {
    /// The peer sent nothing for 15 minutes, or did not read for so long: a busy test machine may take minutes for an answer.
    case timedOut
    /// The peer closed the connection before the answer was complete.
    case closed
    /// The peer reset the connection.
    case reset
    /// What the peer sent is not HTTP/1.1.
    case malformed(String)
    /// Another error of a system call.
    case system(Int32)
  }

  private let socket: Int32
  private let isOpen = Mutex(true)
  private let sending = DispatchQueue(label: "RawConnection.sending")
  private let receiving = DispatchQueue(label: "RawConnection.receiving")
  private let buffer = Mutex<[UInt8]>([])

  /// Connects to a port of 127.0.0.1.
  /// - Parameters:
  ///   - receiveBuffer: Bytes of the socket's receive buffer; nil for the kernel's default. A small one makes a peer notice soon that nobody reads.
  ///   - bytes: Sent as soon as the connection exists, before other tasks of the test process get their turn: the server closes a connection whose
  ///     head does not come within seconds.
  public init(port: Int, receiveBuffer: Int? = nil, sending bytes: [UInt8] = []) async throws {
    let (socket, failure) = try await Self.onThread(DispatchQueue(label: "RawConnection.connecting")) {
      let socket = try Self.connect(port: port, receiveBuffer: receiveBuffer)
      return (socket, Result { try Self.send(bytes, on: socket) })
    }
    self.socket = socket
    try failure.get()
  }

  deinit { isOpen.withLock { if $0 { _ = Glibc.close(socket) } } }

  /// Sends text as UTF-8. Lines of a head end in `\r\n`, which the caller writes.
  public func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  /// Sends bytes.
  public func send(_ bytes: [UInt8]) async throws {
    try await Self.onThread(sending) { [self] in try Self.send(bytes, on: socket) }
  }

  /// Sends bytes one at a time until all are sent or the peer has closed the connection.
  /// - Parameter pause: The time between two bytes.
  /// - Returns: How many were sent.
  @discardableResult
  public func drip(_ bytes: [UInt8], pause: Duration) async throws -> Int {
    for (index, byte) in bytes.enumerated() {
      do { try await send([byte]) } catch is Failure { return index }
      try await Task.sleep(for: pause)
    }
    return bytes.count
  }

  /// Ends the sending direction (FIN); answers can still be read.
  public func halfClose() { isOpen.withLock { if $0 { _ = shutdown(socket, Int32(SHUT_WR)) } } }

  /// Resets the connection (RST) instead of closing it.
  public func reset() {
    isOpen.withLock { isOpen in
      guard isOpen else { return }
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
      Glibc.close(socket)
      isOpen = false
    }
  }

  /// Ends both directions of the connection. The descriptor itself lives as long as this value, for another task may still read.
  public func close() { isOpen.withLock { if $0 { _ = shutdown(socket, Int32(SHUT_RDWR)) } } }

  /// Reads until some bytes are there, and returns all that are there.
  /// - Returns: Empty at the end of the stream.
  public func read() async throws -> [UInt8] {
    try await Self.onThread(receiving) { [self] in
      let kept = take()
      return try kept.isEmpty ? receive() : kept
    }
  }

  /// Reads up to and including a separator.
  /// - Throws: ``Failure/closed`` if the stream ends before it.
  public func read(through separator: String) async throws -> [UInt8] {
    try await Self.onThread(receiving) { [self] in try take(through: Array(separator.utf8)) }
  }

  /// Reads exactly so many bytes.
  public func read(count: Int) async throws -> [UInt8] {
    try await Self.onThread(receiving) { [self] in
      var bytes = take()
      while bytes.count < count { bytes += try more() }
      put(back: bytes[count...])
      return Array(bytes[..<count])
    }
  }

  /// Reads until the peer closes the connection.
  public func readToEnd() async throws -> [UInt8] {
    try await Self.onThread(receiving) { [self] in
      var bytes = take()
      while true {
        let next = try receive()
        if next.isEmpty { return bytes }
        bytes += next
      }
    }
  }

  /// Waits until the peer has ended the connection; what it sends until then is dropped.
  /// - Returns: How it ended: ``Failure/closed`` or ``Failure/reset``.
  public func waitForEnd() async throws -> Failure {
    do {
      _ = try await readToEnd()
      return .closed
    } catch Failure.reset {
      return .reset
    }
  }
}

extension RawConnection {
  private static func connect(port: Int, receiveBuffer: Int?) throws -> Int32 {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw failure(errno) }
    var size = Int32(receiveBuffer ?? 0)
    if receiveBuffer != nil { setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size)) }
    var limit = timeval(tv_sec: 900, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var noDelay: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = in_addr_t(UInt32(0x7f00_0001).bigEndian)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      let error = errno
      Glibc.close(socket)
      throw failure(error)
    }
    return socket
  }

  private static func send(_ bytes: [UInt8], on socket: Int32) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      if count < 0 {
        if errno == EINTR { continue }
        throw Self.failure(errno)
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Runs a blocking call on a queue.
  private static func onThread<Value: Sendable>(
    _ queue: DispatchQueue, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Result { try body() }) }
    }
  }

  private static func failure(_ error: Int32) -> Failure {
    switch error {
    case ECONNRESET, EPIPE: .reset
    case EAGAIN, ETIMEDOUT: .timedOut
    case EBADF: .closed
    default: .system(error)
    }
  }

  private func take() -> [UInt8] {
    buffer.withLock { bytes in
      defer { bytes = [] }
      return bytes
    }
  }

  private func put(back bytes: ArraySlice<UInt8>) { buffer.withLock { $0 = Array(bytes) + $0 } }

  private func take(through separator: [UInt8]) throws -> [UInt8] {
    var bytes = take()
    var searched = 0
    while true {
      if let end = Self.end(of: separator, in: bytes, from: searched) {
        put(back: bytes[end...])
        return Array(bytes[..<end])
      }
      searched = max(0, bytes.count - separator.count)
      do { bytes += try more() } catch {
        put(back: bytes[...])
        throw error
      }
    }
  }

  private static func end(of separator: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count - start >= separator.count else { return nil }
    for index in start...(bytes.count - separator.count)
    where bytes[index..<(index + separator.count)].elementsEqual(separator) {
      return index + separator.count
    }
    return nil
  }

  /// Some bytes; throws at the end of the stream.
  private func more() throws -> [UInt8] {
    let bytes = try receive()
    if bytes.isEmpty { throw Failure.closed }
    return bytes
  }

  private func receive() throws -> [UInt8] {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = chunk.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
      if count >= 0 { return Array(chunk[..<count]) }
      if errno != EINTR { throw Self.failure(errno) }
    }
  }
}
