internal import ArgumentParser

/// A value with rules of its own. A value that breaks them is named in the message, and so is what is allowed.
protocol CheckedArgument {
  /// What is allowed, for the message.
  static var allowed: String { get }
  init?(argument: String)
}

extension CheckedArgument {
  /// For an option's `transform`.
  static func parse(_ argument: String) throws -> Self {
    guard let value = Self(argument: argument) else { throw ValidationError("expected \(allowed).") }
    return value
  }
}

/// Whole numbers as people type them.
enum Number {
  /// More than anybody means; leaves room for arithmetic.
  static let largest = Int(Int32.max)

  /// The number in plain digits, if it lies in the range; no sign, no space.
  static func whole(_ text: some StringProtocol, in range: ClosedRange<Int>) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text) else { return nil }
    return range.contains(value) ? value : nil
  }

  /// For an option's `transform`: a whole number in the range.
  static func parser(_ range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
    { text in
      guard let value = whole(text, in: range) else {
        throw ValidationError("expected a whole number from \(range.lowerBound) to \(range.upperBound).")
      }
      return value
    }
  }
}

/// Seconds for one file, as `--deadline` takes them.
struct Seconds: CheckedArgument {
  let value: Double

  init?(argument: String) {
    guard let value = Double(argument), value.isFinite, value > 0, value <= 86_400 else { return nil }
    self.value = value
  }

  static var allowed: String { "a number of seconds above 0, at most 86400" }
}
