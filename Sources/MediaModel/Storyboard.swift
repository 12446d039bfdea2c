/// A sprite sheet of small frames, evenly spaced over a video, with an index of the time range of each.
public struct Storyboard: Hashable, Sendable {
  /// The maximum number of frames.
  public static let maxFrames = 1_000

  /// One frame of the sprite sheet.
  public struct Tile: Hashable, Codable, Sendable {
    /// The rectangle of the frame in ``Storyboard/strip``, in pixels.
    public var place: PixelRect
    /// The start of the time range in seconds.
    public var start: Double
    /// The end of the time range in seconds: where the next frame takes over.
    public var end: Double
    /// Creates a tile for a rectangle and a time range.
    public init(place: PixelRect, start: Double, end: Double) {
      self.place = place
      self.start = start
      self.end = end
    }
  }

  /// The sprite sheet: all frames in one image, row by row in order of time.
  public var strip: Rendition
  /// The index: one entry per frame, in the same order.
  public var tiles: [Tile]

  /// A sprite sheet with one tile per frame, in order of time.
  public init(strip: Rendition, tiles: [Tile]) {
    self.strip = strip
    self.tiles = tiles
  }

  /// The index as WebVTT, the form that web players use for seek bar previews.
  ///
  /// Each cue is the image's address with the rectangle as a media fragment (`#xywh=`).
  ///
  /// - Parameter image: The file name of the sprite sheet, relative to the index. It is percent-encoded here.
  public func webVTT(image: String) -> String {
    let address = Self.percentEncoded(image)
    let cues = tiles.map { tile in
      let place = "\(tile.place.x),\(tile.place.y),\(tile.place.width),\(tile.place.height)"
      return "\(Self.timestamp(tile.start)) --> \(Self.timestamp(tile.end))\n\(address)#xywh=\(place)\n"
    }
    return "WEBVTT\n\n" + cues.joined(separator: "\n")
  }

  /// Formats a timestamp as `01:02:03.456`; hours may have more digits.
  private static func timestamp(_ seconds: Double) -> String {
    let milliseconds = Int((min(max(0, seconds), 1e12) * 1_000).rounded())
    func digits(_ value: Int, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
    return "\(digits(hours, 2)):\(digits(minutes, 2)):\(digits(milliseconds / 1_000 % 60, 2))."
      + digits(milliseconds % 1_000, 3)
  }

  /// Percent-encodes everything except the unreserved characters of RFC 3986, section 2.3.
  private static func percentEncoded(_ name: String) -> String {
    var text = ""
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
