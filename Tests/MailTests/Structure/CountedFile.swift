internal import Mail

/// A file as `MailStructure.Source` sees it: read in pieces, which are counted.
final class CountedFile {
  var octets: [UInt8]
  private let maxPiece: Int
  private(set) var octetsRead = 0

  init(_ octets: [UInt8], maxPiece: Int = .max) { (self.octets, self.maxPiece) = (octets, maxPiece) }

  var source: MailStructure.Source {
    MailStructure.Source(count: octets.count) { offset, buffer in
      let piece = self.octets.dropFirst(offset).prefix(min(buffer.count, self.maxPiece))
      buffer.copyBytes(from: piece)
      self.octetsRead += piece.count
      return piece.count
    }
  }
}
