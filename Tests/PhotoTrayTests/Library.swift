internal import AttachmentPolicy
internal import MediaModel
internal import PhotoTray
internal import Testing

/// A photo library in memory, which remembers what it was asked for.
final class Library: PhotoSource {
  private(set) var items: [AssetID: Tray.Item] = [:]
  private(set) var asked: [Int] = []
  private(set) var askedMissing = 0
  /// The chosen items under limited access; nil for all.
  var chosen: Set<AssetID>?

  init(_ items: [Tray.Item] = []) {
    for item in items { self.items[item.id] = item }
  }

  func newest(_ count: Int) -> [Tray.Item] {
    asked.append(count)
    // Keys are sorted, not items: thousands of histories ask.
    let visible = items.values.lazy.filter { self.chosen?.contains($0.id) ?? true }.map { ($0.time, $0.id) }
    return visible.sorted(by: >).prefix(count).compactMap { items[$0.1] }
  }

  func missing(among assets: [AssetID]) -> Set<AssetID> {
    askedMissing = max(askedMissing, assets.count)
    return Set(assets.filter { items[$0] == nil })
  }

  /// What an app takes itself is among the chosen.
  func choose(_ name: AssetID) { chosen?.insert(name) }

  @discardableResult func put(_ item: Tray.Item) -> Tray.LibraryChange {
    items[item.id] = item
    return Tray.LibraryChange(changed: [item])
  }

  @discardableResult func remove(_ names: Set<AssetID>) -> Tray.LibraryChange {
    for name in names { items[name] = nil }
    return Tray.LibraryChange(removed: names)
  }
}

enum Sample {
  static func photo(_ name: String, time: Int = 0, bytes: Int = 1_000, digest: String? = nil) -> Tray.Item {
    var info = MediaInfo(type: .jpeg, bytes: bytes)
    (info.width, info.height, info.sha256) = (40, 30, digest)
    return Tray.Item(id: AssetID(name), time: time, info: info)
  }

  static func video(_ name: String, time: Int = 0, duration: Double) -> Tray.Item {
    var info = MediaInfo(type: MediaType("video/mp4"), bytes: 1_000)
    info.duration = duration
    return Tray.Item(id: AssetID(name), time: time, info: info)
  }

  /// `p0`, `p1` …, the first the oldest.
  static func photos(_ count: Int) -> [Tray.Item] { (0..<count).map { photo("p\($0)", time: $0) } }

  /// A tray that has loaded the library.
  static func tray(
    _ library: Library, access: Tray.LibraryAccess = .full, rules: AttachmentRules = AttachmentRules()
  ) -> Tray {
    var tray = Tray(access: access, rules: rules)
    _ = tray.load(from: library)
    return tray
  }
}

extension Tray {
  var grid: Tray.Grid? { if case .grid(let grid) = state { grid } else { nil } }
  var names: [String] { items.map(\.id.rawValue) }
  func cell(_ name: AssetID) -> Tray.Cell? { grid?.cells.first { $0.id == name } }
  /// The numbers on the cells.
  var numbers: [String: Int] {
    Dictionary(
      uniqueKeysWithValues: (grid?.cells ?? []).compactMap { cell in
        cell.selected.map { (cell.id.rawValue, $0) }
      })
  }
}
