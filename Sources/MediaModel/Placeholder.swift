/// What to show before an image has arrived.
public struct Placeholder: Hashable, Codable, Sendable {
  /// ThumbHash (github.com/evanw/thumbhash) in base64.
  public var thumbhash: String
  /// BlurHash (github.com/woltapp/blurhash) with 4 × 3 components.
  public var blurhash: String
  /// The dominant colour as `#rrggbb`.
  public var color: String

  /// A placeholder of those three forms.
  public init(thumbhash: String, blurhash: String, color: String) {
    self.thumbhash = thumbhash
    self.blurhash = blurhash
    self.color = color
  }
}
