/// The loudness of an audio file over its length: the largest absolute sample, all channels mixed into one, of stretches of equal length. Pure.
struct AudioEnvelope: Equatable {
  /// The largest sample of each stretch, full scale 1.
  let bins: [Float]
  /// Samples that a stretch has; the last may have fewer.
  let binSamples: Int
  /// Samples that were heard.
  let samples: Int
  /// Samples of the whole audio: more than ``samples`` when it was not heard to its end.
  let wholeSamples: Int

  /// An audio file whose loudest sample lies below this is silent: 60 dB under full scale, which nobody hears, but noise of a converter reaches.
  static let silence: Float = 0.001
  /// The longest audio, in samples: sixty years of them, and no overflow below.
  static let longest = 100_000_000_000_000

  /// - Parameter wholeSamples: Samples of the whole audio, as far as is known; never taken for fewer than were heard.
  init(bins: [Float], binSamples: Int, samples: Int, wholeSamples: Int = 0) {
    self.bins = bins
    self.binSamples = max(1, binSamples)
    self.samples = max(0, min(samples, Self.longest))
    self.wholeSamples = max(self.samples, min(wholeSamples, Self.longest))
  }

  /// The loudest stretch of each of `count` equal shares of the whole audio, the loudest of all 1; all 0 in silence.
  ///
  /// To a thousandth: decoders of lossy formats differ in the last bits from one type of machine to another.
  ///
  /// Of an audio file that was not heard to its end there are fewer: those of the part that was. A stretch on the edge of two shares counts
  /// in both, so that none is shown quieter than it is.
  func peaks(_ count: Int) -> [Float] {
    guard count > 0, samples > 0, let loudest = bins.max() else { return [] }
    let scale = loudest < Self.silence ? 0 : 1 / Double(loudest)
    // At most 16,383 shares of at most 1e14 samples.
    let heard = min(count, (samples * count + wholeSamples - 1) / wholeSamples)
    return (0..<heard).map { share in
      let first = share * wholeSamples / count / binSamples
      let last = max(first, ((share + 1) * wholeSamples / count - 1) / binSamples)
      let stretches = bins[min(first, bins.count - 1)...min(last, bins.count - 1)]
      return Float((Double(stretches.max() ?? 0) * scale * 1_000).rounded() / 1_000)
    }
  }
}
