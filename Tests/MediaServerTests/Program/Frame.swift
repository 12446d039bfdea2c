/// Frames of HTTP/2 (RFC 9113, section 4.1).
enum Frame {
  static func make(_ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
    let length = UInt32(payload.count)
    return [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), type, flags]
      + bytes(stream) + payload
  }

  static func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(number >> (24 - 8 * $0) & 0xFF) } }

  /// The preface of a client, with empty settings.
  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + make(4)

  /// `GET https://localhost/` by the static table of HPACK.
  static let get: [UInt8] = [0x82, 0x84, 0x87, 0x41, 9] + Array("localhost".utf8)

  /// `POST https://localhost/v1/attachments`
  static let post: [UInt8] =
    [0x83, 0x87, 0x41, 9] + Array("localhost".utf8) + [0x44, 15] + Array("/v1/attachments".utf8)

  /// The code of the last GOAWAY in what a server sent.
  static func goAway(in bytes: [UInt8]) -> UInt8? {
    var rest = bytes[...]
    var code: UInt8?
    while rest.count >= 9 {
      let head = Array(rest.prefix(9))
      let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
      rest = rest.dropFirst(9)
      if head[3] == 7, length >= 8, rest.count >= 8 { code = Array(rest.prefix(8))[7] }
      rest = rest.dropFirst(length)
    }
    return code
  }

  /// What a server answers to a stream.
  enum Answer: Hashable {
    /// A head; its first octet is the status, as an index into the static table of HPACK: 0x88 is 200.
    case head(UInt8)
    /// The stream or the connection ends.
    case ended
  }

  /// The first answer to a stream in what a server sent; nil if there is none yet.
  static func answer(to stream: UInt32, in bytes: [UInt8]) -> Answer? {
    var rest = bytes[...]
    while rest.count >= 9 {
      let head = Array(rest.prefix(9))
      let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
      guard rest.count >= 9 + length else { return nil }
      let payload = Array(rest.dropFirst(9).prefix(length))
      switch head[3] {
      case 1 where Array(head[5...]) == self.bytes(stream): return payload.first.map(Answer.head)
      case 3 where Array(head[5...]) == self.bytes(stream): return .ended
      case 7: return .ended
      default: rest = rest.dropFirst(9 + length)
      }
    }
    return nil
  }
}
