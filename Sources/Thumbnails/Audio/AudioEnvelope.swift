/// The peak envelope of an audio file: the largest absolute sample of each segment, all channels mixed to mono. Pure.
struct AudioEnvelope: Equatable {
  /// The peak of each segment, relative to full scale.
  let bins: [Float]
  /// Samples per segment; the last one may have fewer.
  let binSamples: Int
  /// Number of decoded samples.
  let samples: Int
  /// Samples of the whole audio: more than ``samples`` if it was not decoded to its end.
  let wholeSamples: Int

  /// Audio whose peak is below this is silent: 60 dB below full scale, which is inaudible but above the noise of a
  /// converter.
  static let silence: Float = 0.001
  /// The longest audio in samples: sixty years, without overflow below.
  static let longest = 100_000_000_000_000

  /// - Parameter wholeSamples: Samples of the whole audio, if known. Raised to the decoded samples if lower.
  init(bins: [Float], binSamples: Int, samples: Int, wholeSamples: Int = 0) {
    self.bins = bins
    self.binSamples = max(1, binSamples)
    self.samples = max(0, min(samples, Self.longest))
    self.wholeSamples = max(self.samples, min(wholeSamples, Self.longest))
  }

  /// The peaks of `count` equal parts of the whole audio, relative to the highest one. All 0 in silence.
  ///
  /// Values are rounded to thousandths: lossy decoders differ in the last bits between processor types.
  ///
  /// If the audio was not decoded to its end, only the decoded parts are returned. A segment on the boundary of two
  /// parts counts in both, so that no part appears quieter than it is.
  func peaks(_ count: Int) -> [Float] {
    guard count > 0, samples > 0, let loudest = bins.max() else { return [] }
    let scale = loudest < Self.silence ? 0 : 1 / Double(loudest)
    // At most 16,383 parts of at most 1e14 samples.
    let heard = min(count, (samples * count + wholeSamples - 1) / wholeSamples)
    return (0..<heard).map { share in
      let first = share * wholeSamples / count / binSamples
      let last = max(first, ((share + 1) * wholeSamples / count - 1) / binSamples)
      let stretches = bins[min(first, bins.count - 1)...min(last, bins.count - 1)]
      return Float((Double(stretches.max() ?? 0) * scale * 1_000).rounded() / 1_000)
    }
  }
}
