/// Small files of video and audio, built byte by byte, so that a test can say which byte matters.
enum Bytes {
  static func be16(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }
  static func be32(_ value: Int) -> [UInt8] { be16(value >> 16) + be16(value) }
  static func be64(_ value: Int) -> [UInt8] { be32(value >> 32) + be32(value) }
  static func le16(_ value: Int) -> [UInt8] { be16(value).reversed() }
  static func le32(_ value: Int) -> [UInt8] { be32(value).reversed() }
  static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
  static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }
  static func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

  /// A box of ISO base media.
  static func box(_ name: String, _ content: [UInt8]...) -> [UInt8] {
    let content = content.flatMap { $0 }
    // `©` is one byte, as QuickTime writes it.
    let name = name.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    return be32(content.count + 8) + name + content
  }

  /// A chunk of RIFF.
  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    ascii(name) + le32(content.count) + content + (content.count % 2 == 1 ? [0] : [])
  }

  /// An element of EBML with a size of four bytes; nil as content for an unknown size.
  static func element(_ name: Int, _ content: [UInt8]?) -> [UInt8] {
    let all = be32(name)
    let name = Array(all.drop { $0 == 0 })
    guard let content else { return name + [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] }
    return name + be32(content.count | 0x1000_0000) + content
  }
}

/// An MP4 or QuickTime file with ten samples a track.
struct TinyMovie {
  enum Track {
    case video(width: Int, height: Int, matrix: [Int] = identity, extensions: [UInt8] = [])
    /// H.263, whose size is only in its samples.
    case h263
    case audio
    case other
  }

