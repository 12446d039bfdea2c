internal import MediaModel
internal import Testing

@testable internal import Transcoding

@Suite("Progress of encoding passes") struct ProgressReportTests {
  private func reported(_ seconds: [[Double]], of duration: Double?) -> [TranscodeProgress] {
    var reported: [TranscodeProgress] = []
    let report = ProgressReport { reported.append($0) }
    for encoding in seconds {
      let pass = report.pass(duration: duration)
      for second in encoding { pass(second) }
    }
    return reported
  }

  @Test func `A known duration is reported in hundredths up to the end`() {
    let packets = (0...1_200).map { Double($0) / 100 }
    let steps = reported([packets, packets], of: 10)
    #expect(steps.count == 2 * 101)
    #expect(steps[..<101].map(\.encoding) == Array(repeating: 1, count: 101))
    #expect(steps[101].encoding == 2)
    #expect(steps[101].seconds == 0)
    for (index, step) in steps[...100].enumerated() { #expect(abs(step.seconds - Double(index) / 10) < 0.01) }
    #expect(steps.last?.seconds == 10)
    #expect(steps.last?.share == 1)
  }

  @Test func `A pass without progress is not counted`() {
    #expect(reported([[], [1], [], [2]], of: 10).map(\.encoding) == [1, 2])
  }

  @Test func `An unknown duration is reported in seconds`() {
    let steps = reported([(0...500).map { Double($0) / 100 }], of: nil)
    #expect(steps.map(\.seconds) == [0, 1, 2, 3, 4, 5])
    #expect(steps.allSatisfy { $0.share == nil })
  }

  @Test func `Decreasing and invalid times are not reported`() {
    #expect(reported([[0, 5, 4, .nan, .infinity, -.infinity, 5, 6]], of: 10).map(\.seconds) == [0, 5, 6])
    for length in [0, -1, .nan, .infinity] { #expect(reported([[1]], of: length).map(\.duration) == [nil]) }
  }
}
