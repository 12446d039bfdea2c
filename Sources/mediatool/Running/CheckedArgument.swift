internal import ArgumentParser

/// An argument with rules of its own. The message for an invalid value names the value, and the allowed values.
protocol CheckedArgument {
  /// The allowed values, for the message.
  static var allowed: String { get }
  /// Names that are allowed, for a suggestion; by default none.
  static var names: [String] { get }
  init?(argument: String)
}

extension CheckedArgument {
  static var names: [String] { [] }

  /// For an option's `transform`.
  static func parse(_ argument: String) throws -> Self {
    guard let value = Self(argument: argument) else {
      throw ValidationError("expected \(allowed).\(Suggestion.sentence(for: argument, among: names))")
    }
    return value
  }
}

/// Parsing of whole numbers.
enum Number {
  /// Larger than any sensible value, with room for arithmetic.
  static let largest = Int(Int32.max)
  /// The most bytes of a library that an option may name: 1 PiB.
  static let maxLibraryBytes = 1 << 50

  /// A number of plain digits in a range; nil with a sign or a space.
  static func whole(_ text: some StringProtocol, in range: ClosedRange<Int>) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text) else { return nil }
    return range.contains(value) ? value : nil
  }

  /// For an option's `transform`: a whole number in a range.
  static func parser(_ range: ClosedRange<Int>) -> @Sendable (String) throws -> Int {
    { text in
      guard let value = whole(text, in: range) else {
        throw ValidationError("expected a whole number from \(range.lowerBound) to \(range.upperBound).")
      }
      return value
    }
  }
}

/// Time limit for one file in seconds, the value of `--deadline`.
struct Seconds: CheckedArgument {
  let value: Double

  init?(argument: String) {
    guard let value = Double(argument), value.isFinite, value > 0, value <= 86_400 else { return nil }
    self.value = value
  }

  static var allowed: String { "a number of seconds above 0, at most 86,400 (one day)" }
}
