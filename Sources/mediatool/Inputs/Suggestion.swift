/// Suggestions for mistyped names.
enum Suggestion {
  /// The name with the smallest edit distance; nil if none is close.
  static func closest(to typed: String, among names: some Sequence<String>) -> String? {
    let typed = Array(typed.lowercased().unicodeScalars.prefix(longest))
    var best: (name: String, distance: Int)?
    for name in names {
      let letters = Array(name.lowercased().unicodeScalars)
      // The beginning of a name counts as close.
      let isStart = typed.count >= 3 && letters.starts(with: typed)
      let distance = isStart ? 1 : distance(typed, letters)
      if distance <= max(1, letters.count / 3), distance < (best?.distance ?? .max) { best = (name, distance) }
    }
    return best?.name
  }

  /// ` Did you mean 'probe'?`, or nothing.
  static func sentence(for typed: String, among names: some Sequence<String>) -> String {
    closest(to: typed, among: names).map { " Did you mean '\($0)'?" } ?? ""
  }

  /// Longer than every name; bounds the work for long arguments.
  private static let longest = 40

  /// The optimal string alignment distance: insertions, deletions, substitutions and transpositions.
  private static func distance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
    var (before, last) = ([Int](), Array(0...other.count))
    for (row, letter) in one.enumerated() {
      var next = [row + 1]
      for (column, candidate) in other.enumerated() {
        var cost = min(last[column] + (letter == candidate ? 0 : 1), last[column + 1] + 1, next[column] + 1)
        if row > 0, column > 0, letter == other[column - 1], one[row - 1] == candidate {
          cost = min(cost, before[column - 1] + 1)
        }
        next.append(cost)
      }
      (before, last) = (last, next)
    }
    return last[other.count]
  }
}
