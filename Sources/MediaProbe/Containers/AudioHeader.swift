internal import ISOBaseMedia
internal import MediaModel

/// What the header of an audio format states that no demuxer is allowed for: Monkey's Audio, Musepack and RealAudio.
///
/// Their files are not decoded here. Reading the header is enough for the facts, and is no risk.
struct AudioHeader {
  /// libavcodec's name of the codec.
  var codec: String?
  var channels: Int?
  var sampleRate: Int?
  /// Duration in seconds.
  var duration: Double?
  /// Whether the header announces more bytes than the file has.
  var isCut = false

  /// Nil for other types.
  init?(of type: MediaType, _ reader: ByteReader) {
    switch type {
    case .monkeysAudio: self = MonkeysAudio.header(reader)
    case .musepack: self = Musepack.header(reader)
    case .realAudio, .realMedia: self = RealMedia.header(reader)
    default: return nil
    }
  }

  init(codec: String? = nil) { self.codec = codec }

  /// Adds the facts, within the range of each.
  func apply(to info: inout MediaInfo) {
    info.audioCodec = codec
    info.channels = channels.flatMap { (1...255).contains($0) ? $0 : nil }
    info.sampleRate = sampleRate.flatMap { (1...1_000_000).contains($0) ? $0 : nil }
    if let duration, duration > 0, duration < 3e10 {
      let milliseconds = (duration * 1_000).rounded()
      info.duration = milliseconds > 0 ? milliseconds / 1_000 : nil
      let bitRate = Double(info.bytes) * 8 / duration
      if bitRate >= 1, bitRate < 1e12 { info.bitRate = Int(bitRate.rounded()) }
    }
    if isCut {
      info.error = .endsEarly
    } else if duration == nil {
      info.error = MediaFailure(.corrupt, "The header of the audio file cannot be read.")
    }
  }

  /// Sets the duration of a number of samples.
  fileprivate mutating func setDuration(samples: Int) {
    if samples > 0, let sampleRate, sampleRate > 0 { duration = Double(samples) / Double(sampleRate) }
  }
}

/// Monkey's Audio: the descriptor and the header of version 3.98, and the header of older files
/// (`APE_DESCRIPTOR`, `APE_HEADER` and `APE_HEADER_OLD` of its SDK).
enum MonkeysAudio {
  static func header(_ reader: ByteReader) -> AudioHeader {
    var header = AudioHeader(codec: "ape")
    guard let version = reader.u16le(4) else { return header }
    let blocks: Int
    let frames: UInt32?
    let last: UInt32?
    if version >= 3_980 {
      guard let descriptor = reader.u32le(8), let length = reader.u32le(12), let seek = reader.u32le(16),
        let wave = reader.u32le(20), let audio = reader.u32le(24), let more = reader.u32le(28)
      else { return header }
      let start = Int(descriptor)
      blocks = Int(reader.u32le(start + 4) ?? 0)
      (last, frames) = (reader.u32le(start + 8), reader.u32le(start + 12))
      header.channels = reader.u16le(start + 18).map(Int.init)
      header.sampleRate = reader.u32le(start + 20).map(Int.init)
      // The upper half of the audio's length can be more than any file has; five numbers of 32 bits cannot overflow.
      let stated = [descriptor, length, seek, wave, audio].reduce(0) { $0 + Int($1) }
      header.isCut = more > 0x7FFF || stated + Int(more) << 32 > reader.count
    } else {
      let level = reader.u16le(6) ?? 0
      header.channels = reader.u16le(10).map(Int.init)
      header.sampleRate = reader.u32le(12).map(Int.init)
      (frames, last) = (reader.u32le(24), reader.u32le(28))
      blocks = version >= 3_950 ? 294_912 : version >= 3_900 || version >= 3_800 && level >= 4_000 ? 73_728 : 9_216
    }
    if let frames, let last, frames > 0 {
      let (samples, overflow) = (Int(frames) - 1).multipliedReportingOverflow(by: blocks)
      // Far more than any file has, and far less than would overflow with the last frame.
      if !overflow, samples < 1 << 60 { header.setDuration(samples: samples + Int(last)) }
    }
    return header
  }
}

/// Musepack: stream versions 7 (frames of 1,152 samples) and 8 (packets, of which the stream header has the samples).
/// https://trac.musepack.net/musepack/wiki/SV8Specification
enum Musepack {
  private static let sampleRates = [44_100, 48_000, 37_800, 32_000]
  /// Packets before the stream header; it is the first one in every file that is known.
  private static let packetLimit = 8

  static func header(_ reader: ByteReader) -> AudioHeader {
    if reader.has("MPCK", at: 0) { return version8(reader) }
    var header = AudioHeader(codec: "musepack7")
    guard let frames = reader.u32le(4), let rate = reader.u8(10) else { return header }
    header.channels = 2
    header.sampleRate = sampleRates[Int(rate & 3)]
    header.setDuration(samples: Int(frames) * 1_152)
    return header
  }

