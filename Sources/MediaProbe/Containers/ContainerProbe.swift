internal import MediaModel

/// Finds the facts of video and audio files.
enum ContainerProbe {
  /// Adds the facts of the container to `info`.
  ///
  /// `info.type` selects the demuxer and may become more specific: an MP4 without a video stream becomes `audio/mp4`.
  static func apply(to info: inout MediaInfo, input: borrowing MediaInput, reader: ByteReader) {
    if let header = AudioHeader(of: info.type, reader) { return header.apply(to: &info) }
    guard let demuxer = Demuxers.name(for: info.type, reader) else { return }
    let structure = ContainerStructure(of: info.type, input, reader)
    if info.type == .mpegAudio, APETag(reader)?.cover != nil { info.coverArt = true }
    // Damage in the structure explains why libav fails.
    info.error = structure.failure
    guard structure.isReadable else { return }
    if demuxer == "mov", readMovie(into: &info, structure, reader) { return }
    demux(demuxer, into: &info, input: input, reader: reader, structure)
  }

  /// Adds the facts of a usual movie, without FFmpeg.
  ///
  /// - Returns: Whether they were added. False for an unusual file, but true if it cannot be read, which is in `reader.failure`.
  static func readMovie(
    into info: inout MediaInfo, _ structure: ContainerStructure, _ reader: ByteReader
  ) -> Bool {
    guard structure.failure == nil, structure.duration == nil else { return false }
    do {
      let facts = ContainerFacts(try MovieHeader(reader))
      facts.apply(to: &info, duration: facts.duration)
      return true
    } catch { return reader.failure != nil }
  }

  /// Adds the facts that libavformat finds.
  static func demux(
    _ demuxer: String, into info: inout MediaInfo, input: borrowing MediaInput, reader: ByteReader,
    _ structure: ContainerStructure
  ) {
    do {
      let container = try AVContainer(input, demuxer: demuxer, decoders: Demuxers.decoders)
      try read(container, demuxer, into: &info, structure, AudioDuration(of: info.type, reader))
    } catch {
      // A timeout or a read error is more informative than a partly read structure.
      if info.error == nil || error.code != .corrupt { info.error = error }
    }
  }

  private static func read(
    _ container: borrowing AVContainer, _ demuxer: String, into info: inout MediaInfo, _ structure: ContainerStructure,
    _ audio: AudioDuration?
  ) throws(MediaFailure) {
    var facts = ContainerFacts(container)
    var failure: MediaFailure?
    let duration = structure.duration ?? audio?.seconds
    if container.hasNoHeader || facts.isIncomplete || (duration ?? facts.duration) == nil {
      do { try container.readStreamInfo() } catch { failure = error }
      facts = ContainerFacts(container)
    }
    // A raw video stream has no timestamps: libav divides its size by the nominal bit rate in its header.
    facts.apply(to: &info, duration: duration ?? (demuxer == "mpegvideo" ? nil : facts.duration))
    if let failure = container.inputFailure { throw failure }
    if info.error == nil, audio?.isTruncated == true { info.error = .endsEarly }
    if info.error == nil, failure == nil, !facts.hasStreams {
      info.error = MediaFailure(.unsupported, "The file has neither a video nor an audio stream.")
    }
    // Keep the facts found so far; an unreadable stream does not invalidate them, unless memory is exhausted.
    if let failure, failure.code != .corrupt { throw failure }
  }
}

extension MediaFailure {
  /// The file is shorter than its structure states.
  static let endsEarly = MediaFailure(.truncated, "The file is truncated: it is shorter than its structure states.")
}
