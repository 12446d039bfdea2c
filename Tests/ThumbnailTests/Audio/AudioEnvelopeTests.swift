internal import Testing

@testable internal import Thumbnails

@Suite struct AudioEnvelopeTests {
  @Test func `Peaks are relative to the loudest`() {
    let envelope = AudioEnvelope(bins: [0.1, 0.2, 0.4, 0.05], binSamples: 10, samples: 40)
    #expect(envelope.peaks(4) == [0.25, 0.5, 1, 0.125])
    #expect(envelope.peaks(2) == [0.5, 1])
    #expect(envelope.peaks(1) == [1])
  }

  @Test func `A segment on a boundary counts on both sides`() {
    let envelope = AudioEnvelope(bins: [0.1, 1, 0.1], binSamples: 10, samples: 30)
    #expect(envelope.peaks(2) == [1, 1])
  }

  @Test func `The last segment may be short`() {
    // 25 samples in shares of 12 and 13: the third stretch has five samples.
    let envelope = AudioEnvelope(bins: [1, 0.5, 0.25], binSamples: 10, samples: 25)
    #expect(envelope.peaks(5) == [1, 1, 0.5, 0.5, 0.25])
  }

  @Test func `Audio with fewer samples than peaks repeats samples`() {
    let envelope = AudioEnvelope(bins: [0.5, 1], binSamples: 1, samples: 2)
    #expect(envelope.peaks(4) == [0.5, 0.5, 1, 1])
    #expect(AudioEnvelope(bins: [0.5], binSamples: 1, samples: 1).peaks(3) == [1, 1, 1])
  }

  @Test func `Levels are rounded to thousandths`() {
    #expect(AudioEnvelope(bins: [1, 0.123_456, 0.000_4], binSamples: 1, samples: 3).peaks(3) == [1, 0.123, 0])
  }

  @Test func `Silence and inaudible noise have zero peaks`() {
    #expect(AudioEnvelope(bins: [0, 0], binSamples: 1, samples: 2).peaks(2) == [0, 0])
    #expect(AudioEnvelope(bins: [0.0009, 0.0001], binSamples: 1, samples: 2).peaks(2) == [0, 0])
    #expect(AudioEnvelope(bins: [0.0011, 0], binSamples: 1, samples: 2).peaks(2) == [1, 0])
  }

  @Test func `Partly decoded audio has only the decoded peaks`() {
    let envelope = AudioEnvelope(bins: [1, 0.5], binSamples: 10, samples: 20, wholeSamples: 80)
    #expect(envelope.peaks(8) == [1, 0.5])
    #expect(envelope.peaks(4) == [1])
    // A share that was begun is there.
    #expect(AudioEnvelope(bins: [1, 0.5], binSamples: 10, samples: 11, wholeSamples: 40).peaks(4) == [1, 0.5])
  }

  @Test func `A stated duration shorter than the decoded one is ignored`() {
    let envelope = AudioEnvelope(bins: [1, 0.5], binSamples: 10, samples: 20, wholeSamples: 5)
    #expect(envelope.wholeSamples == 20)
    #expect(envelope.peaks(2) == [1, 0.5])
  }

  @Test func `Implausible numbers do not trap`() {
    #expect(AudioEnvelope(bins: [], binSamples: 0, samples: 0).peaks(10) == [])
    #expect(AudioEnvelope(bins: [1], binSamples: .max, samples: .max, wholeSamples: .max).peaks(3) == [1, 1, 1])
    #expect(AudioEnvelope(bins: [1], binSamples: 1, samples: -1, wholeSamples: -1).peaks(3) == [])
    #expect(AudioEnvelope(bins: [.greatestFiniteMagnitude, 1], binSamples: 1, samples: 2).peaks(2).first == 1)
    #expect(AudioEnvelope(bins: [1], binSamples: 1, samples: 1).peaks(-1) == [])
  }
}
