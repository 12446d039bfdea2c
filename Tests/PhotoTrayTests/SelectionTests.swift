internal import AttachmentPolicy
internal import MediaModel
internal import PhotoTray
internal import Testing

@Suite("Selection") struct SelectionTests {
  private func tray(_ count: Int = 20, limit: Int? = 10) -> Tray {
    var rules = AttachmentRules()
    rules.maxAttachments = limit
    return Sample.tray(Library(Sample.photos(count)), rules: rules)
  }

  @Test("R-TRAY-5, R-TRAY-27: a tap adds the item to the draft at once, in the order of the taps") func select() throws
  {
    var tray = tray()
    #expect(tray.select("p3") == [.draft(.added("p3", at: 0))])
    #expect(tray.select("p1") == [.draft(.added("p1", at: 1))])
    #expect(tray.numbers == ["p3": 1, "p1": 2])
    try #require(tray.draft.items.map(\.id) == ["p3", "p1"])
    #expect(tray.draft.items[0].attachment.asset == "p3")
  }

  @Test("R-TRAY-6, R-TRAY-7: removal in the tray or in the draft affects both, and the numbers are contiguous")
  func deselect() {
    var tray = tray()
    for name in ["p1", "p2", "p3"] as [AssetID] { _ = tray.select(name) }
    #expect(tray.deselect("p1") == [.draft(.removed("p1"))])
    #expect(tray.numbers == ["p2": 1, "p3": 2])
    #expect(tray.remove("p2") == [.draft(.removed("p2"))])
    #expect(tray.numbers == ["p3": 1])
    #expect(tray.toggle("p3") == [.draft(.removed("p3"))])
    #expect(tray.toggle("p4") == [.draft(.added("p4", at: 0))])
    #expect(tray.deselect("p9") == [])
    #expect(tray.remove("nobody") == [])
  }

  @Test("R-TRAY-8: duplicates by asset or by content are refused, from the tray and from the picker")
  func noDuplicates() {
    var tray = Sample.tray(
      Library([Sample.photo("a", digest: "x"), Sample.photo("copy", digest: "x"), Sample.photo("b")]))
    _ = tray.select("a", as: "1")
    #expect(tray.select("a", as: "2") == [])
    #expect(tray.cell("copy")?.reason == .duplicate(of: "1"))
    #expect(tray.select("copy") == [.draft(.refused("copy", [.duplicate(of: "1")]))])
    let picked = MediaAttachment(id: "picked", asset: "a", info: Sample.photo("a").info)
    #expect(tray.add(picked: [picked]) == [.draft(.refused("picked", [.duplicate(of: "1")]))])
    #expect(tray.draft.items.count == 1)
  }

