internal import Foundation
internal import MediaEngine
internal import MediaModel
internal import Messaging
internal import TestSupport
internal import Testing

/// Fitting beats what others do, on real messages: a few here, fifty in `make bench` (docs/benchmarks.md).
@Suite("R-MMS-61: bytes are allocated by need", .enabled(if: Corpus.isPresent, "the corpus is not there"))
struct LadderTests {
  private static let messages = [0, 1, 5]

  @Test(
    "A fitted message is more similar to its files than with equal shares, or as other apps fit it", arguments: messages
  ) func similarityIsHigherThanWithEqualSharesAndOtherApps(number: Int) async throws {
    let engine = try await MediaEngine.forTests()
    let set = try await MessageSet(folder: Corpus.folder.path, engine: engine)
    let message = try #require(set.message(number))
    let ladders = Ladders(studio: TrialStudio(engine: engine))
    let ours = try #require(try await ladders.ours(message))
    let equal = try #require(try await ladders.equalShares(message))
    print("message \(number): ours \(ours), equal shares \(equal)")
    #expect(ours.total > equal.total)
    #expect(ours.minimum >= equal.minimum)
    for (name, other) in [("AOSP", try await ladders.aosp(message)), ("Signal", try await ladders.signal(message))] {
      guard let other else { continue }
      // At the same bytes, or fewer.
      let same = try #require(try await ladders.ours(message, bytes: other.bytes))
      print("message \(number): ours \(same), \(name) \(other)")
      #expect(same.bytes <= other.bytes)
      #expect(same.total > other.total, "\(name)")
      #expect(same.minimum >= other.minimum, "\(name)")
    }
    await engine.shutdown()
  }
}
