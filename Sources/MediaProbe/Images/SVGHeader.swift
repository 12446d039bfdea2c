internal import Encodings
internal import MediaModel

/// Reads the size that the root element of an SVG requests (SVG 2 §8.2, CSS lengths at 96 dpi).
///
/// Only the root's start tag is read, with ``XMLScanner``. Nothing is expanded, fetched or built.
enum SVGHeader {
  /// Maximum offset of the root tag, after comments and document types.
  static let prefixLimit = 1_048_576

  static func read(_ reader: ByteReader) -> StillHeader {
    var header = StillHeader()
    header.alpha = true
    // It is nearly always in the first few hundred bytes.
    for length in [16_384, prefixLimit] {
      var scanner = XMLScanner(TextSample.utf8(reader.bytes(0, length)))
      while let token = scanner.next() {
        guard case .start(let name, _) = token else { continue }
        guard scanner.equals(scanner.split(name).local, "svg") else {
          header.failure = .corruptImage("no svg element")
          return header
        }
        header.size = size(scanner)
        return header
      }
      if length >= reader.count { break }
    }
    header.failure = .corruptImage("no svg element")
    return header
  }

  /// Width and height of the root if they are lengths; a missing one follows from the view box.
  ///
  /// Percentages refer to the available space, so the view box decides. Nil if only rendering would show the size.
  private static func size(_ scanner: XMLScanner) -> PixelSize? {
    var values: [String: String] = [:]
    for attribute in scanner.attributes {
      for name in ["width", "height", "viewBox", "style"] as [StaticString] where scanner.equals(attribute.name, name) {
        values["\(name)"] = scanner.text(attribute.value)
      }
    }
    // A style takes precedence over an attribute.
    for rule in (values["style"] ?? "").split(separator: ";") {
      let parts = rule.split(separator: ":", maxSplits: 1).map { $0.filter { $0 != " " } }
      if parts.count == 2, parts[0] == "width" || parts[0] == "height", pixels(parts[1]) != nil {
        values[parts[0]] = parts[1]
      }
    }
    let width = values["width"].flatMap(pixels)
    let height = values["height"].flatMap(pixels)
    let box = viewBox(values["viewBox"] ?? "")
    switch (width, height, box) {
    case (let width?, let height?, _): return rounded(width, height)
    case (let width?, nil, let box?): return rounded(width, width * box.height / box.width)
    case (nil, let height?, let box?): return rounded(height * box.width / box.height, height)
    case (nil, nil, let box?): return rounded(box.width, box.height)
    default: return nil
    }
  }

  private static func rounded(_ width: Double, _ height: Double) -> PixelSize? {
    guard width < 2_147_483_647, height < 2_147_483_647 else { return nil }
    return PixelSize(width: max(1, Int(width.rounded())), height: max(1, Int(height.rounded())))
  }

  /// A CSS length in pixels; nil for percentages, `auto`, non-positive lengths and invalid ones.
  private static func pixels(_ text: String) -> Double? {
    let units: [(suffix: String, factor: Double)] = [
      // em and ex use CSS's initial font size.
      ("px", 1), ("in", 96), ("cm", 96 / 2.54), ("mm", 96 / 25.4), ("pt", 96 / 72), ("pc", 16), ("em", 16), ("ex", 8),
      ("q", 96 / 101.6),
    ]
    let trimmed = text.filter { $0 != " " }
    guard trimmed.utf8.count <= 64 else { return nil }
    let unit = units.first { trimmed.lowercased().hasSuffix($0.suffix) }
    guard let number = Double(unit.map { trimmed.dropLast($0.suffix.count) } ?? trimmed[...]), number.isFinite,
      number > 0
    else { return nil }
    return number * (unit?.factor ?? 1)
  }

  private static func viewBox(_ text: String) -> (width: Double, height: Double)? {
    let numbers = text.split { $0 == " " || $0 == "," }.prefix(5).compactMap { Double($0) }
    guard numbers.count == 4, numbers[2] > 0, numbers[3] > 0, numbers[2].isFinite, numbers[3].isFinite else {
      return nil
    }
    return (numbers[2], numbers[3])
  }
}
