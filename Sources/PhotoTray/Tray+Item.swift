public import AttachmentPolicy
public import MediaModel

extension Tray {
  /// A photo or video that can be shown in a tray.
  public struct Item: Hashable, Codable, Sendable, Identifiable {
    /// Identifies the item in the photo library, as ``PhotoSource`` has it.
    public let id: AssetID
    /// Sort key in seconds since 1970: the capture time, or else the creation time of the file.
    public var time: Int
    /// The display name. It is untrusted text.
    public var name: String?
    /// The facts determined from the content, or the reason why they are missing.
    public var info: MediaInfo
    /// The address, path or key of the thumbnail; nil while there is none.
    public var thumbnail: String?
    /// What to show until the thumbnail has loaded.
    public var placeholder: Placeholder?

    /// Creates an item.
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

    /// Whether the item comes before `other`: newest first.
    ///
    /// Items of the same second are ordered by descending identifier, because cameras count upwards. The order is
    /// therefore the same on every machine and after every launch.
    public func precedes(_ other: Item) -> Bool { (time, id) > (other.time, other.id) }
  }
}
