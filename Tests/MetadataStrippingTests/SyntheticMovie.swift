/// A video of made-up samples, built twice: as a camera writes it, and as it has to be without its metadata.
struct SyntheticMovie {
  /// Whether it is built without.
  var isStripped: Bool
  /// Bytes of the length of size and type that `mdat` has: 8 or 16.
  var dataHeader = 8
  /// The version of the headers with dates, 0 or 1.
  var version: UInt8 = 0
  /// The 20 bytes of the images' samples, of 2, 3, 4, 5 and 6 bytes, the first two in a chunk of their own; and what they have to become.
  var samples = (made: text("p1p2.p3..p4...p5...."), plain: text("p1p2.p3..p4...p5...."))
  /// How images are encoded.
  var configuration = (type: "avcC", body: text("parameters"))
  /// Changes a box of this type wherever it is built.
  var edit: (type: String, change: ([UInt8]) -> [UInt8])?

  static func text(_ text: String) -> [UInt8] { Array(text.utf8) }
  static func number(_ number: Int, _ count: Int = 4) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  func box(_ type: String, _ body: [UInt8]...) -> [UInt8] {
    var body = body.flatMap(\.self)
    if let edit, edit.type == type { body = edit.change(body) }
    return Self.number(body.count + 8) + type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + body
  }

  /// What has to become zeros.
  func gone(_ bytes: [UInt8]) -> [UInt8] { isStripped ? Array(repeating: 0, count: bytes.count) : bytes }
  func gone(_ text: String) -> [UInt8] { gone(Self.text(text)) }

  /// A box that has to become one of nothing.
  func goneBox(_ type: String, _ body: [UInt8]...) -> [UInt8] {
    let body = body.flatMap(\.self)
    return isStripped ? box("free", gone(body)) : box(type, body)
  }

  /// `mvhd`, `tkhd` or `mdhd`: its dates, and what is behind them.
  func dated(_ type: String, _ rest: [UInt8]) -> [UInt8] {
    box(type, [version, 0, 0, 7], gone(Array(repeating: 0xC9, count: version == 1 ? 16 : 8)), rest)
  }

  func handler(_ name: String) -> [UInt8] {
    box("hdlr", [0, 0, 0, 0] + Self.text("mhlr" + name), gone("secret names of programs"))
  }

  var references: [UInt8] {
    box("dinf", box("dref", [0, 0, 0, 0, 0, 0, 0, 1], box("alis", [0, 0, 0, 1], gone("/home/secret"))))
  }

