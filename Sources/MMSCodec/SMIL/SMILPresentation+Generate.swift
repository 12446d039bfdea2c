extension SMILPresentation {
  /// The name of the region of images and videos.
  public static let imageRegion = "Image"
  /// The name of the region of texts.
  public static let textRegion = "Text"
  /// Milliseconds a slide is shown.
  public static let slideDuration = 5_000

  /// The standard layout of slides: 320 × 480, the image in the upper two thirds, the text below.
  ///
  /// Each slide is shown for five seconds, with its medium before its text; vCards and audio files have no region (R-MMS-38, A22,
  /// A23).
  static func laidOut(_ slides: [Slide]) -> SMILPresentation {
    SMILPresentation(
      width: .pixels(320), height: .pixels(480),
      regions: [
        Region(
          id: Self.imageRegion, left: .pixels(0), top: .pixels(0), width: .pixels(320), height: .pixels(320),
          fit: "meet"),
        Region(
          id: Self.textRegion, left: .pixels(0), top: .pixels(320), width: .pixels(320), height: .pixels(160),
          fit: "meet"),
      ],
      slides: slides)
  }

  /// The document for the body of a part: UTF-8, without XML declaration and namespace, as phones write it.
  public var xmlText: String {
    var xml = "<smil><head><layout><root-layout"
    xml += Self.attribute("width", width?.text) + Self.attribute("height", height?.text) + "/>"
    for region in regions {
      xml += "<region" + Self.attribute("id", region.id)
      xml += Self.attribute("left", region.left?.text) + Self.attribute("top", region.top?.text)
      xml += Self.attribute("width", region.width?.text) + Self.attribute("height", region.height?.text)
      xml += Self.attribute("fit", region.fit) + "/>"
    }
    xml += "</layout></head><body>"
    for slide in slides {
      xml += "<par" + Self.attribute("dur", slide.duration) + ">"
      for element in slide.elements {
        xml += "<\(element.kind.rawValue)" + Self.attribute("src", element.source)
        xml += Self.attribute("region", element.region) + Self.attribute("begin", element.begin)
        xml += Self.attribute("end", element.end) + Self.attribute("dur", element.duration) + "/>"
      }
      xml += "</par>"
    }
    return xml + "</body></smil>"
  }

  private static func attribute(_ name: String, _ milliseconds: Int?) -> String {
    attribute(name, milliseconds.map { "\($0)ms" })
  }

  private static func attribute(_ name: String, _ value: String?) -> String {
    guard let value else { return "" }
    var escaped = ""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
      // Characters that XML 1.0 cannot represent.
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return " \(name)=\"\(escaped)\""
  }
}
