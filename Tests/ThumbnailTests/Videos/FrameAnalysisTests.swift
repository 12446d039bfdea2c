internal import Testing

@testable internal import Thumbnails

/// Which frames make good posters, by their statistics.
@Suite struct FrameAnalysisTests {
  /// A photograph of a street, as such frames come out.
  static let street = FrameAnalysis(
    mean: 110, deviation: 55, entropy: 0.85, dominance: 0.15, flatness: 0.2, sharpness: 90)

  static let lesser: [(name: String, analysis: FrameAnalysis)] = [
    ("black", FrameAnalysis(mean: 1, deviation: 0.5, entropy: 0, dominance: 1, flatness: 1, sharpness: 1)),
    ("white", FrameAnalysis(mean: 254, deviation: 0.5, entropy: 0, dominance: 1, flatness: 1, sharpness: 1)),
    ("one colour", FrameAnalysis(mean: 120, deviation: 0.5, entropy: 0, dominance: 1, flatness: 1, sharpness: 1)),
    ("blurred", FrameAnalysis(mean: 110, deviation: 40, entropy: 0.8, dominance: 0.2, flatness: 0.6, sharpness: 8)),
    ("fading in", FrameAnalysis(mean: 13, deviation: 6, entropy: 0.35, dominance: 0.95, flatness: 0.8, sharpness: 10)),
    ("title", FrameAnalysis(mean: 30, deviation: 40, entropy: 0.2, dominance: 0.93, flatness: 0.9, sharpness: 200)),
  ]

  @Test func `A detailed frame is accepted at once`() {
    #expect(Self.street.score >= FrameAnalysis.good)
    #expect(Self.street.score <= 1)
  }

  @Test(arguments: lesser)
  func `A poor frame is not chosen`(name: String, analysis: FrameAnalysis) {
    #expect(analysis.score < FrameAnalysis.good, "\(name): \(analysis.score)")
    #expect(analysis.score < Self.street.score / 2, "\(name): \(analysis.score)")
  }

  @Test func `Empty frames have a poor score`() {
    for (name, analysis) in Self.lesser.prefix(3) {
      #expect(analysis.score <= FrameAnalysis.poor, "\(name): \(analysis.score)")
    }
  }

  @Test func `Every single fault lowers the score`() {
    let faults: [(inout FrameAnalysis) -> Void] = [
      { $0.mean = 15 }, { $0.mean = 240 }, { $0.deviation = 10 }, { $0.entropy = 0.2 }, { $0.sharpness = 15 },
      {
        $0.dominance = 0.9
        $0.flatness = 0.9
      },
    ]
    for (index, fault) in faults.enumerated() {
      var analysis = Self.street
      fault(&analysis)
      #expect(analysis.score < Self.street.score * 0.6, "fault \(index)")
    }
  }
}