  static let identity = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]

  var brand = "isom"
  var compatible = ["isom", "mp42"]
  var tracks: [Track] = [.video(width: 320, height: 240)]
  /// Seconds since 1904.
  var created = 0
  /// What stands in `moov` behind the tracks.
  var extras: [UInt8] = []
  /// Tenths of a second.
  var duration = 10
  /// Runs of samples of every track: how many, and how long each is in tenths of a second.
  var times = [(count: 10, delta: 1)]
  /// Further boxes in the sample table of every track.
  var tables: [UInt8] = []
  /// Every sample of every track.
  var sample = Bytes.zeros(4)

  var bytes: [UInt8] {
    let type = Bytes.box("ftyp", Bytes.ascii(brand), Bytes.be32(512), compatible.flatMap { Bytes.ascii($0) })
    // The offset of the samples depends on the size of the movie box, not the other way round.
    let size = type.count + movie(samplesAt: 0).count + 8
    let samples = (0..<10 * max(1, tracks.count)).flatMap { _ in sample }
    return type + movie(samplesAt: size) + Bytes.box("mdat", samples)
  }

  private func movie(samplesAt offset: Int) -> [UInt8] {
    let header = Bytes.box(
      "mvhd", Bytes.be32(0), Bytes.be32(created), Bytes.be32(created), Bytes.be32(10), Bytes.be32(duration),
      Bytes.be32(0x10000), Bytes.be16(0x100), Bytes.zeros(10), Self.identity.flatMap { Bytes.be32($0) },
      Bytes.zeros(24), Bytes.be32(tracks.count + 1))
    let parts = tracks.indices.map { track(tracks[$0], number: $0 + 1, samplesAt: offset + $0 * 10 * sample.count) }
    return Bytes.box("moov", header, parts.flatMap { $0 }, extras)
  }

  private func track(_ track: Track, number: Int, samplesAt offset: Int) -> [UInt8] {
    var (width, height, matrix, handler) = (0, 0, Self.identity, "data")
    var entry = Bytes.box("text", Bytes.zeros(6), Bytes.be16(1))
    switch track {
    case .video(let w, let h, let m, let extensions):
      (width, height, matrix, handler) = (w, h, m, "vide")
      entry = Self.image("avc1", w, h, extensions)
    case .h263:
      handler = "vide"
      entry = Self.image("s263", 0, 0, [])
    case .audio:
      handler = "soun"
      entry = Bytes.box(
        "mp4a", Bytes.zeros(6), Bytes.be16(1), Bytes.zeros(8), Bytes.be16(2), Bytes.be16(16), Bytes.be32(0),
        Bytes.be32(44_100 << 16))
    case .other: break
    }
    let header = Bytes.box(
      "tkhd", Bytes.be32(3), Bytes.be32(created), Bytes.be32(created), Bytes.be32(number), Bytes.be32(0),
      Bytes.be32(duration), Bytes.zeros(16), matrix.flatMap { Bytes.be32($0) }, Bytes.be32(width << 16),
      Bytes.be32(height << 16))
    let media = Bytes.box(
      "mdhd", Bytes.be32(0), Bytes.be32(created), Bytes.be32(created), Bytes.be32(10), Bytes.be32(duration),
      Bytes.be32(0x55C4_0000))
    let handlerBox = Bytes.box("hdlr", Bytes.be32(0), Bytes.be32(0), Bytes.ascii(handler), Bytes.zeros(13))
    let reference = Bytes.box("dref", Bytes.be32(0), Bytes.be32(1), Bytes.box("url ", Bytes.be32(1)))
    let table = Bytes.box(
      "stbl", Bytes.box("stsd", Bytes.be32(0), Bytes.be32(1), entry),
      Bytes.box(
        "stts", Bytes.be32(0), Bytes.be32(times.count), times.flatMap { Bytes.be32($0.count) + Bytes.be32($0.delta) }),
      Bytes.box("stsc", Bytes.be32(0), Bytes.be32(1), Bytes.be32(1), Bytes.be32(10), Bytes.be32(1)),
      Bytes.box("stsz", Bytes.be32(0), Bytes.be32(sample.count), Bytes.be32(10)),
      Bytes.box("stco", Bytes.be32(0), Bytes.be32(1), Bytes.be32(offset)), tables)
    let kind = Bytes.box(handler == "vide" ? "vmhd" : "nmhd", Bytes.be32(1), Bytes.zeros(8))
    return Bytes.box(
      "trak", header,
      Bytes.box("mdia", media, handlerBox, Bytes.box("minf", kind, Bytes.box("dinf", reference), table)))
  }

  private static func image(_ codec: String, _ width: Int, _ height: Int, _ extensions: [UInt8]) -> [UInt8] {
    Bytes.box(
      codec, Bytes.zeros(6), Bytes.be16(1), Bytes.zeros(16), Bytes.be16(width), Bytes.be16(height),
      Bytes.be32(0x480000), Bytes.be32(0x480000), Bytes.be32(0), Bytes.be16(1), Bytes.zeros(32), Bytes.be16(24),
      Bytes.be16(0xFFFF), extensions)
  }

  /// Apple's metadata: names and texts.
  static func metadata(_ items: [(String, String)]) -> [UInt8] {
    let handler = Bytes.box("hdlr", Bytes.be32(0), Bytes.be32(0), Bytes.ascii("mdta"), Bytes.zeros(13))
    let keys = items.flatMap { Bytes.be32($0.0.utf8.count + 8) + Bytes.ascii("mdta" + $0.0) }
    let list = items.enumerated().flatMap { index, item in
      let data = Bytes.box("data", Bytes.be32(1), Bytes.be32(0), Bytes.ascii(item.1))
      return Bytes.be32(data.count + 8) + Bytes.be32(index + 1) + data
    }
    return Bytes.box(
      "meta", handler, Bytes.box("keys", Bytes.be32(0), Bytes.be32(items.count), keys), Bytes.box("ilst", list))
  }

  /// QuickTime's user data: one text.
  static func userData(_ name: String, _ text: String) -> [UInt8] {
    Bytes.box("udta", Bytes.box(name, Bytes.be16(text.utf8.count), Bytes.be16(0x15C7), Bytes.ascii(text)))
  }

  /// A movie in fragments of ten samples, each sample a tenth of a second. `trackNumber` is what the track calls itself.
  static func fragmented(fragments: Int, trackNumber: Int = 1, samplesHaveDurations: Bool = true) -> [UInt8] {
    var movie = TinyMovie()
    movie.duration = 0
    movie.extras = Bytes.box(
      "mvex",
      Bytes.box("trex", Bytes.be32(0), Bytes.be32(1), Bytes.be32(1), Bytes.be32(1), Bytes.be32(4), Bytes.be32(0)))
    var head = movie.bytes
    head.removeLast(48)
    if trackNumber != 1, let name = head.firstRange(of: Bytes.ascii("tkhd")) {
      head.replaceSubrange(name.upperBound + 12..<name.upperBound + 16, with: Bytes.be32(trackNumber))
    }
    return head
      + (0..<fragments).flatMap { index -> [UInt8] in
        let run =
          samplesHaveDurations
          ? Bytes.be32(0x100) + Bytes.be32(10) + (0..<10).flatMap { _ in Bytes.be32(1) }
          : Bytes.be32(0) + Bytes.be32(10)
        let fragment = Bytes.box(
          "traf", Bytes.box("tfhd", Bytes.be32(0x20000), Bytes.be32(1)),
          Bytes.box("tfdt", Bytes.be32(0x0100_0000), Bytes.be64(index * 10)), Bytes.box("trun", run))
        return Bytes.box("moof", Bytes.box("mfhd", Bytes.be32(0), Bytes.be32(index + 1)), fragment)
          + Bytes.box("mdat", Bytes.zeros(40))
      }
  }
}

