internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaProbe

/// Headers of audio files that no demuxer is allowed for, built after the descriptions of their formats.
enum TinyHeaders {
  /// Monkey's Audio of version 3.99: 10 frames of 73,728 samples, the last one of 1,000.
  static func ape(audio: Int = 100, upperHalf: Int = 0) -> [UInt8] {
    Bytes.join(
      Bytes.ascii("MAC "), Bytes.le16(3_990), Bytes.le16(0), Bytes.le32(52), Bytes.le32(24), Bytes.le32(40),
      Bytes.le32(0), Bytes.le32(audio), Bytes.le32(upperHalf), Bytes.le32(0), Bytes.zeros(16), Bytes.le16(2_000),
      Bytes.le16(0),
      Bytes.le32(73_728), Bytes.le32(1_000), Bytes.le32(10), Bytes.le16(16), Bytes.le16(2), Bytes.le32(44_100),
      Bytes.zeros(40 + 100))
  }

  /// Monkey's Audio of version 3.90: 10 frames of 73,728 samples, the last one of 1,000.
  static let oldAPE = Bytes.join(
    Bytes.ascii("MAC "), Bytes.le16(3_900), Bytes.le16(2_000), Bytes.le16(0), Bytes.le16(1), Bytes.le32(22_050),
    Bytes.le32(44), Bytes.le32(0), Bytes.le32(10), Bytes.le32(1_000), Bytes.zeros(64))

  /// Musepack, stream version 7: 100 frames at 48 kHz.
  static let musepack7 = Bytes.join(
    Bytes.ascii("MP+"), [0x17], Bytes.le32(100), [0, 0, 0x01, 0], Bytes.zeros(64))

  /// Musepack, stream version 8: 100,000 samples at 32 kHz.
  static let musepack8 = Bytes.join(
    Bytes.ascii("MPCK"), Bytes.ascii("SH"), [14], Bytes.be32(0), [8], [0x86, 0x8D, 0x20], [0], [3 << 5 | 27, 0x10],
    Bytes.ascii("RG"), [3], Bytes.ascii("AP"), [3])

  /// RealAudio of version 3: 12,000 bytes at 60,000 a minute.
  static let realAudio3 = Bytes.join(
    Bytes.ascii(".ra"), [0xFD], Bytes.be16(3), Bytes.be16(40), Bytes.zeros(8), Bytes.be16(60_000), Bytes.be32(12_000),
    Bytes.zeros(40))

  /// RealAudio of version 4, of Cook at 44,100 Hz and two channels: 12,000 bytes at 60,000 a minute.
  static let realAudio4 = Bytes.join(
    Bytes.ascii(".ra"), [0xFD], Bytes.be16(4), Bytes.be16(0), Bytes.ascii(".ra4"), Bytes.be32(12_000), Bytes.be16(4),
    Bytes.be32(57), Bytes.be16(1), Bytes.be32(93), Bytes.be32(12_000), Bytes.be32(60_000), Bytes.be32(0), Bytes.be16(1),
    Bytes.be16(93), Bytes.be16(93), Bytes.be16(0), Bytes.be16(44_100), Bytes.be16(0), Bytes.be16(16), Bytes.be16(2),
    [4],
    Bytes.ascii("Int0"), [4], Bytes.ascii("cook"), Bytes.zeros(40))

  /// RealMedia of 12.5 seconds, with one stream.
  static func realMedia(_ type: String) -> [UInt8] {
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
      Bytes.join(Bytes.ascii(name), Bytes.be32(body.count + 10), Bytes.be16(0), body)
    }
    let properties = Bytes.join(Bytes.zeros(20), Bytes.be32(12_500), Bytes.zeros(16))
    let stream = Bytes.join(
      Bytes.zeros(30), [5], Bytes.ascii("Audio"), [UInt8(type.utf8.count)], Bytes.ascii(type),
      Bytes.be32(realAudio4.count), realAudio4)
    return Bytes.join(
      chunk(".RMF", Bytes.be32(0) + Bytes.be32(3)), chunk("PROP", properties), chunk("MDPR", stream),
      chunk("DATA", Bytes.zeros(64)))
  }
}

@Suite struct AudioHeaderTests {
  private func facts(_ bytes: [UInt8]) throws -> MediaInfo {
    MediaProber().facts(of: try MediaInput(bytes: bytes), claim: nil)
  }

