public import MediaModel

/// One file to attach to a message.
public struct MediaAttachment: Hashable, Codable, Sendable, Identifiable {
  /// The identifier of an attachment in its draft, chosen by the caller: a UUID, a client id (C9) or a path. Compared
  /// byte by byte.
  public struct ID: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The text of the identifier, which is its JSON form too.
    public let rawValue: String
    /// Any text is an identifier; nothing is checked.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The same without a label.
    public init(_ name: String) { rawValue = name }
    /// Lets a string literal name an attachment, as in tests.
    public init(stringLiteral name: String) { rawValue = name }
    /// The same text as `rawValue`.
    public var description: String { rawValue }
    /// Compares the UTF-8 bytes; canonically equivalent strings are not equal.
    public static func == (left: ID, right: ID) -> Bool { NameBytes.areEqual(left.rawValue, right.rawValue) }
    /// Hashes the UTF-8 bytes.
    public func hash(into hasher: inout Hasher) { NameBytes.hash(rawValue, into: &hasher) }
  }

  /// The identifier, unique in the draft.
  public let id: ID
  /// The photo library asset. Nil for a file, or if the system's picker does not provide an identifier.
  public var asset: AssetID?
  /// The display name. It is untrusted: show it as text, never as markup, and never use it as a path.
  public var name: String?
  /// The facts that were determined from the content.
  ///
  /// On a server they always come from its own probe. Type, size and name that a client declares are never stored here
  /// (R-MYM-20).
  public var info: MediaInfo
  /// The crop in upright pixels; nil for no crop (R-CHAT-12).
  public var crop: PixelRect?
  /// The words for a person who cannot see the image, as the sender wrote it; nil for none. It is untrusted text.
  public var altText: String?

  /// Creates an attachment without an alternative text.
  public init(id: ID, asset: AssetID? = nil, name: String? = nil, info: MediaInfo, crop: PixelRect? = nil) {
    self.id = id
    self.asset = asset
    self.name = name
    self.info = info
    self.crop = crop
  }

  /// Whether it is a readable still image, whose size can be reduced without changing its kind.
  public var canShrink: Bool {
    info.kind == .image && info.animated != true && info.error == nil && info.displaySize?.isPositive == true
  }
}
