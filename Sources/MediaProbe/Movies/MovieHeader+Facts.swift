internal import CLibAV
internal import CMediaShims
internal import MediaModel

extension ContainerFacts {
  /// The facts that a movie box states.
  init(_ movie: MovieHeader) {
    let streams = movie.tracks.compactMap { StreamFacts($0) }
    self.init(
      streams: streams, video: streams.first { $0.role == .video }, tags: movie.tags.tags, duration: movie.duration,
      hasCover: movie.tags.hasCover)
  }
}

extension StreamFacts {
  /// The facts of a track; nil for a track of neither video nor audio.
  init?(_ track: MovieTrack) {
    let tags = AVTags(track.creationTime.map { ["creation_time": $0] } ?? [:])
    switch track.media {
    case .video(let video):
      self.init(role: .video, isDefault: track.isEnabled, codec: video.entry.codec, tags: tags)
      let aspect = AVRational(
        num: Int32(clamping: video.entry.aspect?.width ?? 0), den: Int32(clamping: video.entry.aspect?.height ?? 1))
      matrix = video.matrix
      size = video.matrix.orientation.displayed(Self.squared(video.entry.size, aspect))
      frameRate = video.frameRate
      hdr = video.entry.hdr
      if hdr != nil { primaries = video.entry.primaries.flatMap(MediaInfo.ColorPrimaries.init(colorPrimaries:)) }
      alpha = video.entry.hasAlpha
    case .audio(let audio):
      self.init(role: .audio, isDefault: track.isEnabled, codec: audio.codec, tags: tags)
      channels = audio.channels
      sampleRate = audio.sampleRate
    case nil: return nil
    }
  }
}
