public import MediaModel

/// One file that somebody wants to send.
public struct MediaAttachment: Hashable, Codable, Sendable, Identifiable {
  /// The name of an attachment in its draft, given by whoever makes it: a UUID, a client id (C9), a path. Compared byte by byte.
  public struct ID: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The name.
    public let rawValue: String
    /// An attachment of that name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// An attachment of that name.
    public init(_ name: String) { rawValue = name }
    /// An attachment of that name.
    public init(stringLiteral name: String) { rawValue = name }
    /// The name.
    public var description: String { rawValue }
    /// Whether the bytes of the names are the same, not only their looks.
    public static func == (left: ID, right: ID) -> Bool { NameBytes.areEqual(left.rawValue, right.rawValue) }
    /// Hashes the bytes of the name.
    public func hash(into hasher: inout Hasher) { NameBytes.hash(rawValue, into: &hasher) }
  }

  /// Its name in the draft; no two attachments of a draft share one.
  public let id: ID
  /// Where it comes from in a photo library; nil for a file, or where the system's picker does not say.
  public var asset: AssetID?
  /// The name to show. Foreign text: shown as text, never as markup, and never made into a path.
  public var name: String?
  /// What it is, by its content. On a server always from a prober's own reading: what a client says about type, size or
  /// name is never put in here (R-MYM-20).
  public var info: MediaInfo
  /// The part to be sent, in upright pixels; nil for all of it (R-CHAT-12).
  public var crop: PixelRect?

  /// An attachment of those facts.
  public init(id: ID, asset: AssetID? = nil, name: String? = nil, info: MediaInfo, crop: PixelRect? = nil) {
    self.id = id
    self.asset = asset
    self.name = name
    self.info = info
    self.crop = crop
  }

  /// Whether it is an image that can be made smaller and stay what it is: a readable still one.
  public var canShrink: Bool {
    info.kind == .image && info.animated != true && info.error == nil && info.displaySize?.isPositive == true
  }
}
