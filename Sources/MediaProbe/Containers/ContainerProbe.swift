internal import CLibAV
internal import MediaModel

/// Facts of video and sound.
enum ContainerProbe {
  /// Adds to `info` what the container says. `info.type` chooses the reader, and may become more exact: an MP4 without pictures
  /// is `audio/mp4`.
  static func apply(to info: inout MediaInfo, input: borrowing MediaInput, reader: ByteReader) {
    guard let demuxer = Demuxers.name(for: info.type, reader) else { return }
    let structure = ContainerStructure(of: info.type, input, reader)
    // The damage that the structure shows explains what libav fails to read.
    info.error = structure.failure
    do {
      let container = try AVContainer(input, demuxer: demuxer, decoders: Demuxers.decoders)
      try read(container, into: &info, structure, SoundDuration(of: info.type, reader))
    } catch {
      // A passed deadline or an input error says more than the half-read structure.
      if info.error == nil || error.code != .corrupt { info.error = error }
    }
  }

  private static func read(
    _ container: borrowing AVContainer, into info: inout MediaInfo, _ structure: ContainerStructure,
    _ sound: SoundDuration?
  ) throws(MediaFailure) {
    var facts = ContainerFacts(container)
    var failure: MediaFailure?
    let duration = structure.duration ?? sound?.seconds
    if container.hasNoHeader || facts.isIncomplete || (duration ?? facts.duration) == nil {
      do { try container.readStreamInfo() } catch { failure = error }
      facts = ContainerFacts(container)
    }
    facts.apply(to: &info, duration: duration ?? facts.duration)
    if info.error == nil, sound?.isTruncated == true { info.error = .endsEarly }
    if info.error == nil, failure == nil, !facts.hasStreams {
      info.error = MediaFailure(.unsupported, "It holds neither pictures nor sound.")
    }
    // What was found stands; a stream that could not be read is no reason to drop it, unless time or input failed.
    if let failure, failure.code != .corrupt { throw failure }
  }
}

extension MediaFailure {
  /// The file is shorter than its own structure.
  static let endsEarly = MediaFailure(.truncated, "The file ends before its content does.")
}

/// The facts of an open container, put together from its streams and tags.
struct ContainerFacts {
  private let video: StreamFacts?
  private let audio: StreamFacts?
  private let hasCover: Bool
  private let tags: AVTags
  /// Seconds.
  let duration: Double?
  /// Whether packets have to be read to know more.
  let isIncomplete: Bool

  init(_ container: borrowing AVContainer) {
    let streams = container.withContext { context in
      container.withStreams { $0.map { StreamFacts($0, in: context) } }
    }
    func best(_ role: StreamFacts.Role) -> StreamFacts? {
      let candidates = streams.filter { $0.role == role }
      return candidates.first { $0.isDefault } ?? candidates.first
    }
    video = best(.video)
    audio = best(.audio)
    hasCover = streams.contains { $0.role == .cover }
    isIncomplete = streams.contains { $0.isIncomplete }
    duration = container.duration ?? streams.filter { $0.role != .cover }.compactMap(\.duration).max()
    // Ogg keeps the tags of the work with the stream.
    tags = [video, audio].compactMap { $0 }.reduce(container.tags) { $0.merging($1.tags) }
  }

  var hasStreams: Bool { video != nil || audio != nil }

  func apply(to info: inout MediaInfo, duration: Double?) {
    if let video {
      apply(video, to: &info)
    } else if audio != nil {
      info.kind = .audio
      if hasCover { info.coverArt = true }
    }
    info.type =
      (video == nil ? audio == nil ? nil : TypeTable.withoutVideo[info.type] : TypeTable.withVideo[info.type])
      ?? info.type
    info.extension = info.type.preferredExtension
    if let audio {
      info.audioCodec = audio.codec
      info.channels = audio.channels
      info.sampleRate = audio.sampleRate
    }
    // A header can claim any length: a thousand years is no recording.
    if let duration, duration > 0, duration < 3e10 {
      info.duration = (duration * 1_000).rounded() / 1_000
      let bitRate = Double(info.bytes) * 8 / duration
      if bitRate >= 1, bitRate < 1e12 { info.bitRate = Int(bitRate.rounded()) }
    }
    ContainerTags.apply(tags, to: &info)
  }

  private func apply(_ video: StreamFacts, to info: inout MediaInfo) {
    info.kind = .video
    info.videoCodec = video.codec
    info.width = video.size?.width
    info.height = video.size?.height
    info.rotation = video.matrix.flatMap { $0.rotation == 0 ? nil : $0.rotation }
    info.frameRate = video.frameRate
    info.hdr = video.hdr
    if video.alpha { info.alpha = true }
  }
}
