/// Selects the most valuable option for each file within a byte budget: a multiple-choice knapsack. Pure and
/// deterministic.
enum FitSelection {
  /// One way to send a file.
  struct Option: Hashable {
    let cost: Int
    let value: Double
  }

  /// Number of steps into which the bytes are quantised.
  private static let steps = 2_048

  /// The index of the selected option of each group; nil if even the cheapest options exceed the budget.
  ///
  /// Dynamic programming over the bytes in units of a 2,048th, with costs rounded up. The remaining bytes are then
  /// spent exactly, on the best gain per byte. The result is optimal except for the rounding: at most a 2,048th of the
  /// bytes per group.
  static func best(_ groups: [[Option]], budget: Int) -> [Int]? {
    // Prevents overflow; no message is this large.
    let budget = min(budget, 1 << 48)
    let useful = groups.map { Self.useful($0, budget: budget) }
    let cheapest = useful.map { $0.first ?? -1 }
    guard !cheapest.contains(-1), budget >= 0 else { return nil }
    guard cost(of: cheapest, in: groups) <= budget else { return nil }
    var chosen = planned(groups, useful, budget: budget) ?? cheapest
    fill(&chosen, groups, useful, budget: budget)
    return chosen
  }

  /// The non-dominated options: a more expensive option only counts if it is more valuable. The cheapest is first.
  private static func useful(_ options: [Option], budget: Int) -> [Int] {
    let order = options.indices.filter { (0...max(0, budget)).contains(options[$0].cost) }.sorted {
      (options[$0].cost, -options[$0].value, $0) < (options[$1].cost, -options[$1].value, $1)
    }
    var useful: [Int] = []
    for index in order where useful.last.map({ options[index].value > options[$0].value }) ?? true {
      useful.append(index)
    }
    return useful
  }

  /// The bytes of a selection.
  static func cost(of chosen: [Int], in groups: [[Option]]) -> Int {
    zip(chosen, groups).reduce(0) { $0 + $1.1[$1.0].cost }
  }

  private static func planned(_ groups: [[Option]], _ useful: [[Int]], budget: Int) -> [Int]? {
    let unit = max(1, (budget + steps - 1) / steps)
    let capacity = budget / unit
    var worth = [Double](repeating: 0, count: capacity + 1)
    var choices: [[Int32]] = []
    for (options, indices) in zip(groups, useful) {
      var next = [Double](repeating: -.infinity, count: capacity + 1)
      var choice = [Int32](repeating: -1, count: capacity + 1)
      for index in indices {
        let units = (options[index].cost + unit - 1) / unit
        guard units <= capacity else { break }
        let value = options[index].value
        for bytes in units...capacity where worth[bytes - units] + value > next[bytes] {
          next[bytes] = worth[bytes - units] + value
          choice[bytes] = Int32(truncatingIfNeeded: index)
        }
      }
      worth = next
      choices.append(choice)
    }
    var bytes = capacity
    var chosen: [Int] = []
    for (options, choice) in zip(groups, choices).reversed() {
      let index = Int(choice[bytes])
      guard index >= 0 else { return nil }
      chosen.append(index)
      bytes -= (options[index].cost + unit - 1) / unit
    }
    return chosen.reversed()
  }

  /// Spends the remaining bytes step by step on the best gain per byte.
  private static func fill(_ chosen: inout [Int], _ groups: [[Option]], _ useful: [[Int]], budget: Int) {
    var left = budget - cost(of: chosen, in: groups)
    while left > 0 {
      var best: (group: Int, option: Int, gain: Double)?
      for group in groups.indices {
        let now = groups[group][chosen[group]]
        for index in useful[group] {
          let option = groups[group][index]
          guard option.value > now.value, option.cost - now.cost <= left else { continue }
          let gain = (option.value - now.value) / Double(max(1, option.cost - now.cost))
          if gain > best?.gain ?? 0 { best = (group, index, gain) }
        }
      }
      guard let best else { return }
      left -= groups[best.group][best.option].cost - groups[best.group][chosen[best.group]].cost
      chosen[best.group] = best.option
    }
  }
}
