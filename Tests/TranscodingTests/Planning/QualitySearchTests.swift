internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import Transcoding

@Suite("Quality search") struct QualitySearchTests {
  /// Runs a search on a video whose bytes follow that law; the bytes of the best that fits, and the tries.
  private func run(_ start: Double, goal: Int, _ bytes: (Double) -> Double) -> (best: Int, tries: Int) {
    var search = QualitySearch(range: 18...40, goal: goal)
    var (best, bestQuantizer, tries, quantizer) = (0, start, 0, start)
    while tries < 10 {
      tries += 1
      let made = Int(bytes(quantizer))
      search.add(quantizer: quantizer, bytes: made)
      if made <= goal, made > best { (best, bestQuantizer) = (made, quantizer) }
      if best > 0, search.isGoodEnough(bestQuantizer, totalBytes: best, of: goal) { break }
      guard let next = search.next() else { break }
      quantizer = next
    }
    return (best, tries)
  }

  @Test func `The search converges from any quality`() {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<500 {
      let (scale, half) = (Double.random(in: 1e4...1e7, using: &random), Double.random(in: 3...12, using: &random))
      let start = Double.random(in: 18...40, using: &random)
      let law = { (quantizer: Double) in scale * pow(2, -quantizer / half) }
      let goal = Int(law(Double.random(in: 19...39, using: &random)))
      guard goal > 100 else { continue }
      let (best, tries) = run(start, goal: goal, law)
      #expect(best <= goal, "seed 6: \(scale) \(half) \(start) \(goal)")
      #expect(Double(best) >= 0.85 * Double(goal), "seed 6: \(scale) \(half) \(start) \(goal)")
      #expect(tries <= 6, "seed 6: \(scale) \(half) \(start) \(goal)")
    }
  }

  @Test func `The best quality ends the search if it fits`() {
    let (best, tries) = run(25, goal: 1_000_000) { 1e5 * pow(2, -$0 / 6) }
    #expect(best == Int(1e5 * pow(2, -3.0)))
    #expect(tries == 2)
  }

  @Test func `The search ends if nothing fits`() {
    let (best, tries) = run(25, goal: 10) { 1e9 * pow(2, -$0 / 6) }
    #expect(best == 0)
    #expect(tries < 10)
  }

  @Test func `Abandoned attempts increase the step`() throws {
    var search = QualitySearch(range: 18...40, goal: 1_000)
    var quantizer = 20.0
    for _ in 0..<6 {
      search.addGivenUp(quantizer: quantizer, projected: 1_001)
      guard let next = search.next() else { break }
      #expect(next > quantizer)
      quantizer = next
    }
    #expect(quantizer == 40)
    search.addGivenUp(quantizer: 40, projected: 1)
    #expect(search.next() == nil)
  }

  /// The projection of an abandoned attempt is one end of the line, the attempt that fitted is the other.
  @Test func `The next quality is interpolated`() throws {
    var search = QualitySearch(range: 18...40, goal: 10_000)
    search.addGivenUp(quantizer: 20, projected: 9_600 * 8)
    search.add(quantizer: 32, bytes: 9_600 / 2)
    // Four halves in twelve steps; one of them is missing.
    #expect(abs(try #require(search.next()) - 29) < 0.01)
  }
}