  private static func version8(_ reader: ByteReader) -> AudioHeader {
    var header = AudioHeader(codec: "musepack8")
    var offset = 4
    for _ in 0..<packetLimit {
      // The size counts the key and itself.
      guard let size = number(reader, offset + 2), size.value >= 2 + size.width,
        size.value <= reader.count - offset
      else { return header }
      if reader.has("SH", at: offset) {
        // A checksum and the version are before the samples, the silence at the start after them.
        let start = offset + 2 + size.width + 5
        guard let samples = number(reader, start), let silence = number(reader, start + samples.width),
          let rate = reader.u8(start + samples.width + silence.width),
          let channels = reader.u8(start + samples.width + silence.width + 1), Int(rate >> 5) < sampleRates.count
        else { return header }
        header.sampleRate = sampleRates[Int(rate >> 5)]
        header.channels = Int(channels >> 4) + 1
        header.setDuration(samples: samples.value)
        return header
      }
      offset += size.value
    }
    return header
  }

  /// A number of seven bits per byte, the most significant first.
  private static func number(_ reader: ByteReader, _ offset: Int) -> (value: Int, width: Int)? {
    var value = 0
    for width in 1...8 {
      guard let byte = reader.u8(offset + width - 1) else { return nil }
      value = value << 7 | Int(byte & 0x7F)
      if byte & 0x80 == 0 { return (value, width) }
    }
    return nil
  }
}

/// RealAudio (`.ra`) and RealMedia (`.RMF`). https://wiki.multimedia.cx/index.php/RealMedia
enum RealMedia {
  /// Maximum number of chunks before the data.
  private static let chunkLimit = 64
  private static let codecs = [
    "lpcJ": "ra_144", "14_4": "ra_144", "28_8": "ra_288", "dnet": "ac3", "sipr": "sipr", "cook": "cook",
    "atrc": "atrac3",
    "raac": "aac", "racp": "aac", "ralf": "ralf",
  ]

  static func header(_ reader: ByteReader) -> AudioHeader {
    if reader.has(".RMF", at: 0) { return media(reader) }
    return audio(reader, at: 0)
  }

  /// Whether one of the streams is a video.
  static func hasVideo(_ reader: ByteReader) -> Bool {
    chunks(reader).contains { chunk in chunk.type == "MDPR" && types(reader, chunk.body).contains("video/") }
  }

  /// The first streams' types, which are after two texts with their lengths.
  private static func types(_ reader: ByteReader, _ body: Range<Int>) -> String {
    let name = body.lowerBound + 30
    let type = name + 1 + Int(reader.u8(name) ?? 0)
    return String(decoding: reader.bytes(type + 1, Int(reader.u8(type) ?? 0)), as: UTF8.self)
  }

  /// The chunks before the data, without type, size and version.
  private static func chunks(_ reader: ByteReader) -> [(type: FourCC, body: Range<Int>)] {
    var chunks: [(type: FourCC, body: Range<Int>)] = []
    var offset = 0
    while chunks.count < chunkLimit, let type = reader.fourCC(offset), let size = reader.u32be(offset + 4),
      size >= 10, type != "DATA", Int(size) <= reader.count - offset
    {
      chunks.append((type, offset + 10..<offset + Int(size)))
      offset += Int(size)
    }
    return chunks
  }

  private static func media(_ reader: ByteReader) -> AudioHeader {
    var header = AudioHeader()
    for chunk in chunks(reader) {
      let start = chunk.body.lowerBound
      switch chunk.type {
      // Milliseconds.
      case "PROP": header.duration = reader.u32be(start + 20).map { Double($0) / 1_000 }
      case "MDPR" where header.codec == nil && types(reader, chunk.body).hasPrefix("audio/"):
        let name = start + 30
        let type = name + 1 + Int(reader.u8(name) ?? 0)
        // A length of four bytes, then the header of a RealAudio file.
        let stream = audio(reader, at: type + 1 + Int(reader.u8(type) ?? 0) + 4)
        (header.codec, header.channels, header.sampleRate) = (stream.codec, stream.channels, stream.sampleRate)
      default: break
      }
    }
    return header
  }

  /// The header of a RealAudio file or stream, of versions 3, 4 and 5.
  private static func audio(_ reader: ByteReader, at start: Int) -> AudioHeader {
    var header = AudioHeader()
    guard reader.u32be(start) == 0x2E72_61FD, let version = reader.u16be(start + 4) else { return header }
    let perMinute: UInt32?
    let bytes: UInt32?
    switch version {
    case 3:
      (header.codec, header.sampleRate, header.channels) = ("ra_144", 8_000, 1)
      (perMinute, bytes) = (reader.u16be(start + 16).map(UInt32.init), reader.u32be(start + 18))
    case 4, 5:
      (bytes, perMinute) = (reader.u32be(start + 28), reader.u32be(start + 32))
      let rate = start + (version == 4 ? 48 : 54)
      header.sampleRate = reader.u16be(rate).map(Int.init)
      header.channels = reader.u16be(rate + 6).map(Int.init)
      // Version 4 has lengths before the names of interleaver and codec.
      let name = version == 4 ? rate + 14 : rate + 12
      header.codec = codecs[String(decoding: reader.bytes(name, 4), as: UTF8.self)]
    default: return header
    }
    if let bytes, let perMinute, bytes > 0, perMinute > 0 { header.duration = Double(bytes) * 60 / Double(perMinute) }
    return header
  }
}
