/// Audio that is a sequence of frames without a container, MP3 and ADTS: keeps the frames, and drops everything else, such as ID3v1, ID3v2,
/// APE and Lyrics3 tags before, between and after them.
enum AudioFrames {
  /// Nil where there are no frames, or only bytes that lead to no other frame, and where a tag does not end.
  ///
  /// - Parameter length: The length of the frame at an index; nil where none begins. Never 0.
  static func strip(_ file: [UInt8], _ length: ([UInt8], Int) -> Int?) -> [UInt8]? {
    var kept: [Range<Int>] = []
    var at = 0
    while at < file.count {
      switch AudioTag(file, at: at, isFrame: { length(file, $0) != nil }) {
      case .ends(let end):
        at = end
        continue
      case .cut: return nil
      case .none: break
      }
      guard let frame = length(file, at) else {
        at += 1
        continue
      }
      let next = at + frame
      let follows = next >= file.count || length(file, next) != nil || AudioTag.begins(file, at: next)
      // Eleven bits are soon found in any bytes: a frame leads to another.
      if follows || kept.last?.upperBound == at {
        let end = min(next, file.count)
        if let last = kept.last, last.upperBound == at {
          kept[kept.count - 1] = last.lowerBound..<end
        } else {
          kept.append(at..<end)
        }
        at = next
      } else {
        at += 1
      }
    }
    let frames = kept.reduce(0) { $0 + $1.count }
    guard frames > 0 else { return nil }
    if kept.count == 1, kept[0] == 0..<file.count { return file }
    return kept.flatMap { file[$0] }
  }
}

/// A tag at the start of a file, or between its frames (https://id3.org/id3v2.4.0-structure).
enum ID3v2Tag {
  /// The index after the tag, past the end of a file that is cut; nil if there is none.
  static func end(_ file: [UInt8], _ at: Int) -> Int? {
    guard file.has("ID3", at: at), at + 10 <= file.count, (2...4).contains(file[at + 3]), file[at + 4] != 0xFF else {
      return nil
    }
    let size = file[(at + 6)..<(at + 10)]
    guard size.allSatisfy({ $0 < 0x80 }) else { return nil }
    let footer = file[at + 5] & 0x10 != 0 ? 10 : 0
    return at + 10 + size.reduce(0) { $0 << 7 | Int($1) } + footer
  }
}

/// A frame of MPEG audio (ISO/IEC 11172-3, 2.4.1.3 and 13818-3).
enum MPEGFrame {
  private static let bitRates: [[Int]] = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  /// The length of the frame at an index. Nil also for frames of a free bit rate, which state no length.
  static func length(_ file: [UInt8], _ at: Int) -> Int? {
    guard at >= 0, at + 4 <= file.count, file[at] == 0xFF, file[at + 1] & 0xE0 == 0xE0 else { return nil }
    let version = Int(file[at + 1] >> 3 & 3)
    let layer = 4 - Int(file[at + 1] >> 1 & 3)
    let rate = Int(file[at + 2] >> 4)
    let frequency = Int(file[at + 2] >> 2 & 3)
    guard version != 1, layer != 4, rate != 0, rate != 15, frequency != 3, file[at + 3] & 3 != 2 else { return nil }
    let isVersion1 = version == 3
    let row = isVersion1 ? layer - 1 : layer == 1 ? 3 : 4
    let bits = bitRates[row][rate - 1] * 1_000
    let samples = [44_100, 48_000, 32_000][frequency] >> (isVersion1 ? 0 : version == 2 ? 1 : 2)
    let padding = Int(file[at + 2] >> 1 & 1)
    if layer == 1 { return (12 * bits / samples + padding) * 4 }
    return (layer == 3 && !isVersion1 ? 72 : 144) * bits / samples + padding
  }
}

/// A frame of AAC in ADTS (ISO/IEC 14496-3, 1.A.2.2).
enum ADTSFrame {
  /// The length of the frame at an index.
  static func length(_ file: [UInt8], _ at: Int) -> Int? {
    guard at >= 0, at + 7 <= file.count, file[at] == 0xFF, file[at + 1] & 0xF6 == 0xF0, file[at + 2] >> 2 & 15 < 13
    else {
      return nil
    }
    let length = Int(file[at + 3] & 3) << 11 | Int(file[at + 4]) << 3 | Int(file[at + 5]) >> 5
    return length >= 7 ? length : nil
  }
}

/// AMR (RFC 4867, 5): a magic number and frames, which have no metadata. Bytes after the last frame are dropped.
enum AMRStream {
  /// Nil where there are no frames, and where more follows them than one frame: audio after a damaged frame.
  static func strip(_ file: [UInt8], wideband: Bool) -> [UInt8]? {
    guard wideband ? file.has("#!AMR-WB\n", at: 0) : file.has("#!AMR\n", at: 0) else { return nil }
    let speech = wideband ? [17, 23, 32, 36, 40, 46, 50, 58, 60, 5] : [12, 13, 15, 17, 19, 20, 26, 31, 5]
    let first = wideband ? 9 : 6
    var at = first
    while at < file.count {
      let header = file[at]
      let mode = Int(header >> 3)
      guard header & 0x83 == 0 else { break }
      let isEmpty = mode == 15 || wideband && mode == 14
      guard isEmpty || mode < speech.count else { break }
      at += 1 + (isEmpty ? 0 : speech[mode])
    }
    guard at > first, file.count - at <= (wideband ? 60 : 31) else { return nil }
    return Array(file.prefix(at))
  }
}
