/// FLAC (RFC 9639): keeps stream information, seek table and frames, and drops tags, pictures, cue sheets and applications' blocks.
enum FLACFile {
  /// Nil for a file that is cut, and for joined files, whose tags are between the frames.
  static func strip(_ file: [UInt8]) -> [UInt8]? {
    // Some writers put ID3 tags around the file.
    let start = ID3v2Tag.end(file, 0) ?? 0
    guard file.has("fLaC", at: start) else { return nil }
    var blocks: [ArraySlice<UInt8>] = []
    var at = start + 4
    while true {
      guard at + 4 <= file.count else { return nil }
      let isLast = file[at] & 0x80 != 0
      let kind = file[at] & 0x7F
      let end = at + 4 + (Int(file[at + 1]) << 16 | Int(file[at + 2]) << 8 | Int(file[at + 3]))
      guard kind != 127, end <= file.count else { return nil }
      if kind == 0 || kind == 3 { blocks.append(file[at..<end]) }
      at = end
      if isLast { break }
    }
    // STREAMINFO comes first and only once.
    guard let first = blocks.first?.first, first & 0x7F == 0, at + 2 <= file.count, file[at] == 0xFF,
      file[at + 1] & 0xFC == 0xF8
    else { return nil }
    let audio = at..<TrailingTags.start(file, after: at)
    // Tags in the middle, of joined files, can be cut out only where frames end, which a frame does not state.
    guard !audio.contains(where: { file.has("fLaC\0\0\0\u{22}", at: $0) || file.has("APETAGEX", at: $0) }) else {
      return nil
    }
    var stripped: [UInt8] = Array("fLaC".utf8)
    stripped.reserveCapacity(file.count)
    for (index, block) in blocks.enumerated() {
      let kind = block[block.startIndex] & 0x7F
      stripped.append(index == blocks.count - 1 ? kind | 0x80 : kind)
      stripped += block.dropFirst()
    }
    return stripped + file[audio]
  }
}

/// Tags that follow the audio of a file.
enum TrailingTags {
  /// The index at which ID3v1 and APE tags at the end of a file begin; its end if there are none.
  static func start(_ file: [UInt8], after audio: Int) -> Int {
    var end = file.count
    while true {
      if end - 128 >= audio, file.has("TAG", at: end - 128) {
        end -= 128
      } else if end - 227 >= audio, file.has("TAG+", at: end - 227) {
        end -= 227
      } else if end - 32 >= audio, file.has("APETAGEX", at: end - 32), let size = file.u32le(end - 20), size >= 32,
        let flags = file.u32le(end - 12)
      {
        // The size counts the footer, and not the header.
        let start = end - size - (flags >> 31 & 1 == 1 ? 32 : 0)
        guard start >= audio else { return end }
        end = start
      } else {
        return end
      }
    }
  }
}
