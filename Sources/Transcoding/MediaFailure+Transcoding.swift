internal import MediaModel

extension MediaFailure {
  /// The refusal of a file that is too long for its limit: "94 s cannot fit into 100 kB; at most 21 s can."
  /// - Parameters:
  ///   - duration: Seconds of the file; nil or infinite if unknown.
  ///   - bytes: The limit.
  ///   - fitting: Seconds that would fit; 0 if none would. Rounded down in the message.
  static func wouldNotFit(_ duration: Double?, in bytes: Int, fitting: Double) -> MediaFailure {
    let known = duration.flatMap { $0.isFinite ? $0 : nil }
    let length = known.map { seconds($0, .up) } ?? "The file"
    let most = fitting.isFinite && fitting >= 0.1 && fitting < known ?? .infinity
    return MediaFailure(
      .wouldNotFit,
      "\(length) cannot fit into \(HumanNumbers.limit(bytes))"
        + (most ? "; at most \(seconds(fitting, .down)) can." : "."))
  }

  /// Whole seconds from 10 s on, tenths below.
  private static func seconds(_ value: Double, _ rule: FloatingPointRoundingRule) -> String {
    let value = max(0, min(value, 1e9))
    return value < 10 ? "\((value * 10).rounded(rule) / 10) s" : "\(Int(value.rounded(rule)).grouped) s"
  }
}
