internal import MediaModel

/// The length of sounds whose container does not state it: MP3, ADTS, AMR.
///
/// libav estimates it from the bit rate of the first frames, which is wrong for every variable bit rate. The frames say it: each
/// is as long as its header tells, and a step from header to header costs next to nothing.
struct SoundDuration {
  let seconds: Double
  /// Whether the last frame is cut short.
  let isTruncated: Bool

  /// Frames are counted so far; what comes behind is taken to be like what was counted. Bounds the bytes read.
  private static let farthest = 4_194_304

  /// nil for other types, and when no frames are found.
  init?(of type: MediaType, _ reader: ByteReader) {
    switch type {
    case .mpegAudio: self.init(mpeg: reader)
    case .adts:
      self.init(reader, from: ID3Tag.end(reader, at: 0) ?? 0) { offset in
        ADTSHeader(reader, at: offset).map { ($0.length, Double($0.samples) / Double($0.sampleRate)) }
      }
    case .amr, .amrWideband:
      guard !reader.has("#!AMR_MC", at: 0) else { return nil }
      let wideband = type == .amrWideband
      self.init(reader, from: wideband ? 9 : 6) { offset in
        reader.u8(offset).flatMap { AMRFrame.length($0, wideband: wideband) }.map { ($0, 0.02) }
      }
    default: return nil
    }
  }

  private init(seconds: Double, isTruncated: Bool) {
    self.seconds = seconds
    self.isTruncated = isTruncated
  }

  private init?(mpeg reader: ByteReader) {
    var start = ID3Tag.end(reader, at: 0) ?? 0
    let limit = min(reader.count, start + 4_096)
    while start < limit, reader.u8(start) == 0 { start += 1 }
    guard let first = MPEGAudioHeader(reader, at: start) else { return nil }
    if let frames = Self.statedFrames(reader, start, first) {
      let seconds = Double(frames) * Double(first.samples) / Double(first.sampleRate)
      self.init(seconds: seconds, isTruncated: false)
      return
    }
    self.init(reader, from: start) { offset in
      guard let header = MPEGAudioHeader(reader, at: offset), header.stable == first.stable else { return nil }
      return (header.length, Double(header.samples) / Double(header.sampleRate))
    }
  }

  /// The number of frames in a Xing, Info or VBRI header, which stands where the first frame's sound would.
  private static func statedFrames(_ reader: ByteReader, _ start: Int, _ first: MPEGAudioHeader) -> UInt32? {
    let xing = start + first.xingOffset
    if reader.has("Xing", at: xing) || reader.has("Info", at: xing) {
      guard let flags = reader.u32be(xing + 4), flags & 1 != 0 else { return nil }
      return reader.u32be(xing + 8).flatMap { $0 > 0 ? $0 : nil }
    }
    if reader.has("VBRI", at: start + 36) { return reader.u32be(start + 36 + 14).flatMap { $0 > 0 ? $0 : nil } }
    return nil
  }

  /// Steps from frame to frame.
  private init?(_ reader: ByteReader, from start: Int, frame: (Int) -> (length: Int, seconds: Double)?) {
    var offset = start
    var seconds = 0.0
    while offset < reader.count, offset - start < Self.farthest, let next = frame(offset) {
      offset += next.length
      seconds += next.seconds
    }
    guard offset > start else { return nil }
    if offset - start >= Self.farthest {
      seconds *= Double(reader.count - start) / Double(offset - start)
    }
    self.init(seconds: seconds, isTruncated: offset > reader.count)
  }
}
