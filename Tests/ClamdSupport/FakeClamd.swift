internal import CEngineShims
internal import Foundation
internal import Glibc
internal import Synchronization

/// A clamd that answers what a test wants: in time, wrongly, or not at all. A thread per connection; ends with this value.
package final class FakeClamd: Sendable {
  /// What it does after it has received a command with its content.
  package enum Answer: Sendable, CustomStringConvertible {
    /// A text, with the NUL that ends it.
    case text(String)
    /// Bytes as they are.
    case bytes([UInt8])
    /// Closes without an answer.
    case close
    /// Sends nothing until the client closes.
    case silence

    package var description: String {
      switch self {
      case .text(let text): text
      case .bytes(let bytes): "\(bytes.count) bytes: " + String(decoding: bytes.prefix(20), as: UTF8.self)
      case .close: "closes"
      case .silence: "is silent"
      }
    }
  }

  /// A command that arrived.
  package struct Request: Sendable {
    /// `FILDES` or `INSTREAM`.
    package let command: String
    /// The bytes of the file.
    package let content: [UInt8]
  }

  /// An answer before the end of a stream, after which it closes.
  package struct EarlyAnswer: Sendable {
    /// Bytes of the stream.
    package let after: Int
    /// Without the NUL that ends it.
    package let text: String

    package init(after: Int, text: String) { (self.after, self.text) = (after, text) }
  }

  private struct State: Sendable {
    var version = "ClamAV 1.4.6/27000/Mon Nov 23 08:00:00 2026"
    var requests: [Request] = []
    var connections = 0
    var isClosed = false
  }

  private let listener: CInt
  private let state = Mutex(State())
  private let answer: @Sendable (Request) -> Answer
  private let early: EarlyAnswer?
  /// The setting that names it: `unix:PATH` or `tcp:127.0.0.1:PORT`.
  package let address: String

  /// Listens at a path, or on a port of 127.0.0.1.
  /// - Parameter path: The socket; nil for a port.
  package init(at path: String?, early: EarlyAnswer? = nil, answer: @escaping @Sendable (Request) -> Answer) throws {
    (self.answer, self.early) = (answer, early)
    let listener = socket(path == nil ? AF_INET : AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    self.listener = listener
    if let path {
      var name = sockaddr_un()
      name.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
      address = "unix:\(path)"
      try Self.check(Self.bind(listener, &name))
    } else {
      var name = sockaddr_in()
      name.sin_family = sa_family_t(AF_INET)
      name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      try Self.check(Self.bind(listener, &name))
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutableBytes(of: &name) { bytes in
        _ = bytes.withMemoryRebound(to: sockaddr.self) { name in
          name.baseAddress.map { getsockname(listener, $0, &size) }
        }
      }
      address = "tcp:127.0.0.1:\(UInt16(bigEndian: name.sin_port))"
    }
    try Self.check(listen(listener, 64))
    // Ends when the listener is shut down, so this value is not kept by its threads.
    Thread.detachNewThread { [listener, weak self] in
      while true {
        let client = accept(listener, nil, nil)
        if client < 0 {
          // EINVAL: it was shut down. Only then may its number be used for another one.
          if errno == EINVAL { break }
          continue
        }
        guard let fake = self else {
          _ = Glibc.close(client)
          continue
        }
        Thread.detachNewThread { fake.serve(client) }
      }
      _ = Glibc.close(listener)
    }
  }

  deinit { shutdown(listener, CInt(SHUT_RDWR)) }

  /// What it answers to `VERSION`.
  package func setVersion(_ text: String) { state.withLock { $0.version = text } }

  /// The scans that arrived.
  package var requests: [Request] { state.withLock { $0.requests } }

  /// Number of connections so far, those that asked for the version included.
  package var connections: Int { state.withLock { $0.connections } }

  private static func bind<Name>(_ descriptor: CInt, _ name: inout Name) -> CInt {
    withUnsafeBytes(of: &name) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { name in
        name.baseAddress.map { Glibc.bind(descriptor, $0, socklen_t(bytes.count)) } ?? -1
      }
    }
  }

  private static func check(_ status: CInt) throws {
    if status != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }

  // MARK: One connection

  private func serve(_ client: CInt) {
    defer { _ = Glibc.close(client) }
    state.withLock { $0.connections += 1 }
    var command: [UInt8] = []
    while let byte = Self.read(client, 1)?.first, byte != 0 { command.append(byte) }
    switch String(decoding: command, as: UTF8.self) {
    case "zVERSION": Self.write(client, Array(state.withLock { $0.version }.utf8) + [0])
    case "zFILDES":
      guard let file = Self.receivedDescriptor(client) else { return }
      defer { _ = Glibc.close(file) }
      reply(Request(command: "FILDES", content: Self.contents(of: file)), client)
    case "zINSTREAM":
      var content: [UInt8] = []
      while let head = Self.read(client, 4) {
        let count = head.reduce(0) { $0 << 8 | Int($1) }
        if count == 0 { return reply(Request(command: "INSTREAM", content: content), client) }
        if let early, content.count + count > early.after { return Self.write(client, Array(early.text.utf8) + [0]) }
        guard let piece = Self.read(client, count) else { return }
        content += piece
      }
    default: Self.write(client, Array("UNKNOWN COMMAND\0".utf8))
    }
  }

  private func reply(_ request: Request, _ client: CInt) {
    state.withLock { $0.requests.append(request) }
    switch answer(request) {
    case .text(let text): Self.write(client, Array(text.utf8) + [0])
    case .bytes(let bytes): Self.write(client, bytes)
    case .close: break
    case .silence: while Self.read(client, 1) != nil {}
    }
  }

  private static func read(_ client: CInt, _ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes { bytes in
        recv(client, UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]).baseAddress, count - filled, 0)
      }
      guard got > 0 else { return nil }
      filled += got
    }
    return bytes
  }

  private static func write(_ client: CInt, _ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { send(client, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
  }

  private static func contents(of file: CInt) -> [UInt8] {
    var (all, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while true {
      let count = pread(file, &buffer, buffer.count, off_t(all.count))
      guard count > 0 else { return all }
      all += buffer[..<count]
    }
  }

  private static func receivedDescriptor(_ client: CInt) -> CInt? {
    var (byte, descriptor): (UInt8, CInt) = (0, -1)
    guard mediatool_receive(client, &byte, 1, &descriptor) == 1, descriptor >= 0 else { return nil }
    return descriptor
  }
}
