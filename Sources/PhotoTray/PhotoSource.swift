public import AttachmentPolicy

/// A library of photos, of any size, out of which a tray takes the newest.
///
/// Only ever asked for as many as a tray has cells and for a few names; never for all.
public protocol PhotoSource {
  /// The newest photos and videos, at most `count`, in any order. Under limited access the chosen ones alone.
  func newest(_ count: Int) -> [TrayItem]
  /// Which of these are not in the library any more.
  func missing(among assets: [AssetID]) -> Set<AssetID>
}

/// What happened in a photo library.
public struct LibraryChange: Hashable, Codable, Sendable {
  /// New items, and those whose facts, image or time are others now.
  public var changed: [TrayItem]
  /// Items that are gone. Applied before ``changed``.
  public var removed: Set<AssetID>

  /// A change of those parts.
  public init(changed: [TrayItem] = [], removed: Set<AssetID> = []) {
    self.changed = changed
    self.removed = removed
  }
}
