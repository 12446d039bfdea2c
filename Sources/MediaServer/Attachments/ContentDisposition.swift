internal import MediaModel

/// `Content-Disposition` of an untrusted file (RFC 6266).
enum ContentDisposition {
  /// Types that a browser shows by itself without running anything in them. Not SVG, HTML, PDF or XML.
  static let inline: Set<MediaType> = [
    .jpeg, .png, .gif, .webp, .avif, .heic, MediaType("video/mp4"), MediaType("video/webm"),
    MediaType("video/quicktime"), MediaType("audio/mpeg"), MediaType("audio/mp4"), MediaType("audio/aac"),
    MediaType("audio/ogg"), MediaType("audio/wav"), MediaType("audio/flac"), MediaType("audio/webm"),
  ]

  /// Bytes of a name, at most.
  private static let maxBytes = 255

  /// The field for a file.
  /// - Parameters:
  ///   - type: Its type by content.
  ///   - name: The name that its sender stated, which may be anything.
  ///   - fallback: The name if nothing of the other can be used.
  static func field(type: MediaType, name: String?, fallback: String) -> String {
    let disposition = inline.contains(type) ? "inline" : "attachment"
    let name = name.map(cleaned) ?? ""
    let used = name.isEmpty ? fallback : name
    // A token needs no quotes, so there is nothing to escape; everything else is percent-encoded (RFC 8187).
    if used.utf8.allSatisfy(isToken) { return "\(disposition); filename=\(used)" }
    return "\(disposition); filename*=UTF-8''\(encoded(used))"
  }

  /// The last component of a path, without characters that are not shown or change the direction of what is shown.
  private static func cleaned(_ name: String) -> String {
    // Scalars, because a slash and a combining mark after it are one character.
    let component = name.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? "".unicodeScalars[...]
    var text = String.UnicodeScalarView()
    var bytes = 0
    for scalar in component {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: continue
      default: break
      }
      bytes += UTF8.width(scalar)
      if bytes > maxBytes { break }
      text.append(scalar)
    }
    let cleaned = String(text).trimmingOptionalSpace
    return cleaned.allSatisfy { $0 == "." } ? "" : cleaned
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isToken(byte) {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
