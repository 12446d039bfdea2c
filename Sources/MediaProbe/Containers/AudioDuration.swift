internal import MediaModel

/// The duration of audio files whose container does not state it: MP3, ADTS, AMR.
///
/// libav estimates it from the bit rate of the first frames, which is wrong for variable bit rates. Frame headers state
/// the exact duration of each frame, and reading only headers is cheap.
struct AudioDuration {
  let seconds: Double
  /// Whether the last frame is truncated.
  let isTruncated: Bool

  /// Frames are counted up to this offset; the rest is extrapolated. It bounds the bytes read.
  private static let farthest = 4_194_304

  /// Nil for other types, and if no frames are found.
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
    // Between two tags, or where it was cut out of a longer recording, the audio begins in the middle of a frame.
    if MPEGAudioHeader(reader, at: start) == nil { start = MPEGSignatures.firstFrame(reader, from: start) ?? start }
    guard let first = MPEGAudioHeader(reader, at: start) else { return nil }
    // A header that states fewer bytes than the file has belongs to the first of several concatenated recordings.
    if let stated = Self.statedFrames(reader, start, first),
      stated.bytes == 0 || stated.bytes >= (reader.count - start) / 10 * 9
    {
      let seconds = Double(stated.count) * Double(first.samples) / Double(first.sampleRate)
      self.init(seconds: seconds, isTruncated: start + stated.bytes > reader.count)
      return
    }
    self.init(reader, from: start) { offset in
      guard let header = MPEGAudioHeader(reader, at: offset), header.stable == first.stable else { return nil }
      return (header.length, Double(header.samples) / Double(header.sampleRate))
    }
  }

  /// The frame count and the byte count of a Xing, Info or VBRI header, which replaces the audio of the first frame. A
  /// byte count of 0 is not stated.
  private static func statedFrames(
    _ reader: ByteReader, _ start: Int, _ first: MPEGAudioHeader
  ) -> (count: UInt32, bytes: Int)? {
    let xing = start + first.xingOffset
    if reader.has("Xing", at: xing) || reader.has("Info", at: xing) {
      guard let flags = reader.u32be(xing + 4), flags & 1 != 0, let count = reader.u32be(xing + 8), count > 0 else {
        return nil
      }
      return (count, flags & 2 != 0 ? Int(reader.u32be(xing + 12) ?? 0) : 0)
    }
    let vbri = start + 36
    guard reader.has("VBRI", at: vbri), let bytes = reader.u32be(vbri + 10), let count = reader.u32be(vbri + 14),
      count > 0
    else { return nil }
    return (count, Int(bytes))
  }

  /// Counts frames from header to header.
  private init?(_ reader: ByteReader, from start: Int, frame: (Int) -> (length: Int, seconds: Double)?) {
    var offset = start
    var seconds = 0.0
    while offset < reader.count, offset - start < Self.farthest, let next = frame(offset) {
      offset += next.length
      seconds += next.seconds
    }
    guard offset > start else { return nil }
    // After the limit, or after junk between frames, the rest is extrapolated. A tag ends the audio.
    if offset < reader.count, !MPEGSignatures.isTrailingTag(reader, offset) {
      seconds *= Double(reader.count - start) / Double(offset - start)
    }
    self.init(seconds: seconds, isTruncated: offset > reader.count)
  }
}