  @Test(
    "The header states type, codec, duration, rate and channels",
    arguments: [
      (TinyHeaders.ape(), "audio/x-ape", "ape", (9 * 73_728 + 1_000) / 44_100.0, 44_100, 2),
      (TinyHeaders.oldAPE, "audio/x-ape", "ape", (9 * 73_728 + 1_000) / 22_050.0, 22_050, 1),
      (TinyHeaders.musepack7, "audio/x-musepack", "musepack7", 100 * 1_152 / 48_000.0, 48_000, 2),
      (TinyHeaders.musepack8, "audio/x-musepack", "musepack8", 3.125, 32_000, 2),
      (TinyHeaders.realAudio3, "audio/x-pn-realaudio", "ra_144", 12, 8_000, 1),
      (TinyHeaders.realAudio4, "audio/x-pn-realaudio", "cook", 12, 44_100, 2),
      (TinyHeaders.realMedia("audio/x-pn-realaudio"), "audio/x-pn-realaudio", "cook", 12.5, 44_100, 2),
    ] as [([UInt8], String, String, Double, Int, Int)])
  func header(bytes: [UInt8], type: String, codec: String, seconds: Double, rate: Int, channels: Int) throws {
    let info = try facts(bytes)
    #expect(info.type.rawValue == type)
    #expect(info.kind == .audio)
    #expect(info.error == nil)
    #expect(info.audioCodec == codec)
    #expect(abs((info.duration ?? 0) - seconds) < 0.001)
    #expect(info.sampleRate == rate)
    #expect(info.channels == channels)
  }

  @Test func `A RealMedia file with video is a video`() throws {
    let info = try facts(TinyHeaders.realMedia("video/x-pn-realvideo"))
    #expect(info.type.rawValue == "application/vnd.rn-realmedia")
    #expect(info.kind == .video)
    #expect(info.duration == 12.5)
  }

  @Test func `A header that announces more bytes than there are is truncation`() throws {
    #expect(try facts(TinyHeaders.ape(audio: 1_000)).error?.code == .truncated)
    #expect(try facts(Array(TinyHeaders.ape().prefix(30))).error?.code == .corrupt)
  }

  @Test(
    "A length of audio that no file has is truncation, whatever is added to it",
    arguments: [1, 0x7FFF, 0x8000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF])
  func lengths(upperHalf: Int) throws {
    #expect(try facts(TinyHeaders.ape(upperHalf: upperHalf)).error?.code == .truncated)
    // Nothing but the descriptor, with the largest numbers.
    let short = Bytes.join(
      Bytes.ascii("MAC "), Bytes.le16(3_990), Bytes.le16(0), [UInt8](repeating: 0xFF, count: 20), Bytes.le32(upperHalf))
    #expect(try facts(short).error?.code == .truncated)
  }

  @Test(
    "Numbers of a header are held within the range of each fact",
    arguments: [
      Bytes.ascii("MAC ") + Bytes.le16(3_990) + [UInt8](repeating: 0xFF, count: 100),
      Bytes.ascii("MP+") + [0x17] + [UInt8](repeating: 0xFF, count: 100),
      Bytes.ascii("MPCKSH") + [14] + [UInt8](repeating: 0xFF, count: 100),
      Bytes.ascii(".ra") + [0xFD, 0, 4] + [UInt8](repeating: 0xFF, count: 100),
      Bytes.ascii(".RMF") + Bytes.be32(18) + Bytes.zeros(10) + Bytes.ascii("PROP") + Bytes.be32(50)
        + [UInt8](repeating: 0xFF, count: 100),
    ]) func extremes(bytes: [UInt8]) throws
  {
    let info = try facts(bytes)
    #expect(info.duration.map { $0 > 0 && $0 < 3e10 } ?? true)
    #expect(info.sampleRate.map { (1...1_000_000).contains($0) } ?? true)
    #expect(info.channels.map { (1...255).contains($0) } ?? true)
  }

  @Test func `An MP3 that begins inside a frame is found, and its frames are counted`() throws {
    let whole = TinyAudio.mp3(bitRates: .init(repeating: 9, count: 40))
    for cut in [1, 200, 416, 417 + 100] {
      let info = try facts(Array(whole.dropFirst(cut)))
      #expect(info.type == .mpegAudio, "\(cut)")
      #expect(info.error == nil, "\(cut)")
      let frames = Double(40 - (cut + 416) / 417)
      #expect(abs((info.duration ?? 0) - frames * 1_152 / 44_100) < 0.002, "\(cut)")
    }
    // Fewer frames than prove it are arbitrary bytes.
    #expect(try facts(Array(whole.dropFirst(1).prefix(417 * 5))).type != .mpegAudio)
  }
}
