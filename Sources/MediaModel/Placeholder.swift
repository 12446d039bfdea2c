/// What a view shows until the image has loaded.
public struct Placeholder: Hashable, Codable, Sendable {
  /// ThumbHash (github.com/evanw/thumbhash) in base64.
  public var thumbhash: String
  /// BlurHash (github.com/woltapp/blurhash) with 4 × 3 components.
  public var blurhash: String
  /// The dominant color as `#rrggbb`.
  public var color: String

  /// Creates a placeholder from its three forms.
  public init(thumbhash: String, blurhash: String, color: String) {
    self.thumbhash = thumbhash
    self.blurhash = blurhash
    self.color = color
  }
}
