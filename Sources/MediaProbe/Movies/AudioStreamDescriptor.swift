internal import ISOBaseMedia

/// The elementary stream descriptor of AAC or MP3 in MP4 (ISO/IEC 14496-1, 7.2.6.5).
struct AudioStreamDescriptor {
  /// Nil for MP3, which needs none.
  let config: AudioSpecificConfig?

  init(_ source: Box.MemorySource, _ body: Range<Int>) throws(UnusualMovie) {
    var fields = MovieFields(source, body)
    _ = try fields.version()
    // ES_Descriptor: a number, then flags for optional fields and the priority.
    _ = try fields.descriptor(3)
    try fields.skip(2)
    try UnusualMovie.unless(fields.unsigned(1) & 0xE0 == 0)
    // DecoderConfigDescriptor: the kind of stream, buffer size and bit rates.
    _ = try fields.descriptor(4)
    let kind = try fields.unsigned(1)
    try fields.skip(12)
    switch kind {
    // MPEG-4 audio; its DecoderSpecificInfo has the configuration.
    case 0x40:
      let length = try fields.descriptor(5)
      try UnusualMovie.unless((2...64).contains(length) && length <= fields.rest.count)
      config = try AudioSpecificConfig(Array(source.bytes[fields.rest].prefix(length)))
    // MPEG-1 audio.
    case 0x6B: config = nil
    default: throw UnusualMovie()
    }
  }
}

extension MovieFields {
  /// The length of a descriptor with this tag: seven bits per byte, in at most four bytes (ISO/IEC 14496-1, 8.3.3).
  fileprivate mutating func descriptor(_ tag: Int) throws(UnusualMovie) -> Int {
    try UnusualMovie.unless(unsigned(1) == tag)
    var length = 0
    for _ in 0..<4 {
      let byte = try unsigned(1)
      length = length << 7 | byte & 0x7F
      if byte & 0x80 == 0 { return length }
    }
    return length
  }
}

/// The configuration of AAC (ISO/IEC 14496-3, 1.6.2.1): AAC LC, also with spectral band replication (HE-AAC).
struct AudioSpecificConfig {
  let channels: Int
  /// In Hz; with spectral band replication that of the output.
  let sampleRate: Int

  init(_ bytes: [UInt8]) throws(UnusualMovie) {
    var bits = Bits(bytes: bytes)
    let type = bits.audioType()
    let core = try bits.sampleRate()
    let layout = bits.next(4)
    var extended: Int?
    switch type {
    case 2: extended = try bits.extensionAtEnd()
    // SBR, and with parametric stereo.
    case 5, 29:
      // A draft of MP3 in MP4 used the same type.
      try UnusualMovie.unless(type == 5 || bits.peek(3) & 3 == 0 || bits.peek(9) & 0x3F != 0)
      extended = try bits.sampleRate()
      try UnusualMovie.unless(bits.audioType() == 2)
    default: throw UnusualMovie()
    }
    // 0 is a layout of its own, 8 and above are rare.
    try UnusualMovie.unless((1...7).contains(layout))
    channels = layout == 7 ? 8 : layout
    sampleRate = extended ?? core
  }

  /// The bits of a configuration, followed by zeros.
  private struct Bits {
    private static let sampleRates = [
      96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]
    let bytes: [UInt8]
    private var offset = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var left: Int { bytes.count * 8 - offset }

    func peek(_ count: Int) -> Int {
      (offset..<offset + count).reduce(0) { value, bit in
        value << 1 | (bit / 8 < bytes.count ? Int(bytes[bit / 8] >> (7 - UInt8(bit % 8)) & 1) : 0)
      }
    }

    mutating func next(_ count: Int) -> Int {
      defer { offset += count }
      return peek(count)
    }

    mutating func audioType() -> Int {
      let type = next(5)
      return type == 31 ? 32 + next(6) : type
    }

    mutating func sampleRate() throws(UnusualMovie) -> Int {
      let index = next(4)
      let rate = index == 15 ? next(24) : index < Self.sampleRates.count ? Self.sampleRates[index] : 0
      try UnusualMovie.unless(rate > 0)
      return rate
    }

    /// The sample rate of an extension after the configuration, as older decoders ignore it (1.6.6.1).
    mutating func extensionAtEnd() throws(UnusualMovie) -> Int? {
      while left > 15 {
        guard peek(11) == 0x2B7 else {
          offset += 1
          continue
        }
        offset += 11
        guard audioType() == 5, next(1) == 1 else { return nil }
        return try sampleRate()
      }
      return nil
    }
  }
}
