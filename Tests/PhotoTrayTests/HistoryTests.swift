internal import AttachmentPolicy
internal import MediaModel
internal import PhotoTray
internal import TestSupport
internal import Testing

@Suite("Random histories (seed printed)") struct HistoryTests {
  /// Everything a history can do, at random.
  private struct Player {
    var random: SeededGenerator
    let library: Library
    var tray: Tray
    /// Names that there can be: few, so that they come again.
    let names: Int
    /// Whether something stands first because it was just taken, which a fresh load does not know.
    var hasTaken = false
    /// What the next step has to do, for this one was its first half.
    var rest: ((inout Tray, Library) -> [Tray.Event])?

    init(seed: UInt64) {
      random = SeededGenerator(seed: seed)
      // Small and large libraries: below, at and above the fifty.
      let count = [0, 3, 49, 50, 51, 70][random.below(6)]
      names = count + 10
      library = Library((0..<count).map { Sample.photo("p\($0)", time: $0 / 2) })
      var rules = AttachmentRules()
      rules.maxAttachments = 1 + random.below(4)
      tray = Sample.tray(library, rules: rules)
    }

    mutating func name() -> AssetID { AssetID("p\(random.below(names))") }

    mutating func item() -> Tray.Item {
      Sample.photo(name().rawValue, time: random.below(names), bytes: random.below(8) == 0 ? 1 << 40 : 9)
    }

    /// The change that the library reports: under limited access, of the chosen items only.
    func libraryChange(_ changed: [Tray.Item] = [], removed: Set<AssetID> = []) -> Tray.LibraryChange {
      Tray.LibraryChange(changed: changed.filter { library.chosen?.contains($0.id) ?? true }, removed: removed)
    }

    mutating func step() -> [Tray.Event] {
      if let rest {
        self.rest = nil
        return rest(&tray, library)
      }
      switch random.below(13) {
      case 0, 1:
        let item = item()
        library.put(item)
        return tray.apply(libraryChange([item]), from: library)
      case 2: return tray.apply(library.remove([name()]), from: library)
      case 3:
        // Several at once, as a synchronisation does it.
        let removed = Set((0..<random.below(30)).map { _ in name() })
        let changed = (0..<random.below(30)).map { _ in item() }
        library.remove(removed)
        for item in changed { library.put(item) }
        return tray.apply(libraryChange(changed, removed: removed), from: library)
      case 4, 5: return tray.toggle(name())
      case 6: return tray.remove(MediaAttachment.ID(name().rawValue))
      case 7:
        let item = item()
        let picked = MediaAttachment(id: MediaAttachment.ID("x\(random.below(5))"), asset: item.id, info: item.info)
        // The picker gives what is in the library.
        return library.items[item.id] == nil ? [] : tray.add(picked: [picked])
      case 8: return tray.edit { [name = name()] in $0.setUpload(.uploaded, of: MediaAttachment.ID(name.rawValue)) }
      case 9:
        // The library and the camera report the same, one of them first.
        let item = item()
        library.put(item)
        library.choose(item.id)
        hasTaken = true
        let change = libraryChange([item])
        if random.below(2) == 0 {
          rest = { tray, _ in tray.take(item) }
          return tray.apply(change, from: library)
        }
        rest = { $0.apply(change, from: $1) }
        return tray.take(item)
      case 10:
        let access = [Tray.LibraryAccess.full, .full, .limited, .denied][random.below(4)]
        library.chosen = access == .limited ? Set((0..<random.below(names)).map { _ in name() }) : nil
        hasTaken = hasTaken && !access.isReadable
        rest = { $0.load(from: $1) }
        return tray.setAccess(access, from: library)
      default:
        hasTaken = hasTaken && !tray.access.isReadable
        return tray.load(from: library)
      }
    }
  }

  @Test("Applying changes gives the same tray as a fresh load", arguments: 0..<20 as Range<UInt64>)
  func streamIsLoad(group: UInt64) {
    for seed in group * 100..<group * 100 + 100 {
      var player = Player(seed: seed)
      for step in 0..<20 {
        _ = player.step()
        if player.hasTaken || player.rest != nil { continue }
        var fresh = Tray(access: player.tray.access, rules: player.tray.rules, draft: player.tray.draft)
        _ = fresh.load(from: player.library)
        guard fresh.state == player.tray.state else {
          Issue.record("seed \(seed), step \(step): \(player.tray.names) instead of \(fresh.names)")
          return
        }
        // A fresh load finds nothing to take out: the stream has done that.
        #expect(fresh.draft == player.tray.draft, "seed \(seed), step \(step)")
      }
      #expect(player.library.asked.allSatisfy { $0 == Tray.capacity }, "seed \(seed)")
    }
  }

  @Test(
    "Selection and draft agree, without duplicates, and the numbers are the order",
    arguments: 0..<5 as Range<UInt64>)
  func selectionIsDraft(group: UInt64) {
    for seed in group * 100..<group * 100 + 100 {
      var player = Player(seed: seed &+ 1 << 32)
      for step in 0..<20 {
        _ = player.step()
        let tray = player.tray
        let assets = tray.draft.items.compactMap(\.attachment.asset)
        #expect(Set(assets).count == assets.count, "seed \(seed), step \(step)")
        #expect(tray.draft.items.count <= tray.rules.maxAttachments ?? 0, "seed \(seed), step \(step)")
        let tried = tray.items.isEmpty ? nil : tray.items[player.random.below(tray.items.count)].id
        for cell in tray.grid?.cells ?? [] {
          guard cell.selected == tray.draft.index(of: cell.id).map({ $0 + 1 }), cell.selected == nil || cell.isEnabled
          else {
            Issue.record("seed \(seed), step \(step): \(cell)")
            return
          }
          // A cell says that it can be selected exactly when it can; one cell a step is tried.
          if cell.selected == nil, cell.id == tried {
            var copy = tray
            _ = copy.select(cell.id)
            #expect((copy.draft.index(of: cell.id) != nil) == cell.isEnabled, "seed \(seed), step \(step)")
          }
        }
      }
    }
  }

  @Test("The events report inserted and removed items", arguments: 0..<5 as Range<UInt64>)
  func eventsDescribeEveryChange(group: UInt64) {
    for seed in group * 100..<group * 100 + 100 {
      var player = Player(seed: seed &+ 2 << 32)
      for step in 0..<20 {
        let before = player.tray
        let events = player.step()
        let (old, new) = (Set(before.names), Set(player.tray.names))
        let inserted = events.compactMap { if case .inserted(let name) = $0 { name.rawValue } else { nil } }
        let vanished = events.compactMap { if case .vanished(let name) = $0 { name.rawValue } else { nil } }
        #expect(Set(inserted) == new.subtracting(old), "seed \(seed), step \(step)")
        #expect(Set(inserted).count == inserted.count, "seed \(seed), step \(step)")
        for name in vanished { #expect(player.library.items[AssetID(name)] == nil, "seed \(seed), step \(step)") }
        for name in old.subtracting(new) where player.library.items[AssetID(name)] == nil {
          #expect(vanished.contains(name), "seed \(seed), step \(step)")
        }
        #expect(events.contains(.itemsChanged) == (before.items != player.tray.items), "seed \(seed), step \(step)")
        if before.state != player.tray.state || before.draft != player.tray.draft {
          #expect(!events.isEmpty, "seed \(seed), step \(step): something changed and nothing was said")
        }
      }
    }
  }
}
