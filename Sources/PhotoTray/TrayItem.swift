public import AttachmentPolicy
public import MediaModel

/// A photo or video that can be shown in a tray.
public struct TrayItem: Hashable, Codable, Sendable, Identifiable {
  /// Its name in the library.
  public let id: AssetID
  /// When it was taken, else when its file was made: seconds since 1970. The key of the order.
  public var time: Int
  /// The name to show. Foreign text.
  public var name: String?
  /// What it is, by its content; of a file that could not be read, why.
  public var info: MediaInfo
  /// Where its thumbnail is to be had: an address, a path, a key. Nil while there is none.
  public var thumbnail: String?
  /// What to show before the thumbnail has arrived.
  public var placeholder: Placeholder?

  /// An item of those facts.
  public init(
    id: AssetID, time: Int, name: String? = nil, info: MediaInfo, thumbnail: String? = nil,
    placeholder: Placeholder? = nil
  ) {
    self.id = id
    self.time = time
    self.name = name
    self.info = info
    self.thumbnail = thumbnail
    self.placeholder = placeholder
  }

  /// Whether it stands before `other`: the newer first. Of the same second the one with the greater name, for cameras count upwards;
  /// so the order is the same on every machine and after every start.
  public func precedes(_ other: TrayItem) -> Bool { (time, id) > (other.time, other.id) }
}