  /// An entry of `avc1`.
  var imageEntry: [UInt8] {
    box(
      "avc1", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0], gone("sekr"), Array(repeating: 5, count: 26),
      gone("\u{10}secret encoder".padding(to: 32)), [0, 24, 0xFF, 0xFF], box(configuration.type, configuration.body),
      goneBox("uuid", Self.text("secret secret secret")), box("pasp", [0, 0, 0, 1, 0, 0, 0, 1]), [0, 0, 0, 0])
  }

  /// An entry of audio with the fields of a version, of 16 bits in stereo.
  func audioEntry(_ type: String, version: UInt8 = 0, frame: Int = 4, _ more: [UInt8] = []) -> [UInt8] {
    let extra: [UInt8] =
      switch version {
      case 1: Self.number(1) + Self.number(2) + Self.number(frame) + Self.number(2)
      case 2: Array(repeating: 3, count: 28) + Self.number(frame) + Self.number(1)
      default: []
      }
    return box(
      type, [0, 0, 0, 0, 0, 0, 0, 1, 0, version, 0, 0], gone("sekr"), [0, 2, 0, 16, 0, 0, 0, 0, 0x1F, 0x40, 0, 0],
      extra,
      more)
  }

  /// Tables for chunks of two samples each, the last of one more.
  func tables(_ entry: [UInt8], sizes: [UInt8], chunks: [UInt8], runs: [(Int, Int)], duration: Int = 512) -> [UInt8] {
    let entries = runs.flatMap { Self.number($0.0) + Self.number($0.1) + Self.number(1) }
    return box(
      "stbl", box("stsd", [0, 0, 0, 0, 0, 0, 0, 1], entry),
      box("stts", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 5], Self.number(duration)),
      goneBox("meta", Self.text("secret")), box("stsc", [0, 0, 0, 0], Self.number(runs.count), entries), sizes, chunks)
  }

  /// `stsz` of samples with their own sizes, or `stz2` of so many bits.
  func sizes(_ sizes: [Int], bits: Int = 32) -> [UInt8] {
    guard bits < 32 else {
      return box("stsz", [0, 0, 0, 0, 0, 0, 0, 0], Self.number(sizes.count), sizes.flatMap { Self.number($0) })
    }
    var entries = sizes.flatMap { Self.number($0, max(1, bits / 8)) }
    if bits == 4 {
      entries = stride(from: 0, to: sizes.count, by: 2).map { index in
        UInt8(sizes[index] << 4 | (index + 1 < sizes.count ? sizes[index + 1] : 0))
      }
    }
    return box("stz2", [0, 0, 0, 0, 0, 0, 0, UInt8(bits)], Self.number(sizes.count), entries)
  }

  func offsets(_ offsets: [Int], width: Int = 4) -> [UInt8] {
    box(
      width == 4 ? "stco" : "co64", [0, 0, 0, 0], Self.number(offsets.count),
      offsets.flatMap { Self.number($0, width) })
  }

  func track(_ id: Int, _ name: String, references more: [UInt8] = [], header: [UInt8], tables: [UInt8]) -> [UInt8] {
    box(
      "trak", dated("tkhd", Self.number(id) + Array(repeating: 1, count: 68)), goneBox("udta", Self.text("secret")),
      box("edts", box("elst", [0, 0, 0, 0, 0, 0, 0, 0])), more,
      box(
        "mdia", dated("mdhd", Self.number(1_000) + Self.number(5_000) + Self.text("de\0\0")), handler(name),
        goneBox("uuid", Self.text("secret secret secret")), box("minf", header, handler("alis"), references, tables)))
  }

  /// What is in `mdat`: five samples of images in two chunks, between and around them what nobody plays, and five of audio.
  private var media: [[UInt8]] {
    [
      gone("secret"), isStripped ? samples.plain : samples.made, gone("secret"), Self.text("ssssssssssssssssssss"),
      gone("GPS secret, of a track that goes"),
    ]
  }

  private func place(of part: Int, after start: Int) -> Int { media[..<part].reduce(start) { $0 + $1.count } }

  /// The images' track.
  func images(start: Int, sizes bits: Int = 32, width: Int = 4) -> [UInt8] {
    let first = place(of: 1, after: start)
    return track(
      1, "vide", references: box("tref", goneBox("chap", Self.number(3)), box("cdsc", Self.number(2))),
      header: box("vmhd", [0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]),
      tables: tables(
        imageEntry, sizes: sizes([2, 3, 4, 5, 6], bits: bits), chunks: offsets([first, first + 5], width: width),
        runs: [(1, 2), (2, 3)]))
  }

  /// The audio's track: five samples of four bytes in one chunk.
  func audio(start: Int, entry: [UInt8]? = nil, duration: Int = 1, size: Int = 4) -> [UInt8] {
    track(
      2, "soun", header: box("smhd", [0, 0, 0, 0, 0, 0, 0, 0]),
      tables: tables(
        entry ?? audioEntry("sowt"), sizes: box("stsz", [0, 0, 0, 0] + Self.number(size) + Self.number(5)),
        chunks: offsets([place(of: 3, after: start)]), runs: [(1, 5)], duration: duration))
  }

  /// A track that goes: of positions by default.
  func goneTrack(start: Int, _ name: String = "meta", _ entry: String = "gpmd") -> [UInt8] {
    let video = SyntheticMovie(isStripped: false)
    let track = video.track(
      3, name, header: [],
      tables: video.tables(
        video.box(entry, Self.text("secret")), sizes: video.sizes([32]),
        chunks: video.offsets([place(of: 4, after: start)]),
        runs: [(1, 1)]))
    return goneBox("trak", Array(track.dropFirst(8)))
  }

  /// What is before the first sample.
  private var start: [UInt8] {
    let media = media.flatMap(\.self)
    return box("ftyp", Self.text("qt  \0\0\0\0qt  ")) + goneBox("uuid", Self.text("secret secret secret"))
      + box("wide")
      + (dataHeader == 8
        ? Self.number(media.count + 8) + Self.text("mdat")
        : Self.number(1) + Self.text("mdat") + Self.number(media.count + 16, 8))
  }

  /// The file.
  func bytes(tracks: (SyntheticMovie, Int) -> [[UInt8]] = { [$0.images(start: $1), $0.audio(start: $1)] }) -> [UInt8] {
    let start = start
    let tracks = tracks(self, start.count) + [goneTrack(start: start.count)]
    let movie = box(
      "moov", dated("mvhd", Array(repeating: 2, count: 88)), goneBox("gps ", Self.text("secret")),
      tracks.flatMap(\.self),
      goneBox("udta", box("\u{A9}xyz", Self.text("\0\u{12}\0\0+48.2082+016.3738/secret"))),
      goneBox("meta", Self.text("secret")), gone([1, 2, 3]))
    return start + media.flatMap(\.self) + goneBox("udta", Self.text("secret")) + movie
      + box("free", gone("secret"))
  }
}

extension String {
  /// Filled with NULs.
  fileprivate func padding(to count: Int) -> String {
    self + String(repeating: "\0", count: max(0, count - utf8.count))
  }
}
