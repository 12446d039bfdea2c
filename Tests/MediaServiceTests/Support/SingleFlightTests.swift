internal import Testing

@testable internal import MediaService

@Suite("Work that several callers ask for at once") struct SingleFlightTests {
  private final class Result: Sendable {}
  private struct Failed: Error {}

  @Test("a result that its last caller has released is not held elsewhere") func released() async throws {
    let flights = SingleFlight<Int, Result>()
    // A task that holds it for a moment longer is seen once in some hundred times.
    for key in 0..<5_000 {
      var result = try await flights.run(key) { Result() }
      let isLast = isKnownUniquelyReferenced(&result)
      try #require(isLast, "the result of call \(key) is still held")
    }
  }

  @Test("work is started again after it ended or failed") func again() async throws {
    let flights = SingleFlight<Int, Int>()
    await #expect(throws: Failed.self) { try await flights.run(1) { throw Failed() } }
    #expect(try await flights.run(1) { 2 } == 2)
    #expect(try await flights.run(1) { 3 } == 3)
    #expect(flights.callers(of: 1) == 0)
  }
}
