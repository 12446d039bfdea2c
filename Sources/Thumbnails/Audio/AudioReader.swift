internal import CMediaShims
internal import MediaModel
internal import MediaProbe

/// Decodes an audio file once, from the current position of its container.
enum AudioReader {
  /// Number of segments to keep: 64 KiB for any duration. If an audio file has more samples than that, at least half of
  /// the segments are used, so that each of 100 peaks covers 80 or more.
  private static let bins = 16_384

  /// The decoded envelope, and the reason why it is incomplete.
  struct DecodedAudio {
    let envelope: AudioEnvelope
    let failure: MediaFailure?
  }

  /// - Throws: `unsupported`, `corrupt`, `outOfMemory`; `timedOut` and `unreadable` if nothing was decoded before.
  static func read(
    _ container: borrowing AVContainer, _ input: borrowing MediaInput, info: MediaInfo
  ) throws(MediaFailure) -> DecodedAudio {
    var envelope = mediatool_envelope()
    var end = mediatool_audio_end()
    var status = MEDIATOOL_AUDIO_UNSUPPORTED
    var bins = [Float](unsafeUninitializedCapacity: Self.bins) { buffer, filled in
      guard let base = buffer.baseAddress else { return }
      mediatool_envelope_start(&envelope, base, Int32(Self.bins))
      status = container.withContext { mediatool_audio_read($0, AVContainer.decoderList, &envelope, &end) }
      filled = Int(envelope.count)
    }
    var heard = Int(envelope.samples)
    var failure: MediaFailure?
    switch status {
    case MEDIATOOL_AUDIO_WHOLE: break
    case MEDIATOOL_AUDIO_PARTLY: failure = container.inputFailure
    case MEDIATOOL_AUDIO_UNSUPPORTED:
      throw .unsupportedAudioCodec(info.audioCodec)
    case MEDIATOOL_AUDIO_NO_MEMORY: throw .outOfMemory()
    case MEDIATOOL_AUDIO_SILENT where end.has_no_packets && info.error == nil:
      // A recording that was stopped at once: it is valid, but has no samples.
      bins = [0]
      heard = 1
    default: throw MediaFailure(.corrupt, "The audio cannot be decoded.")
    }
    if let failure, heard == 0 { throw failure }
    var whole = heard
    // The duration of a truncated file is that of the whole recording.
    if failure != nil || info.error?.code == .truncated {
      let stated = (info.duration ?? 0) * Double(end.sample_rate)
      whole = wholeSamples(heard: heard, stated: stated, read: Int(end.position), of: input.size)
    }
    return DecodedAudio(
      envelope: AudioEnvelope(
        bins: bins, binSamples: Int(envelope.bin_samples), samples: heard, wholeSamples: whole),
      failure: failure)
  }

  /// Estimates the samples of audio that was not decoded to its end. Pure.
  ///
  /// The stated duration is used unless more was already decoded. Otherwise the estimate is in proportion to the unread
  /// part of the file.
  static func wholeSamples(heard: Int, stated: Double, read: Int, of size: Int) -> Int {
    let share = Double(max(1, min(read, size))) / Double(max(1, size))
    let whole = stated >= Double(heard) ? stated : Double(heard) / share
    return Int(min(whole, Double(AudioEnvelope.longest)))
  }
}
