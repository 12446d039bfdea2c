internal import CEngineShims
internal import Glibc
package import MediaEngineProtocol

/// The worker's end of the socket. Blocks without a time limit, because a worker has nothing else to do.
package struct WorkerChannel {
  package let socket: CInt

  package init(socket: CInt = CInt(MEDIATOOL_WORKER_SOCKET)) { self.socket = socket }

  /// The next message with its descriptor, -1 if it has none; nil once the engine has closed its end.
  package func receive() throws(ProtocolViolation) -> (frame: Frame, descriptor: CInt)? {
    var descriptor: CInt = -1
    guard let head = try bytes(FrameHeader.length, descriptor: &descriptor) else { return nil }
    do throws(ProtocolViolation) {
      var none: CInt = -1
      guard let header = FrameHeader(head), let body = try bytes(header.bodyLength, descriptor: &none),
        let frame = Frame(header: header, body: body)
      else { throw ProtocolViolation("invalid message header") }
      if none >= 0 { close(none) }
      return (frame, descriptor)
    } catch {
      if descriptor >= 0 { close(descriptor) }
      throw error
    }
  }

  /// Sends a message; false once the engine has closed its end.
  package func send(_ frame: Frame) -> Bool {
    var rest = frame.wire[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        bytes.baseAddress.map { mediatool_send(socket, $0, bytes.count, -1) } ?? 0
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Exactly `count` bytes, and the descriptor that came with the first of them; nil at the end of the connection.
  private func bytes(_ count: Int, descriptor: inout CInt) throws(ProtocolViolation) -> [UInt8]? {
    var ended = false
    var found: CInt = -1
    let result = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count, let start = buffer.baseAddress {
        var passed: CInt = -1
        let received = mediatool_receive(socket, start + filled, count - filled, &passed)
        if received < 0, errno == EINTR { continue }
        if passed >= 0 {
          if found >= 0 { close(found) }
          found = passed
        }
        guard received > 0 else {
          ended = true
          return
        }
        filled += received
      }
    }
    descriptor = found
    if ended { return nil }
    return result
  }
}
