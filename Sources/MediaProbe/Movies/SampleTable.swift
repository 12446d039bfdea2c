internal import ISOBaseMedia

/// The sample table of a track (ISO/IEC 14496-12, 8.5).
///
/// Counts and sizes are checked as libavformat does, which refuses a file for some of them. What it only keeps for later is skipped.
struct SampleTable {
  enum Entry {
    case video(VideoSampleEntry)
    case audio(AudioSampleEntry)
    /// Timecodes, texts or timed metadata.
    case other
  }

  private(set) var entry = Entry.other
  /// Number of samples, and their duration in units of the track.
  private(set) var samples = 0
  private(set) var ticks = 0

  private var lastChunk = 0
  private var chunks = 0

  init(_ source: Box.MemorySource, _ body: Range<Int>, _ handler: FourCC) throws(UnusualMovie) {
    var found: Set<FourCC> = []
    var groups = SampleGroups()
    for box in try source.distinctBoxes(in: body, repeating: ["sgpd", "sbgp", "free", "skip"]) {
      var fields = MovieFields(source, box.body)
      found.insert(box.type)
      switch box.type {
      case "stsd":
        // The sizes of samples that are not compressed follow from the entry.
        try UnusualMovie.unless(!found.contains("stsz"))
        entry = try Self.entry(&fields, source, handler)
      case "stts": try readTimes(&fields)
      case "stsc": try readChunks(&fields)
      case "stsz": try Self.checkSizes(&fields, source)
      case "stco", "co64":
        _ = try fields.version()
        chunks = try fields.count(ofRecords: box.type == "stco" ? 4 : 8)
      case "stss", "stps":
        _ = try fields.version(0...1)
        _ = try fields.count(ofRecords: 4)
      case "ctts": try groups.readOffsets(&fields)
      case "sgpd": try groups.readDescriptions(&fields)
      case "sbgp": try groups.readSamples(&fields)
      case "sdtp", "cslg", "free", "skip": break
      default: throw UnusualMovie()
      }
    }
    try groups.check(samples: samples)
    let offsets = found.intersection(["stco", "co64"])
    try UnusualMovie.unless(
      found.isSuperset(of: ["stsd", "stts", "stsc", "stsz"]) && offsets.count == 1 && chunks > 0
        && (1...chunks).contains(lastChunk))
  }

  private static func entry(
    _ fields: inout MovieFields, _ source: Box.MemorySource, _ handler: FourCC
  ) throws(UnusualMovie) -> Entry {
    _ = try fields.version()
    try UnusualMovie.unless(fields.unsigned(4) == 1)
    let entries = try source.boxes(in: fields.rest)
    guard let box = entries.first, entries.count == 1, box.body.count >= 8 else { throw UnusualMovie() }
    switch handler {
    case "vide": return .video(try VideoSampleEntry(source, box))
    case "soun": return .audio(try AudioSampleEntry(source, box))
    default:
      // libavformat takes other tracks for audio or video if their entries have such a type.
      try UnusualMovie.unless(handler != "m1a " && ["tmcd", "mebx", "tx3g", "text"].contains(box.type))
      // It would read a box of this type in a text's description.
      try UnusualMovie.unless(source.number(at: box.body.lowerBound + 12, bytes: 4) != fieldOrder)
      return .other
    }
  }

  /// `fiel`.
  private static let fieldOrder: UInt64 = 0x6669_656C

  private mutating func readTimes(_ fields: inout MovieFields) throws(UnusualMovie) {
    _ = try fields.version()
    let count = try fields.count(ofRecords: 8)
    try UnusualMovie.unless(count > 0)
    for _ in 0..<count {
      let (number, delta) = (try fields.unsigned(4), try fields.unsigned(4))
      // libavformat corrects larger steps. With both bounds, neither the product nor the sums overflow.
      try UnusualMovie.unless(number <= Int(Int32.max) && delta < 0x7FFF_FFFF)
      samples += number
      ticks += number * delta
      try UnusualMovie.unless(samples <= Int(Int32.max) && ticks < 1 << 52)
    }
  }

  private mutating func readChunks(_ fields: inout MovieFields) throws(UnusualMovie) {
    _ = try fields.version()
    for _ in 0..<(try fields.count(ofRecords: 12)) {
      let (first, number, entry) = (try fields.unsigned(4), try fields.unsigned(4), try fields.unsigned(4))
      try UnusualMovie.unless(first > lastChunk && (1...Int(Int32.max)).contains(number) && entry == 1)
      lastChunk = first
    }
  }

  private static func checkSizes(_ fields: inout MovieFields, _ source: Box.MemorySource) throws(UnusualMovie) {
    _ = try fields.version()
    let size = try fields.unsigned(4)
    guard size == 0 else {
      try UnusualMovie.unless(fields.unsigned(4) > 0)
      return
    }
    let count = try fields.count(ofRecords: 4)
    try UnusualMovie.unless(count > 0)
    // A size of two gigabytes is negative for libavformat, which then refuses the file. There can be a million sizes.
    let start = fields.rest.lowerBound
    let isInvalid = source.bytes.withUnsafeBufferPointer { bytes in
      stride(from: start, to: start + count * 4, by: 4).contains { bytes[$0] > 0x7F }
    }
    try UnusualMovie.unless(!isInvalid)
  }
}
