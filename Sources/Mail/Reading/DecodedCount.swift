internal import Encodings

extension Octets {
  /// The number of octets of a body after decoding, exactly as ``TransferEncoding/decoded(_:)`` gives them.
  func decodedCount(_ encoding: TransferEncoding?, _ range: Range<Int>) -> Int {
    switch encoding {
    case nil: range.count
    case .base64: base64Count(range)
    case .quotedPrintable: quotedPrintableCount(range)
    }
  }

  /// The number of octets of a part's body after decoding.
  func decodedCount(_ part: MailStructure.Part, _ range: Range<Int>) -> Int {
    guard part.isTextEncoded else { return decodedCount(part.transferEncoding, range) }
    var decoder = MailPartDecoder(encoding: part.encoding)
    forEachPiece(of: range) {
      _ = decoder.feed($0)
      return true
    }
    _ = decoder.finish()
    return decoder.decodedOctets
  }

  private func base64Count(_ range: Range<Int>) -> Int {
    // Padding ends the content.
    let end = first(0x3D, in: range) ?? range.upperBound
    var count = 0
    forEachPiece(of: range.lowerBound..<end) { piece in
      for octet in piece {
        // Sums of comparisons, without branches: this is the only work per octet of a large attachment besides finding lines.
        count &+= ((octet | 0x20) &- 0x61 < 26 ? 1 : 0) &+ (octet &- 0x30 < 10 ? 1 : 0)
        count &+= (octet == 0x2B ? 1 : 0) &+ (octet == 0x2F ? 1 : 0)
      }
      return true
    }
    return count / 4 * 3 + max(0, count % 4 - 1)
  }

  private func quotedPrintableCount(_ range: Range<Int>) -> Int {
    var count = range.count
    var offset = range.lowerBound
    while let sign = first(0x3D, in: offset..<range.upperBound) {
      offset = sign + 1
      let left = range.upperBound - offset
      if left >= 2, isHexadecimal(self[offset]), isHexadecimal(self[offset + 1]) {
        count -= 2
        offset += 2
      } else if left >= 2, self[offset] == ASCII.carriageReturn, self[offset + 1] == ASCII.lineFeed {
        count -= 3
        offset += 2
      } else if left >= 1, self[offset] == ASCII.lineFeed || self[offset] == ASCII.carriageReturn {
        count -= 2
        offset += 1
      } else if left == 0 {
        count -= 1
      }
    }
    return count
  }

  private func isHexadecimal(_ octet: UInt8) -> Bool { ASCII.isDigit(octet) || (octet | 0x20) &- 0x61 < 6 }
}
