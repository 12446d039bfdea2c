internal import AttachmentPolicy

extension Tray {
  /// Loads the newest items. Call it when the tray opens and on return from another app or the settings (R-TRAY-16,
  /// R-TRAY-22).
  public mutating func load(from source: some PhotoSource) -> [Event] {
    guard access.isReadable else { return [] }
    let before = items
    refill(from: source)
    justTaken = []
    let shown = Set(newest.map(\.id))
    let left = before.map(\.id).filter { !shown.contains($0) }
    let wanted = access == .full ? draft.items.compactMap(\.attachment.asset).filter { !shown.contains($0) } : []
    var asked: Set<AssetID> = []
    let names = (left + wanted).filter { asked.insert($0).inserted }
    let missing = names.isEmpty ? [] : source.missing(among: names)
    return events(since: before, vanished: missing)
  }

  /// Applies a change of the library.
  ///
  /// The cost is linear in the size of the change. The source is asked for ``capacity`` items only if a shown item was
  /// removed and an older one may take its cell.
  public mutating func apply(_ change: LibraryChange, from source: some PhotoSource) -> [Event] {
    let before = items
    // If an item is listed twice, the last entry counts.
    let changed = Dictionary(change.changed.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    let removed = change.removed.subtracting(changed.keys)
    justTaken.removeAll { removed.contains($0.id) }
    justTaken = justTaken.map { changed[$0.id] ?? $0 }
    if access.isReadable {
      let oldest = newest.last
      newest.removeAll { removed.contains($0.id) || changed[$0.id] != nil }
      // An item older than the oldest shown one may not be the next newest: the library may hold others in between.
      for item in changed.values where !mayHoldMore || oldest.map(item.precedes) ?? false {
        newest.insert(item, at: newest.firstIndex { item.precedes($0) } ?? newest.endIndex)
      }
      if newest.count > Self.capacity {
        newest.removeLast(newest.count - Self.capacity)
        mayHoldMore = true
      } else if newest.count < Self.capacity, mayHoldMore {
        refill(from: source)
      }
    }
    return events(since: before, vanished: removed)
  }

  /// Sets the library permission and reloads the items. Selection and draft are kept (R-TRAY-16).
  public mutating func setAccess(_ access: LibraryAccess, from source: some PhotoSource) -> [Event] {
    guard access != self.access else { return [] }
    let before = items
    self.access = access
    if access.isReadable {
      refill(from: source)
    } else {
      newest = []
      mayHoldMore = false
    }
    return [.accessChanged(access)] + events(since: before, vanished: [])
  }

  private mutating func refill(from source: some PhotoSource) {
    var seen: Set<AssetID> = []
    // Sources are third-party code: tolerate too many items and duplicates.
    let given = source.newest(Self.capacity).filter { seen.insert($0.id).inserted }.sorted { $0.precedes($1) }
    newest = Array(given.prefix(Self.capacity))
    mayHoldMore = given.count >= Self.capacity
  }

  /// Removes deleted items from the draft, and returns the differences from `before`.
  ///
  /// Only with full access is a missing item known to be deleted. With limited access the user may have deselected it,
  /// which the system reports in the same way. The draft then keeps it.
  mutating func events(since before: [Item], vanished: Set<AssetID>) -> [Event] {
    let leavesDraft = access == .full
    let after = items
    let old = Set(before.map(\.id))
    var events: [Event] = []
    if !vanished.isEmpty {
      // First in the order of the tray, then of the draft.
      var reported: Set<AssetID> = []
      let names = before.map(\.id) + (leavesDraft ? draft.items.compactMap(\.attachment.asset) : [])
      for name in names where vanished.contains(name) && reported.insert(name).inserted {
        events.append(.vanished(name))
      }
      if leavesDraft { events += draft.remove(vanished: vanished, under: rules).map { .draft($0) } }
    }
    guard after != before else { return events }
    events += after.lazy.map(\.id).filter { !old.contains($0) }.map { .inserted($0) }
    return events + [.itemsChanged]
  }
}
