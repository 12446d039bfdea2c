internal import Encodings

/// Decodes the body of a part piece by piece, as `BODY.PEEK[2]<0.65536>`, `<65536.65536>` and so on deliver it.
///
/// The state is `Codable`: store it with the bytes written so far, and continue after a restart at ``encodedOctets``. The pieces may be of any
/// size; the result is that of decoding the whole body. Nothing is an error: invalid characters are skipped in base64 and kept in quoted-printable.
public struct MailPartDecoder: Hashable, Codable, Sendable {
  private enum State: Hashable, Codable {
    case identity
    /// Up to three characters of a group that is not complete.
    case base64(bits: UInt32, count: Int, isOver: Bool)
    /// What a `=` at the end of the last piece began: up to two octets.
    case quotedPrintable(pending: [UInt8])
    case uuencode(UUDecoder)
    case yEnc(YEncDecoder)
  }

  private var state: State

  /// The number of encoded octets that were fed: the offset of the next piece.
  public private(set) var encodedOctets = 0
  /// The number of octets returned so far.
  public private(set) var decodedOctets = 0

  /// A decoder for a transfer encoding by name, as in ``MailStructure/Part/encoding``: base64, quoted-printable, x-uuencode or x-yencode. Without a
  /// name, and for 7bit, 8bit, binary and unknown names, the octets are returned unchanged.
  public init(encoding: String?) {
    if let encoding, Self.isTextEncoding(encoding) {
      state = encoding.lowercased() == Self.yEnc ? .yEnc(YEncDecoder()) : .uuencode(UUDecoder())
      return
    }
    switch encoding.flatMap({ TransferEncoding(name: $0) }) {
    case .base64: state = .base64(bits: 0, count: 0, isOver: false)
    case .quotedPrintable: state = .quotedPrintable(pending: [])
    case nil: state = .identity
    }
  }

  /// Decodes the next piece. The octets of an incomplete character are returned with a later piece.
  public mutating func feed(_ piece: some Collection<UInt8>) -> [UInt8] {
    encodedOctets += piece.count
    let result: [UInt8]
    switch state {
    case .identity: result = Array(piece)
    case .base64(var bits, var count, var isOver):
      result = Base64Group.decode(piece, &bits, &count, &isOver)
      state = .base64(bits: bits, count: count, isOver: isOver)
    case .quotedPrintable(var pending):
      result = Self.quotedPrintable(piece, &pending)
      state = .quotedPrintable(pending: pending)
    case .uuencode(var decoder):
      result = decoder.feed(piece)
      state = .uuencode(decoder)
    case .yEnc(var decoder):
      result = decoder.feed(piece)
      state = .yEnc(decoder)
    }
    decodedOctets += result.count
    return result
  }

  /// Ends the body, and returns the octets that are left. Then the decoder is at its beginning, except for the counts.
  public mutating func finish() -> [UInt8] {
    var result: [UInt8] = []
    switch state {
    case .identity: break
    case .base64(let bits, let count, _):
      if count >= 2 { result.append(UInt8(truncatingIfNeeded: bits >> (count == 2 ? 4 : 10))) }
      if count == 3 { result.append(UInt8(truncatingIfNeeded: bits >> 2)) }
      state = .base64(bits: 0, count: 0, isOver: false)
    case .quotedPrintable(let pending):
      result = TransferEncoding.quotedPrintable.decoded(pending[...])
      state = .quotedPrintable(pending: [])
    case .uuencode(var decoder):
      result = decoder.finish()
      state = .uuencode(decoder)
    case .yEnc(var decoder):
      result = decoder.finish()
      state = .yEnc(decoder)
    }
    decodedOctets += result.count
    return result
  }

  static let uuencode = "x-uuencode"
  static let yEnc = "x-yencode"

  /// Whether a name is one of uuencode or yEnc, which are older than MIME and were never registered.
  static func isTextEncoding(_ name: String) -> Bool {
    [uuencode, "uuencode", "x-uue", "uue", yEnc].contains(name.lowercased())
  }

  /// Decodes up to the last `=` whose meaning depends on the next piece.
  private static func quotedPrintable(_ piece: some Collection<UInt8>, _ pending: inout [UInt8]) -> [UInt8] {
    var octets = pending
    octets.append(contentsOf: piece)
    let kept = incompleteTail(octets)
    pending = Array(octets.suffix(kept))
    // Another `=` follows these, so that they are themselves.
    let whole = octets.dropLast(kept)
    let signs = kept == 0 ? 0 : whole.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    return TransferEncoding.quotedPrintable.decoded(whole.dropLast(signs)) + whole.suffix(signs)
  }

  /// The length of `=`, `=4` or `=` CR at the end.
  private static func incompleteTail(_ octets: [UInt8]) -> Int {
    let sign = UInt8(ascii: "=")
    if octets.last == sign { return 1 }
    guard octets.count >= 2, octets[octets.count - 2] == sign, let last = octets.last else { return 0 }
    let isHexadecimal = ASCII.isDigit(last) || (last | 0x20) &- 0x61 < 6
    return isHexadecimal || last == ASCII.carriageReturn ? 2 : 0
  }
}

enum Base64Group {
  /// Decodes characters that continue a group of four. Padding ends the content.
  static func decode(_ piece: some Collection<UInt8>, _ bits: inout UInt32, _ count: inout Int, _ isOver: inout Bool)
    -> [UInt8]
  {
    guard !isOver else { return [] }
    var result: [UInt8] = []
    result.reserveCapacity(piece.count / 4 * 3 + 3)
    var (group, length) = (bits, count)
    for octet in piece {
      let value: UInt32
      switch octet {
      case 0x41...0x5A: value = UInt32(octet) - 0x41
      case 0x61...0x7A: value = UInt32(octet) - 0x61 + 26
      case 0x30...0x39: value = UInt32(octet) - 0x30 + 52
      case 0x2B: value = 62
      case 0x2F: value = 63
      case 0x3D:
        isOver = true
        (bits, count) = (group, length)
        return result
      default: continue
      }
      group = group << 6 | value
      length += 1
      if length == 4 {
        result.append(UInt8(truncatingIfNeeded: group >> 16))
        result.append(UInt8(truncatingIfNeeded: group >> 8))
        result.append(UInt8(truncatingIfNeeded: group))
        length = 0
      }
    }
    (bits, count) = (group, length)
    return result
  }
}
