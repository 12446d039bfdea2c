internal import Foundation
internal import MediaModel

/// JSON records, one per line, with keys in alphabetical order: equal records have equal bytes.
enum JSONLine {
  /// The record as JSON, without a line end.
  static func text(_ record: some Encodable) throws(Fault) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return escaped(String(decoding: try encoder.encode(record), as: UTF8.self))
    } catch {
      throw Fault(.software, "cannot write a result as JSON: \(error)")
    }
  }

  /// The record as JSON, with the id of its request before the other keys.
  /// - Parameter id: A JSON value as it was given; nil for none.
  static func text(_ record: some Encodable, id: String?) throws(Fault) -> String {
    let text = try text(record)
    guard let id else { return text }
    return "{\"id\":\(id)\(text == "{}" ? "" : ",")\(text.dropFirst())"
  }

  /// Escapes characters that a terminal acts on as `\u009B` and the like, which does not change the meaning of the JSON. The encoder does so only for
  /// U+0000…U+001F. Such characters occur in strings only.
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
  /// The number rounded to decimal places; nil for infinity and NaN, which JSON does not have.
  func rounded(toPlaces places: Int) -> Double? {
    guard isFinite else { return nil }
    let scale = pow(10, Double(places))
    let scaled = (self * scale).rounded()
    return scaled.isFinite ? scaled / scale : self
  }
}
