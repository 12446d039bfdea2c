public import AttachmentPolicy

/// A photo library of any size that provides a tray with its newest items.
///
/// A tray requests at most as many items as it has cells, and looks up only a few identifiers. It never enumerates the
/// library.
public protocol PhotoSource {
  /// Returns the newest photos and videos, at most `count`, in any order. With limited access, returns only the
  /// selected ones.
  func newest(_ count: Int) -> [Tray.Item]
  /// Returns the identifiers that are no longer in the library.
  func missing(among assets: [AssetID]) -> Set<AssetID>
}

extension Tray {
  /// What changed in a photo library since the last call.
  public struct LibraryChange: Hashable, Codable, Sendable {
    /// New items, and items whose facts, image or time changed.
    public var changed: [Item]
    /// Removed items. Removals apply before ``changed``.
    public var removed: Set<AssetID>

    /// Creates a change.
    public init(changed: [Item] = [], removed: Set<AssetID> = []) {
      self.changed = changed
      self.removed = removed
    }
  }
}
