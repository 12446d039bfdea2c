internal import MediaModel
internal import Testing

@testable internal import MediaProbe

@Suite struct DeadlineTests {
  private let hour: Int64 = 3_600_000_000_000

  @Test func `A past deadline has passed`() {
    let deadline = Deadline(instant: .now.advanced(by: .seconds(-1)))
    #expect(deadline.hasPassed)
    #expect(deadline.nanosecondsLeft == 0)
    #expect(throws: MediaFailure(.timedOut, "The file took longer than its deadline.")) { try deadline.check() }
  }

  @Test func `An hour from now has not passed`() throws {
    let before = ContinuousClock.now
    let deadline = Deadline.after(seconds: 3_600)
    #expect(!deadline.hasPassed)
    try deadline.check()
    // However slow this machine is, the moment lies an hour after some time between the two readings.
    #expect(deadline.instant >= before.advanced(by: .seconds(3_600)))
    #expect(deadline.instant <= ContinuousClock.now.advanced(by: .milliseconds(3_600_001)))
    #expect((1...hour + 1_000_000).contains(deadline.nanosecondsLeft))
  }

  @Test(arguments: [0, -1, -.infinity, .nan, -0.0]) func `Zero and invalid seconds have passed`(seconds: Double) {
    #expect(Deadline.after(seconds: seconds).hasPassed)
  }

  @Test(arguments: [1e9, 1e30, .infinity, .greatestFiniteMagnitude]) func `Very long times are clamped to thirty years`(
    seconds: Double
  ) {
    let left = Deadline.after(seconds: seconds).nanosecondsLeft
    #expect(left > 999_000_000_000_000_000)
    #expect(left <= 1_000_000_000_001_000_000)
  }

  @Test func `Fractions of a millisecond are rounded up`() {
    let before = ContinuousClock.now
    #expect(Deadline.after(seconds: 3_600.0000001).instant >= before.advanced(by: .milliseconds(3_600_001)))
  }

  @Test func `Nanoseconds saturate`() {
    for seconds in [9_223_372_036, 9_223_372_037, 9_223_372_038, 20_000_000_000] {
      let deadline = Deadline(instant: .now.advanced(by: .seconds(seconds) + .milliseconds(990)))
      #expect(deadline.nanosecondsLeft > 9_223_372_000_000_000_000)
    }
  }
}
