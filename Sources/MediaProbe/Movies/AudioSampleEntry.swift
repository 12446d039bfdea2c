internal import ISOBaseMedia

/// A sample entry of audio (ISO/IEC 14496-12, 12.2.3; QuickTime File Format, "Media data atom types").
struct AudioSampleEntry {
  /// libavcodec's name of the codec.
  private(set) var codec: String
  private(set) var channels: Int
  /// In Hz; 0 for the timescale of the track.
  private(set) var sampleRate: Int

  /// Channels of a layout box.
  private var layoutChannels: Int?
  private var isConfigured = false

  init(_ source: Box.MemorySource, _ box: Box) throws(UnusualMovie) {
    var fields = MovieFields(source, box.body)
    // Reserved bytes and the data reference.
    try fields.skip(8)
    let version = try fields.unsigned(2)
    // Revision and vendor.
    try fields.skip(6)
    channels = try fields.unsigned(2)
    let bits = try fields.unsigned(2)
    // Compression and packet size.
    try fields.skip(4)
    // 16.16 fixed point.
    sampleRate = try fields.unsigned(4) >> 16
    // QuickTime's version 1 has the sizes of packets; version 2 is another layout.
    try UnusualMovie.unless(version <= 1)
    if version == 1 { try fields.skip(16) }
    codec = ""
    try setCodec(box.type, bits: bits)
    for child in try source.distinctBoxes(in: fields.rest) { try read(source, child, of: box.type) }
    try UnusualMovie.unless(
      isConfigured && (1...255).contains(channels) && (layoutChannels ?? channels) == channels)
  }

  private mutating func setCodec(_ type: FourCC, bits: Int) throws(UnusualMovie) {
    switch type {
    // The configuration decides.
    case "mp4a": codec = "aac"
    case "alac": codec = "alac"
    case "Opus": codec = "opus"
    // 3GPP TS 26.244, 6.5: the entry does not state them.
    case "samr": (codec, channels, sampleRate, isConfigured) = ("amr_nb", 1, 8_000, true)
    case "sawb": (codec, channels, sampleRate, isConfigured) = ("amr_wb", 1, 16_000, true)
    case ".mp3": (codec, isConfigured) = ("mp3", true)
    case "sowt" where bits == 16: (codec, isConfigured) = ("pcm_s16le", true)
    case "twos" where bits == 16: (codec, isConfigured) = ("pcm_s16be", true)
    default: throw UnusualMovie()
    }
  }

  private mutating func read(_ source: Box.MemorySource, _ box: Box, of type: FourCC) throws(UnusualMovie) {
    var fields = MovieFields(source, box.body)
    switch (type, box.type) {
    case ("mp4a", "esds"): try readStream(source, box.body)
    // QuickTime wraps it.
    case ("mp4a", "wave"):
      for child in try source.distinctBoxes(in: box.body) {
        switch child.type {
        case "esds": try readStream(source, child.body)
        // The last one is a terminator.
        case "frma", "mp4a", FourCC(rawValue: 0): break
        default: throw UnusualMovie()
        }
      }
    case ("alac", "alac"):
      // Apple Lossless Format Description: ALACSpecificConfig after version and flags.
      try UnusualMovie.unless(box.body.count == 28)
      try fields.skip(13)
      channels = try fields.unsigned(1)
      try fields.skip(10)
      sampleRate = try fields.unsigned(4)
      isConfigured = sampleRate > 0
    case ("Opus", "dOps"):
      let version = try fields.unsigned(1)
      try UnusualMovie.unless(box.body.count >= 11 && version == 0)
      isConfigured = true
    case (_, "chan"):
      _ = try fields.version()
      // Core Audio's layouts have the number of channels in the lower half, except for descriptions (0) and bitmaps (1 in the upper half).
      let layout = try fields.unsigned(4)
      try fields.skip(8)
      try UnusualMovie.unless(layoutChannels == nil && layout >> 16 > 1 && layout & 0xFFFF > 0)
      layoutChannels = layout & 0xFFFF
    case ("samr", "damr"), ("sawb", "damr"), (_, "btrt"): break
    default: throw UnusualMovie()
    }
  }

  private mutating func readStream(_ source: Box.MemorySource, _ body: Range<Int>) throws(UnusualMovie) {
    try UnusualMovie.unless(!isConfigured)
    isConfigured = true
    let stream = try AudioStreamDescriptor(source, body)
    guard let config = stream.config else {
      codec = "mp3"
      return
    }
    channels = config.channels
    sampleRate = config.sampleRate
  }
}

/// An audio track.
struct MovieAudio {
  let codec: String
  let channels: Int
  let sampleRate: Int

  init(_ entry: AudioSampleEntry, timescale: Int) throws(UnusualMovie) {
    codec = entry.codec
    channels = entry.channels
    sampleRate = entry.sampleRate > 0 ? entry.sampleRate : timescale
    // libavformat does not take 1 for a rate.
    try UnusualMovie.unless((2...Int(Int32.max)).contains(sampleRate))
  }
}