  @Test("R-TRAY-9: the picker is limited to the remaining slots, and its items become selected in the tray")
  func picker() {
    var tray = tray(limit: 3)
    _ = tray.select("p1")
    #expect(tray.grid?.remaining == 2)
    let shown = MediaAttachment(id: "x", asset: "p7", info: Sample.photo("p7").info)
    let elsewhere = MediaAttachment(id: "y", info: Sample.photo("y").info)
    #expect(
      tray.add(picked: [elsewhere, shown]) == [
        .draft(.added("y", at: 1)), .draft(.added("x", at: 2)), .draft(.limitReached(limit: 3)),
      ])
    #expect(tray.numbers == ["p1": 1, "p7": 3], "the second is not of this tray")
    #expect(tray.grid?.remaining == 0)
    #expect(tray.deselect("p7") == [.draft(.removed("x")), .draft(.limitLeft)])
  }

  @Test("R-TRAY-4, R-TRAY-11, R-TRAY-12: at the limit other cells are disabled, and selected ones can be deselected")
  func limit() {
    var tray = tray(limit: 2)
    _ = tray.select("p1")
    #expect(tray.grid?.limitReached == false)
    #expect(tray.select("p2").last == .draft(.limitReached(limit: 2)))
    #expect(tray.grid?.limitReached == true)
    for cell in tray.grid?.cells ?? [] {
      #expect(cell.isEnabled == (cell.selected != nil))
      #expect(cell.reason == (cell.selected == nil ? .tooManyAttachments(limit: 2) : nil))
    }
    #expect(tray.select("p3").contains(.draft(.limitReached(limit: 2))))
    #expect(tray.draft.items.count == 2)
    #expect(tray.deselect("p1").contains(.draft(.limitLeft)))
    #expect(tray.grid?.cells.allSatisfy(\.isEnabled) == true)
  }

  @Test("R-TRAY-26: clearing the selection keeps the text") func clear() {
    var tray = tray()
    _ = tray.edit { $0.setText("hello") }
    _ = tray.select("p1")
    _ = tray.select("p2")
    #expect(tray.clearSelection() == [.draft(.removed("p1")), .draft(.removed("p2"))])
    #expect(tray.draft.text == "hello")
    #expect(tray.numbers.isEmpty)
  }

  @Test("R-TRAY-20, R-TRAY-21: a new capture is first in the tray and added to the draft, whatever its time")
  func taken() {
    let library = Library(Sample.photos(60))
    var tray = Sample.tray(library)
    let photo = Sample.photo("new", time: -1_000)
    #expect(tray.take(photo) == [.inserted("new"), .itemsChanged, .draft(.added("new", at: 0))])
    #expect(tray.names.prefix(2) == ["new", "p59"])
    #expect(tray.names.count == 50)
    #expect(tray.numbers == ["new": 1])
    // The library reports it too: it stays in place, once.
    _ = tray.apply(library.put(photo), from: library)
    #expect(tray.names.prefix(2) == ["new", "p59"])
    #expect(tray.names.count == 50)
    _ = tray.take(Sample.photo("newer", time: -2_000))
    #expect(tray.names.prefix(3) == ["newer", "new", "p59"])
    // Deleted again, it is gone from everywhere.
    #expect(
      tray.apply(library.remove(["new"]), from: library)
        == [.vanished("new"), .draft(.removed("new")), .inserted("p11"), .itemsChanged])
    // Next time the tray is opened it stands where its time puts it.
    library.put(Sample.photo("newer", time: 3))
    _ = tray.load(from: library)
    #expect(tray.names == (10..<60).reversed().map { "p\($0)" })
  }

  @Test("R-TRAY-21: a capture that the library has already reported is not inserted again") func takenTwice() {
    let library = Library(Sample.photos(3))
    var tray = Sample.tray(library)
    let photo = Sample.photo("new", time: 100)
    _ = tray.apply(library.put(photo), from: library)
    #expect(tray.take(photo) == [.draft(.added("new", at: 0))], "it stands where it stood")
    let older = Sample.photo("older", time: -100)
    _ = tray.apply(library.put(older), from: library)
    #expect(tray.take(older) == [.itemsChanged, .draft(.added("older", at: 1))], "only its place is another")
    #expect(tray.take(older) == [])
    #expect(tray.names.prefix(2) == ["older", "new"])
  }

  @Test("R-TRAY-7: if duplicates are allowed, deselecting removes all of them") func deselectTwice() {
    var rules = AttachmentRules()
    rules.refusesSameAsset = false
    var tray = Sample.tray(Library(Sample.photos(3)), rules: rules)
    _ = tray.select("p1")
    _ = tray.add(picked: [MediaAttachment(id: "again", asset: "p1", info: Sample.photo("p1").info)])
    #expect(tray.draft.items.count == 2)
    #expect(tray.numbers == ["p1": 1])
    #expect(tray.toggle("p1") == [.draft(.removed("p1")), .draft(.removed("again"))])
    #expect(tray.cell("p1")?.selected == nil)
    #expect(tray.draft.items.isEmpty)
  }

  @Test("R-TRAY-20: a new capture can be added without library access, and the rules apply")
  func takenUnseen() {
    var tray = Tray(access: .denied)
    #expect(tray.take(Sample.photo("new")) == [.draft(.added("new", at: 0))])
    #expect(tray.items.isEmpty)
    #expect(tray.state == .denied)
    var full = self.tray(limit: 1)
    _ = full.select("p1")
    #expect(
      full.take(Sample.photo("new")).suffix(2)
        == [.draft(.refused("new", [.tooManyAttachments(limit: 1)])), .draft(.limitReached(limit: 1))])
    #expect(full.names.first == "new")
    #expect(full.draft.items.count == 1)
  }
}
