/// A strip of small frames of a video, evenly spread over its length, with an index that says which one stands for which seconds.
public struct Storyboard: Hashable, Sendable {
  /// The most frames that one has.
  public static let maxFrames = 1_000

  /// One frame of the strip.
  public struct Tile: Hashable, Codable, Sendable {
    /// Where it lies in the strip.
    public var place: PixelRect
    /// The second from which on it stands for the video.
    public var start: Double
    /// The second at which the next one takes over.
    public var end: Double
    /// A frame at that place, for those seconds.
    public init(place: PixelRect, start: Double, end: Double) {
      self.place = place
      self.start = start
      self.end = end
    }
  }

  /// All frames in one image, row by row, from the beginning of the video to its end.
  public var strip: Rendition
  /// The frames, in the same order.
  public var tiles: [Tile]

  /// A storyboard of those parts.
  public init(strip: Rendition, tiles: [Tile]) {
    self.strip = strip
    self.tiles = tiles
  }

  /// The index as WebVTT, as players of the web take it for previews over the seek bar: each cue is the strip's address with the place
  /// as a media fragment (`#xywh=`).
  /// - Parameter image: The name of the strip's file beside the index. It is percent-encoded here.
  public func webVTT(image: String) -> String {
    let address = Self.percentEncoded(image)
    let cues = tiles.map { tile in
      let place = "\(tile.place.x),\(tile.place.y),\(tile.place.width),\(tile.place.height)"
      return "\(Self.timestamp(tile.start)) --> \(Self.timestamp(tile.end))\n\(address)#xywh=\(place)\n"
    }
    return "WEBVTT\n\n" + cues.joined(separator: "\n")
  }

  /// `01:02:03.456`; hours may have more digits.
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

  /// All but the unreserved characters of RFC 3986, section 2.3.
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