/// Audio files, and a WebM as browsers record it.
enum TinyAudio {
  /// One second of silence in PCM, 8,000 samples of 16 bits. `stated` is what the data chunk claims to have.
  static func wav(seconds: Int = 1, stated: Int? = nil) -> [UInt8] {
    let samples = Bytes.zeros(16_000 * seconds)
    let format = Bytes.chunk(
      "fmt ",
      Bytes.le16(1) + Bytes.le16(1) + Bytes.le32(8_000) + Bytes.le32(16_000) + Bytes.le16(2) + Bytes.le16(16))
    let data = Bytes.ascii("data") + Bytes.le32(stated ?? samples.count) + samples
    let content = Bytes.ascii("WAVE") + format + data
    return Bytes.ascii("RIFF") + Bytes.le32(stated == nil ? content.count : stated ?? 0) + content
  }

  /// Frames of MPEG-1 layer III at 44,100 samples a second; by index of bit rate (9 is 128 kbit/s, 417 bytes).
  static func mp3(bitRates: [Int]) -> [UInt8] {
    let lengths = [
      1: 104, 2: 130, 3: 156, 4: 182, 5: 208, 6: 261, 7: 313, 8: 365, 9: 417, 10: 522, 11: 626, 12: 731, 13: 835,
    ]
    return bitRates.flatMap { index -> [UInt8] in
      [0xFF, 0xFB, UInt8(index << 4), 0x00] + Bytes.zeros((lengths[index] ?? 417) - 4)
    }
  }

  /// Frames of AAC, 44,100 samples a second, two channels, 64 bytes each.
  static func adts(frames: Int) -> [UInt8] {
    let length = 64
    let header: [UInt8] = [
      0xFF, 0xF1, 0x50, 0x80 | UInt8(length >> 11), UInt8(truncatingIfNeeded: length >> 3),
      UInt8(truncatingIfNeeded: length << 5) | 0x1F, 0xFC,
    ]
    return (0..<frames).flatMap { _ in header + Bytes.zeros(length - 7) }
  }

  /// Frames of AMR, by mode.
  static func amr(modes: [Int], wideband: Bool = false) -> [UInt8] {
    let speech = wideband ? [17, 23, 32, 36, 40, 46, 50, 58, 60, 5] : [12, 13, 15, 17, 19, 20, 26, 31, 5]
    return Bytes.ascii(wideband ? "#!AMR-WB\n" : "#!AMR\n")
      + modes.flatMap { [UInt8($0 << 3 | 4)] + Bytes.zeros($0 < speech.count ? speech[$0] : 0) }
  }

  /// Opus in WebM with blocks a second apart and no duration. Only a finished recording knows its size.
  static func webm(
    clusters: Int, type: String = "webm", isFinished: Bool = false, checksums: Bool = false, padding: Int = 3
  ) -> [UInt8] {
    let header = Bytes.element(0x1A45_DFA3, Bytes.element(0x4282, Bytes.ascii(type)))
    let info = Bytes.element(0x1549_A966, Bytes.element(0x2AD7B1, Bytes.be32(1_000_000)))
    let audio = Bytes.join(Bytes.element(0xB5, Bytes.be32(0x473B_8000)), Bytes.element(0x9F, [2]))
    let entry = Bytes.join(
      Bytes.element(0xD7, [1]), Bytes.element(0x73C5, [1]), Bytes.element(0x83, [2]),
      Bytes.element(0x86, Bytes.ascii("A_OPUS")), Bytes.element(0xE1, audio))
    let tracks = Bytes.element(0x1654_AE6B, Bytes.element(0xAE, entry))
    let blocks = (0..<clusters).flatMap { cluster($0, checksum: checksums, padding: padding) }
    let content = Bytes.join(info, tracks, blocks)
    return Bytes.join(
      header, isFinished ? Bytes.element(0x1853_8067, content) : Bytes.element(0x1853_8067, nil) + content)
  }

  /// Two blocks, two seconds after those of the cluster before.
  private static func cluster(_ index: Int, checksum: Bool, padding: Int) -> [UInt8] {
    let audio = [0xFC] + [UInt8](repeating: padding > 3 ? 0x1F : 0, count: padding)
    let blocks = [0, 1_000].flatMap { Bytes.element(0xA3, Bytes.join([0x81], Bytes.be16($0), [0x80], audio)) }
    let first = checksum ? Bytes.element(0xBF, Bytes.zeros(4)) : []
    return Bytes.join(Bytes.element(0x1F43_B675, nil), first, Bytes.element(0xE7, Bytes.be32(index * 2_000)), blocks)
  }
}
