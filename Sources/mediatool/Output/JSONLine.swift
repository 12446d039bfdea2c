internal import Foundation
internal import MediaModel

/// One object a line, its keys in alphabetical order: the same record is the same bytes.
enum JSONLine {
  /// The record in JSON, without the end of the line.
  static func text(_ record: some Encodable) throws(Fault) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return escaped(String(decoding: try encoder.encode(record), as: UTF8.self))
    } catch {
      throw Fault(.software, "cannot write a result as JSON: \(error)")
    }
  }

  /// Writes characters that a terminal acts on as `\u009B` and the like, which JSON reads as the same text. The encoder does
  /// that for U+0000…U+001F only; such characters stand inside strings alone.
  private static func escaped(_ json: String) -> String {
    guard !json.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return json }
    return json.unicodeScalars.map { scalar in
      if DisplayText.isHarmless(scalar) { return String(scalar) }
      return UTF16.encode(scalar).map { unit in
        unit.map { "\\u" + String(0x1_0000 + Int($0), radix: 16, uppercase: true).dropFirst() }.joined()
      } ?? ""
    }.joined()
  }
}

extension Double {
  /// The number without the noise of its last binary digits; nil for what JSON cannot say.
  func rounded(toPlaces places: Int) -> Double? {
    guard isFinite else { return nil }
    let scale = pow(10, Double(places))
    let scaled = (self * scale).rounded()
    return scaled.isFinite ? scaled / scale : self
  }
}
