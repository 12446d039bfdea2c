internal import CMediaShims
internal import MediaModel

/// The facts of an open container, collected from its streams and tags.
struct ContainerFacts {
  private let video: StreamFacts?
  private let audio: StreamFacts?
  private let hasCover: Bool
  /// Number of video tracks, of which a player shows one.
  private let videoTracks: Int
  private let tags: AVTags
  /// Duration in seconds.
  let duration: Double?
  /// Whether packets must be read for missing facts.
  let isIncomplete: Bool

  init(_ container: borrowing AVContainer) {
    let (streams, index) = container.withContext { context in
      let best = mediatool_av_video(context, Demuxers.imageDecoders.joined(separator: ","))
      return container.withStreams { streams in
        (streams.map { StreamFacts($0, in: context) }, streams.firstIndex { $0 == best })
      }
    }
    self.init(
      streams: streams, video: index.map { streams[$0] }, tags: container.tags, duration: container.duration,
      hasCover: streams.contains { $0.role == .cover })
  }

  /// - Parameters:
  ///   - video: The stream of video that a player shows.
  ///   - tags: The tags of the file, which take precedence over those of the streams.
  ///   - duration: Duration in seconds that the file states.
  init(streams: [StreamFacts], video: StreamFacts?, tags: AVTags, duration: Double?, hasCover: Bool) {
    self.video = video
    let audios = streams.filter { $0.role == .audio }
    audio = audios.first { $0.isDefault } ?? audios.first
    self.hasCover = hasCover
    videoTracks = streams.count { $0.role == .video }
    isIncomplete = streams.contains { $0.isIncomplete }
    self.duration = duration ?? streams.filter { $0.role != .cover }.compactMap(\.duration).max()
    // Ogg stores the tags of the work in the stream.
    self.tags = [video, audio].compactMap { $0 }.reduce(tags) { $0.merging($1.tags) }
  }

  /// Whether there is a video stream, an audio stream or a cover.
  var hasStreams: Bool { video != nil || audio != nil || hasCover }

  func apply(to info: inout MediaInfo, duration: Double?) {
    if let video {
      apply(video, to: &info)
    } else if audio != nil {
      info.kind = .audio
      if hasCover { info.coverArt = true }
    } else if hasCover {
      info.coverArt = true
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
    // A header can claim any duration; a thousand years is implausible.
    if let duration, duration > 0, duration < 3e10 {
      let milliseconds = (duration * 1_000).rounded()
      info.duration = milliseconds > 0 ? milliseconds / 1_000 : nil
      let bitRate = Double(info.bytes) * 8 / duration
      if bitRate >= 1, bitRate < 1e12 { info.bitRate = Int(bitRate.rounded()) }
    }
    ContainerTags.apply(tags, to: &info)
  }

  private func apply(_ video: StreamFacts, to info: inout MediaInfo) {
    info.kind = .video
    info.videoCodec = video.codec
    if videoTracks > 1 { info.tracks = videoTracks }
    info.width = video.size?.width
    info.height = video.size?.height
    info.rotation = video.matrix.flatMap { $0.rotation == 0 ? nil : $0.rotation }
    info.frameRate = video.frameRate
    info.hdr = video.hdr
    info.colorPrimaries = video.primaries
    if video.alpha { info.alpha = true }
  }
}
