internal import MediaModel

/// Facts of video and audio.
enum ContainerProbe {
  /// Adds to `info` what the container says. `info.type` chooses the reader, and may become more exact: an MP4 without images
  /// is `audio/mp4`.
  static func apply(to info: inout MediaInfo, input: borrowing MediaInput, reader: ByteReader) {
    guard let demuxer = Demuxers.name(for: info.type, reader) else { return }
    let structure = ContainerStructure(of: info.type, input, reader)
    if info.type == .mpegAudio, APETag(reader)?.cover != nil { info.coverArt = true }
    // The damage that the structure shows explains what libav fails to read.
    info.error = structure.failure
    guard structure.isReadable else { return }
    do {
      let container = try AVContainer(input, demuxer: demuxer, decoders: Demuxers.decoders)
      try read(container, demuxer, into: &info, structure, AudioDuration(of: info.type, reader))
    } catch {
      // A passed deadline or an input error says more than the half-read structure.
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
    // A bare video stream has no clock: libav divides its size by the bit rate that its header hopes for.
    facts.apply(to: &info, duration: duration ?? (demuxer == "mpegvideo" ? nil : facts.duration))
    if let failure = container.inputFailure { throw failure }
    if info.error == nil, audio?.isTruncated == true { info.error = .endsEarly }
    if info.error == nil, failure == nil, !facts.hasStreams {
      info.error = MediaFailure(.unsupported, "It holds neither images nor audio.")
    }
    // What was found stands; a stream that could not be read is no reason to drop it, unless memory failed.
    if let failure, failure.code != .corrupt { throw failure }
  }
}

extension MediaFailure {
  /// The file is shorter than its own structure.
  static let endsEarly = MediaFailure(.truncated, "The file ends before its content does.")
}
