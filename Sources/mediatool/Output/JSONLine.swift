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

/// Writes a path: as text, and in full where the text is not all of it (docs/design.md §3).
struct PathKeys: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }

  /// Puts `path` under the key of that name, and its bytes in base64 under `…Bytes` when it is not UTF-8.
  static func encode(_ path: RawPath, as name: String, to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: PathKeys.self)
    try container.encode(path.text, forKey: PathKeys(stringValue: name))
    if !path.isUTF8 {
      try container.encode(Data(path.bytes).base64EncodedString(), forKey: PathKeys(stringValue: name + "Bytes"))
    }
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
