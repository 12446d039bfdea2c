/// Ogg (RFC 3533) with Vorbis, Opus or Speex: the comment header becomes an empty one of equal length, so that all pages stay where they are.
enum OggFile {
  private enum Codec {
    case vorbis, opus, speex

    /// The codec of a stream by its first packet.
    init?(_ packet: ArraySlice<UInt8>) {
      if packet.starts(with: [1] + Array("vorbis".utf8)) {
        self = .vorbis
      } else if packet.starts(with: Array("OpusHead".utf8)) {
        self = .opus
      } else if packet.starts(with: Array("Speex   ".utf8)) {
        self = .speex
      } else {
        return nil
      }
    }

    /// A comment header without vendor and comments.
    var emptyComment: [UInt8] {
      let none: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
      switch self {
      case .vorbis: return [3] + Array("vorbis".utf8) + none + [1]
      case .opus: return Array("OpusTags".utf8) + none
      case .speex: return none
      }
    }

    /// What the comment header begins with.
    var commentMark: [UInt8] { self == .speex ? [] : Array(emptyComment.prefix(self == .vorbis ? 7 : 8)) }
  }

  /// Nil for other codecs, several streams at once, and pages that are damaged.
  static func strip(_ file: [UInt8]) -> [UInt8]? {
    var stripped = file
    var at = 0
    while at < file.count {
      guard let end = stream(file, from: at, &stripped) else { return nil }
      at = end
    }
    return file.isEmpty ? nil : stripped
  }

  /// A page: its header, the lengths of its pieces, and where they begin.
  private struct Page {
    let start: Int
    let flags: UInt8
    let serial: ArraySlice<UInt8>
    let lacing: ArraySlice<UInt8>
    let body: Int
    let end: Int

    init?(_ file: [UInt8], at start: Int) {
      guard file.has("OggS", at: start), start + 27 <= file.count, file[start + 4] == 0 else { return nil }
      body = start + 27 + Int(file[start + 26])
      guard body <= file.count else { return nil }
      lacing = file[(start + 27)..<body]
      end = body + lacing.reduce(0) { $0 + Int($1) }
      guard end <= file.count else { return nil }
      self.start = start
      flags = file[start + 5]
      serial = file[(start + 14)..<(start + 18)]
    }
  }

  /// Strips one stream, up to the first page of the next one; returns where it ends.
  private static func stream(_ file: [UInt8], from start: Int, _ stripped: inout [UInt8]) -> Int? {
    guard let first = Page(file, at: start), first.flags & 2 != 0, first.lacing.last ?? 255 < 255,
      let codec = Codec(file[first.body..<first.end])
    else { return nil }
    var pages: [Page] = []
    // The pieces of the comment header.
    var comment: [Range<Int>] = []
    var isRead = false
    var at = first.end
    while at < file.count {
      guard let page = Page(file, at: at) else { return nil }
      // The next recording begins.
      if page.flags & 2 != 0 { break }
      guard page.serial.elementsEqual(first.serial) else { return nil }
      if !isRead {
        pages.append(page)
        var piece = page.body
        for length in page.lacing {
          comment.append(piece..<piece + Int(length))
          piece += Int(length)
          if length < 255 {
            isRead = true
            break
          }
        }
      }
      at = page.end
    }
    guard isRead else { return nil }
    let length = comment.reduce(0) { $0 + $1.count }
    let empty = codec.emptyComment
    let mark = comment.flatMap { file[$0] }.prefix(codec.commentMark.count)
    guard length >= empty.count, mark.elementsEqual(codec.commentMark) else { return nil }
    var written = empty[...]
    for range in comment {
      for index in range { stripped[index] = written.popFirst() ?? 0 }
    }
    for page in pages where !stripped[page.start..<page.end].elementsEqual(file[page.start..<page.end]) {
      for index in 22..<26 { stripped[page.start + index] = 0 }
      let sum = checksum(stripped[page.start..<page.end])
      for index in 0..<4 { stripped[page.start + 22 + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
    }
    return at
  }

  /// CRC-32 of the polynomial 0x04C11DB7, most significant bit first, from 0.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { sum, byte in sum << 8 ^ table[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ byte)] }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { value, _ in value & 0x8000_0000 == 0 ? value << 1 : value << 1 ^ 0x04C1_1DB7 }
  }
}
