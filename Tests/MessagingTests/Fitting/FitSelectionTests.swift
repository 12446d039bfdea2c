internal import TestSupport
internal import Testing

@testable internal import Messaging

@Suite("The choice of forms") struct FitSelectionTests {
  private typealias Option = FitSelection.Option

  /// Every combination, tried one by one.
  private func exhaustive(_ groups: [[Option]], budget: Int) -> Double? {
    var best: Double?
    func go(_ place: Int, cost: Int, value: Double) {
      guard cost <= budget else { return }
      guard place < groups.count else {
        best = max(best ?? -.infinity, value)
        return
      }
      for option in groups[place] { go(place + 1, cost: cost + option.cost, value: value + option.value) }
    }
    go(0, cost: 0, value: 0)
    return best
  }

  @Test("The choice is within a 2,048th of the best, fits, and is refused only if nothing fits") func optimal() throws {
    print("seed 7")
    var random = SeededGenerator(seed: 7)
    var exact = 0
    for round in 0..<100 {
      let groups = (0..<(1 + random.below(5))).map { _ in
        (0..<(1 + random.below(6))).map { _ in
          Option(cost: random.below(60_000), value: Double(random.below(1_000)) / 1_000)
        }
      }
      let budget = random.below(150_000)
      let chosen = FitSelection.best(groups, budget: budget)
      guard let best = exhaustive(groups, budget: budget) else {
        #expect(chosen == nil, "message \(round)")
        continue
      }
      let indices = try #require(chosen, "message \(round)")
      #expect(FitSelection.cost(of: indices, in: groups) <= budget)
      let value = zip(indices, groups).reduce(0) { $0 + $1.1[$1.0].value }
      // With that much less to spend no choice would have been better.
      let floor = exhaustive(groups, budget: budget - groups.count * (budget / 2_048 + 1)) ?? 0
      #expect(value >= floor - 1e-9, "message \(round)")
      #expect(value <= best + 1e-9, "message \(round)")
      if abs(value - best) < 1e-9 { exact += 1 }
    }
    #expect(exact > 50)
  }

  @Test("Without options nothing is chosen, and an option above the budget never is")
  func nothingToChooseCostsNothing() {
    #expect(FitSelection.best([], budget: 0) == [])
    #expect(FitSelection.best([[]], budget: 10) == nil)
    #expect(FitSelection.best([[Option(cost: 11, value: 1)]], budget: 10) == nil)
    #expect(FitSelection.best([[Option(cost: 10, value: 1)]], budget: 10) == [0])
    #expect(FitSelection.best([[Option(cost: .max, value: 1)], [Option(cost: 1, value: 1)]], budget: .max) == nil)
  }

  @Test("The coarseness of a quality is that of libjpeg") func aQualityIsAsCoarseAsLibjpegHasIt() {
    #expect([1, 25, 50, 75, 95, 100].map(FitMeasure.coarseness(ofQuality:)) == [5_000, 200, 100, 50, 10, 1])
  }
}
