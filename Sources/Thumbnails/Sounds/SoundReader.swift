internal import CMediaShims
internal import MediaModel
internal import MediaProbe

/// Hears a sound once, from where its container stands.
enum SoundReader {
  /// Stretches that are kept: 64 KiB, whatever the length. When the sound ends at least half of them are in use, so that each of
  /// 100 peaks is made of 80 and more.
  private static let bins = 16_384

  /// What was heard, and why that is not all of it.
  struct Heard {
    let envelope: SoundEnvelope
    let failure: MediaFailure?
  }

  /// - Throws: `unsupported`, `corrupt`, `outOfMemory`; `timedOut` and `unreadable` when nothing was heard before.
  static func read(
    _ container: borrowing AVContainer, _ input: borrowing MediaInput, info: MediaInfo
  ) throws(MediaFailure) -> Heard {
    var envelope = mediatool_envelope()
    var end = mediatool_sound_end()
    var status = MEDIATOOL_SOUND_UNSUPPORTED
    let bins = [Float](unsafeUninitializedCapacity: Self.bins) { buffer, filled in
      guard let base = buffer.baseAddress else { return }
      mediatool_envelope_start(&envelope, base, Int32(Self.bins))
      status = container.withContext { mediatool_sound_read($0, AVContainer.decoderList, &envelope, &end) }
      filled = Int(envelope.count)
    }
    let heard = Int(envelope.samples)
    var failure: MediaFailure?
    switch status {
    case MEDIATOOL_SOUND_WHOLE: break
    case MEDIATOOL_SOUND_PARTLY: failure = container.inputFailure
    case MEDIATOOL_SOUND_UNSUPPORTED:
      throw MediaFailure(.unsupported, "There is no decoder for this sound.")
    case MEDIATOOL_SOUND_NO_MEMORY: throw MediaFailure(.outOfMemory, "There is not enough memory.")
    default: throw MediaFailure(.corrupt, "Nothing of the sound can be decoded.")
    }
    if let failure, heard == 0 { throw failure }
    let whole = failure == nil ? heard : wholeSamples(heard: heard, end: end, size: input.size, info: info)
    return Heard(
      envelope: SoundEnvelope(
        bins: bins, binSamples: Int(envelope.bin_samples), samples: heard, wholeSamples: whole),
      failure: failure)
  }

  /// How long a sound is that was not heard to its end: as the facts say, else as much longer as the file is.
  private static func wholeSamples(heard: Int, end: mediatool_sound_end, size: Int, info: MediaInfo) -> Int {
    let stated = (info.duration ?? 0) * Double(end.sample_rate)
    let read = Double(max(1, min(Int(end.position), size)))
    let whole = stated > 0 ? stated : Double(heard) * Double(size) / read
    return Int(min(whole, Double(SoundEnvelope.longest)))
  }
}
