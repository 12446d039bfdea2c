internal import ISOBaseMedia

extension MovieFile {
  /// ISO/IEC 14496-12, 8.5 to 8.9, without auxiliary information, which encrypted videos have.
  private static let tables: [FourCC] = [
    "stsd", "stts", "ctts", "cslg", "stsc", "stsz", "stz2", "stco", "co64", "stss", "stps", "stsh", "sdtp", "padb",
    "stdp", "sgpd", "sbgp", "subs",
  ]

  /// The boxes of a sample entry to keep: for the decoder, the colors and the shape.
  private static let descriptions: [FourCC] = [
    "esds", "avcC", "hvcC", "lhvC", "mvcC", "vvcC", "av1C", "vpcC", "d263", "glbl", "dvcC", "dvvC", "dvwC", "hvcE",
    "colr", "gama", "fiel", "pasp", "clap", "btrt", "mdcv", "clli", "SmDm", "CoLL", "amve", "st3d", "sv3d", "vexu",
    "hfov", "damr", "dac3", "dec3", "dac4", "dOps", "dfLa", "alac", "wave", "chan", "chnl", "srat", "pcmC", "ddts",
    "dmlp", "mhaC", "SA3D", "ccst", "auxi",
  ]

  /// Maximum entries in one table; videos have one or two.
  private static let maxEntries = 64

  /// Strips a sample table and keeps its samples. Returns their NAL unit format, which must be the same for all.
  mutating func samples(_ table: Box, isImage: Bool) throws(Malformed) -> NALUnits? {
    let boxes = try keep(Self.tables, in: table.body)
    let description = try one("stsd", of: boxes).body
    let entries = try children(of: try behind(8, description))
    guard (1...Self.maxEntries).contains(entries.count), entries.count == (try number(description, 4, 4)),
      entries.allSatisfy(\.isWhole), let end = entries.last?.body.upperBound
    else { throw Malformed() }
    zero(end..<description.upperBound)
    var (frames, units) = ([Int?](), [NALUnits?]())
    for entry in entries {
      let (frame, unit) = try sampleEntry(entry, isImage: isImage)
      frames.append(frame)
      units.append(unit)
    }
    guard units.allSatisfy({ $0 == units[0] }) else { throw Malformed() }
    let sizes = try SampleSizes(one: boxes, in: self)
    // For uncompressed audio, a sample may be one byte or the bytes of all channels (QuickTime File Format, "Audio
    // Sample Descriptions"). The end of a chunk is only known if both interpretations agree.
    let times = try one("stts", of: boxes).body
    if !isImage, sizes.same > 0, try number(times, 4, 4) > 0, try number(times, 12, 4) == 1 {
      guard frames.allSatisfy({ $0 == sizes.same }) else { throw Malformed() }
    }
    try chunks(of: boxes, sizes, descriptions: frames.count, units: units[0])
    return units[0]
  }

  /// Strips vendor and encoder names from a sample entry. Returns the bytes of one audio sample of all channels if
  /// stated, and the NAL unit format of video.
  private mutating func sampleEntry(
    _ entry: Box, isImage: Bool
  ) throws(Malformed) -> (frame: Int?, units: NALUnits?) {
    zero(try part(entry.body, 12, 4))
    var (header, frame) = (78, Int?.none)
    if isImage {
      zero(try part(entry.body, 42, 32))
    } else {
      switch try number(entry.body, 8, 2) {
      case 0: (header, frame) = (28, try number(entry.body, 16, 2) * number(entry.body, 18, 2) / 8)
      case 1: (header, frame) = (44, try number(entry.body, 28, 4) == 1 ? number(entry.body, 36, 4) : nil)
      case 2: (header, frame) = (64, try number(entry.body, 60, 4) == 1 ? number(entry.body, 56, 4) : nil)
      default: throw Malformed()
      }
    }
    let rest = try behind(header, entry.body)
    let boxes = try children(of: rest)
    // An unknown box may be needed for decoding.
    let known = Self.descriptions + ["free", "skip", "wide", "uuid", "udta", "meta"]
    guard boxes.allSatisfy({ $0.isWhole && known.contains($0.type) }) else { throw Malformed() }
    for box in try keep(Self.descriptions, in: rest) where ["d263", "damr"].contains(box.type) {
      // 3GPP TS 26.244, 6.7 and 6.8: the vendor of the encoder.
      zero(try part(box.body, 0, 4))
    }
    return (frame, isImage ? try units(of: boxes) : nil)
  }

  /// Keeps the samples of each chunk, which are contiguous (ISO/IEC 14496-12, 8.7.4 and 8.7.5). A table that declares
  /// more entries than it has is malformed.
  private mutating func chunks(
    of boxes: [Box], _ sizes: SampleSizes, descriptions: Int, units: NALUnits?
  ) throws(Malformed) {
    let places = boxes.filter { ["stco", "co64"].contains($0.type) }
    guard places.count == 1, let places = places.first else { throw Malformed() }
    let width = places.type == "stco" ? 4 : 8
    let count = try number(places.body, 4, 4)
    let runs = try one("stsc", of: boxes)
    let runCount = try number(runs.body, 4, 4)
    var (run, sample) = (-1, 0)
    for chunk in 0..<count {
      if run + 1 < runCount, try number(runs.body, 20 + 12 * run, 4) == chunk + 1 { run += 1 }
      guard run >= 0, (1...descriptions).contains(try number(runs.body, 16 + 12 * run, 4)) else { throw Malformed() }
      let samples = try number(runs.body, 12 + 12 * run, 4)
      try claim(
        try number(places.body, 8 + width * chunk, width), try sizes.sum(from: sample, count: samples, in: self),
        units)
      sample += samples
    }
    guard sample == sizes.count, count == 0 || run + 1 == runCount else { throw Malformed() }
  }
}

/// The size of each sample of a track: `stsz` or `stz2` (ISO/IEC 14496-12, 8.7.3).
struct SampleSizes {
  /// The size of every sample in bytes; 0 if sizes differ.
  let same: Int
  /// Number of samples.
  let count: Int
  /// Bits per entry.
  private let bits: Int
  private let table: Range<Int>

  init(one boxes: [Box], in video: borrowing MovieFile) throws(MovieFile.Malformed) {
    let tables = boxes.filter { ["stsz", "stz2"].contains($0.type) }
    guard tables.count == 1, let box = tables.first else { throw MovieFile.Malformed() }
    let isCompact = box.type == "stz2"
    same = isCompact ? 0 : try video.number(box.body, 4, 4)
    bits = isCompact ? try video.number(box.body, 7, 1) : 32
    count = try video.number(box.body, 8, 4)
    table = try video.behind(12, box.body)
    guard same > 0 || ([4, 8, 16, 32].contains(bits) && count <= table.count * 8 / bits) else {
      throw MovieFile.Malformed()
    }
  }

  /// The total size of consecutive samples.
  func sum(from first: Int, count: Int, in video: borrowing MovieFile) throws(MovieFile.Malformed) -> Int {
    if same > 0 { return try MovieFile.product(same, count) }
    var sum = 0
    for sample in first..<(first + count) {
      if bits == 4 {
        let pair = try video.number(table, sample / 2, 1)
        sum += sample % 2 == 0 ? pair >> 4 : pair & 15
      } else {
        sum += try video.number(table, sample * bits / 8, bits / 8)
      }
    }
    return sum
  }
}
