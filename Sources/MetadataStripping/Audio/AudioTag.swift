/// A tag of ID3v1, ID3v2, APE or Lyrics3, at the start of a recording, at its end, or in the middle of joined ones.
enum AudioTag {
  case none
  /// The index after the tag.
  case ends(Int)
  /// It begins here, and where it ends cannot be found: audio may follow in it.
  case cut

  /// - Parameter isFrame: Whether a frame begins at an index.
  init(_ file: [UInt8], at start: Int, isFrame: (Int) -> Bool) {
    if file.has("ID3", at: start) {
      self = ID3v2Tag.end(file, start).map { $0 <= file.count ? .ends($0) : .cut } ?? .none
    } else if file.has("TAG", at: start) {
      self = Self.version1(file, start, isFrame)
    } else if file.has("APETAGEX", at: start) {
      self = Self.ape(file, start)
    } else if file.has("LYRICSBEGIN", at: start) {
      self = Self.lyrics(file, start)
    } else {
      self = .none
    }
  }

  /// Whether a tag may begin at an index.
  static func begins(_ file: [UInt8], at start: Int) -> Bool {
    ID3v2Tag.end(file, start) != nil || file.has("TAG", at: start) || file.has("APETAGEX", at: start)
      || file.has("LYRICSBEGIN", at: start)
  }

  /// ID3v1 has 128 bytes, its extension `TAG+` has 227. Three letters alone are soon found in any bytes: a tag leads to something.
  private static func version1(_ file: [UInt8], _ start: Int, _ isFrame: (Int) -> Bool) -> AudioTag {
    for (name, length) in [("TAG+", 227), ("TAG", 128)] as [(StaticString, Int)] where file.has(name, at: start) {
      let end = start + length
      if end == file.count || end < file.count && (isFrame(end) || begins(file, at: end)) { return .ends(end) }
    }
    return .none
  }

  /// APE (version 2): header, items and footer. The size counts the items and the footer; a header has bit 29 of the flags.
  private static func ape(_ file: [UInt8], _ start: Int) -> AudioTag {
    guard let size = file.u32le(start + 12), let flags = file.u32le(start + 20), start + 32 <= file.count else {
      return .cut
    }
    guard flags >> 29 & 1 == 1 else { return .ends(start + 32) }
    let end = start + 32 + size
    return size >= 32 && file.has("APETAGEX", at: end - 32) && end <= file.count ? .ends(end) : .cut
  }

  /// Lyrics3 ends with a word, before which version 2 states its size.
  private static func lyrics(_ file: [UInt8], _ start: Int) -> AudioTag {
    for at in start..<file.count where file[at] == UInt8(ascii: "L") {
      if file.has("LYRICSEND", at: at) || file.has("LYRICS200", at: at) { return .ends(at + 9) }
    }
    return .cut
  }
}
