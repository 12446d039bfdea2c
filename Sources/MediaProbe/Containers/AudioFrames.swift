/// The four-byte header of an MPEG audio frame (ISO/IEC 11172-3, 2.4.1.3 and 13818-3).
struct MPEGAudioHeader {
  /// Bytes from this header to the next.
  let length: Int
  /// The bits that are equal in all frames of a file: version, layer and sample rate.
  let stable: UInt32
  let samples: Int
  let sampleRate: Int
  /// The offset of a Xing or Info header in the first frame: after the side information.
  let xingOffset: Int

  init?(_ reader: ByteReader, at offset: Int) {
    guard let word = reader.u32be(offset), word >> 21 == 0x7FF else { return nil }
    let version = Int(word >> 19 & 3)
    let layer = 4 - Int(word >> 17 & 3)
    let bitRateIndex = Int(word >> 12 & 15)
    let rateIndex = Int(word >> 10 & 3)
    // Version 1, layer 4, bit rate 15, rate 3 and emphasis 2 are reserved. Bit rate 0 ("free") states no length.
    guard version != 1, layer != 4, bitRateIndex != 0, bitRateIndex != 15, rateIndex != 3, word & 3 != 2 else {
      return nil
    }
    let isVersion1 = version == 3
    let rows = isVersion1 ? Self.version1 : Self.version2
    let bitRate = rows[layer - 1][bitRateIndex - 1] * 1_000
    sampleRate = [44_100, 48_000, 32_000][rateIndex] >> (isVersion1 ? 0 : version == 2 ? 1 : 2)
    let padding = Int(word >> 9 & 1)
    switch layer {
    case 1:
      samples = 384
      length = (12 * bitRate / sampleRate + padding) * 4
    case 3 where !isVersion1:
      samples = 576
      length = 72 * bitRate / sampleRate + padding
    default:
      samples = 1_152
      length = 144 * bitRate / sampleRate + padding
    }
    stable = word & 0xFFFE_0C00
    let isMono = word >> 6 & 3 == 3
    xingOffset = 4 + (isVersion1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
  }

  /// Kilobits per second by layer and index.
  private static let version1 = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ]
  private static let version2 = [
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]
}

/// The header of an AAC frame in an ADTS stream (ISO/IEC 14496-3, 1.A.2.2).
struct ADTSHeader {
  let length: Int
  /// The bits that are equal in all frames: version, profile and sample rate.
  let stable: UInt32
  let samples: Int
  let sampleRate: Int

  init?(_ reader: ByteReader, at offset: Int) {
    guard let word = reader.u32be(offset), word & 0xFFF6_0000 == 0xFFF0_0000, let rest = reader.u24be(offset + 4)
    else { return nil }
    let rates = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]
    let rateIndex = Int(word >> 10 & 15)
    length = Int(word & 3) << 11 | Int(rest >> 13)
    guard rateIndex < rates.count, length >= 7 else { return nil }
    sampleRate = rates[rateIndex]
    samples = 1_024 * (Int(rest & 3) + 1)
    stable = word & 0xFFFE_FC00
  }
}

/// The one-byte header of an AMR frame (RFC 4867, 5.3). A frame lasts 20 ms; its mode determines its size.
enum AMRFrame {
  /// Size of the frame in bytes, including the header byte; nil if the header is invalid.
  static func length(_ header: UInt8, wideband: Bool) -> Int? {
    guard header & 0x83 == 0 else { return nil }
    let speech = wideband ? [17, 23, 32, 36, 40, 46, 50, 58, 60, 5] : [12, 13, 15, 17, 19, 20, 26, 31, 5]
    let mode = Int(header >> 3)
    if mode < speech.count { return speech[mode] + 1 }
    // 14 is a lost frame in AMR-WB, 15 a frame without data in both.
    return mode == 15 || (wideband && mode == 14) ? 1 : nil
  }
}
