internal import CMediaShims
internal import MediaModel
internal import MediaProbe

/// Hears an audio file once, from where its container stands.
enum AudioReader {
  /// Stretches that are kept: 64 KiB, whatever the length. Of an audio file with more samples than that at least half of them are in use when
  /// it ends, so that each of 100 peaks is made of 80 and more.
  private static let bins = 16_384

  /// What was heard, and why that is not all of it.
  struct Heard {
    let envelope: AudioEnvelope
    let failure: MediaFailure?
  }

  /// - Throws: `unsupported`, `corrupt`, `outOfMemory`; `timedOut` and `unreadable` when nothing was heard before.
  static func read(
    _ container: borrowing AVContainer, _ input: borrowing MediaInput, info: MediaInfo
  ) throws(MediaFailure) -> Heard {
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
      throw MediaFailure(.unsupported, "There is no decoder for this audio.")
    case MEDIATOOL_AUDIO_NO_MEMORY: throw .outOfMemory()
    case MEDIATOOL_AUDIO_SILENT where end.has_no_packets && info.error == nil:
      // A recording that was stopped at once: there is nothing wrong with it, and nothing to hear.
      bins = [0]
      heard = 1
    default: throw MediaFailure(.corrupt, "Nothing of the audio can be decoded.")
    }
    if let failure, heard == 0 { throw failure }
    var whole = heard
    // An audio file whose end is missing is as long as it was.
    if failure != nil || info.error?.code == .truncated {
      let stated = (info.duration ?? 0) * Double(end.sample_rate)
      whole = wholeSamples(heard: heard, stated: stated, read: Int(end.position), of: input.size)
    }
    return Heard(
      envelope: AudioEnvelope(
        bins: bins, binSamples: Int(envelope.bin_samples), samples: heard, wholeSamples: whole),
      failure: failure)
  }

  /// How long an audio file is that was not heard to its end: as the facts say, unless more than that was heard already; else as much longer
  /// as there is more of the file. Pure.
  static func wholeSamples(heard: Int, stated: Double, read: Int, of size: Int) -> Int {
    let share = Double(max(1, min(read, size))) / Double(max(1, size))
    let whole = stated >= Double(heard) ? stated : Double(heard) / share
    return Int(min(whole, Double(AudioEnvelope.longest)))
  }
}
