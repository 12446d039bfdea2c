internal import AttachmentPolicy
internal import MediaModel
internal import PhotoTray
internal import Testing

@Suite("Changes of the library") struct LibraryTests {
  @Test(
    "R-TRAY-22: a deleted item is removed from tray, selection and draft with an event each, and the next item appears")
  func deleted() {
    let library = Library(Sample.photos(60))
    var tray = Sample.tray(library)
    _ = tray.select("p59")
    _ = tray.select("p58")
    _ = tray.edit { $0.setUpload(.uploaded, of: "p58") }
    let events = tray.apply(library.remove(["p59", "p58", "p0"]), from: library)
    #expect(
      events == [
        .vanished("p59"), .vanished("p58"), .draft(.removed("p59")), .inserted("p9"), .inserted("p8"), .itemsChanged,
      ])
    #expect(tray.names == (8..<58).reversed().map { "p\($0)" })
    #expect(tray.draft.items.map(\.id) == ["p58"], "what is on the server stays in the message")
    #expect(library.asked == [50, 50])
  }

  @Test("R-TRAY-22: a deleted item that is no longer shown is removed from the draft") func deletedUnseen() {
    let library = Library(Sample.photos(60))
    var tray = Sample.tray(library)
    let picked = MediaAttachment(id: "x", asset: "p2", info: Sample.photo("p2").info)
    _ = tray.add(picked: [picked])
    #expect(tray.apply(library.remove(["p2"]), from: library) == [.vanished("p2"), .draft(.removed("x"))])
    #expect(library.asked == [50], "nothing that is shown has changed")
  }

  @Test("R-TRAY-22: loading on return updates the tray to the library") func returned() {
    let library = Library(Sample.photos(60))
    var tray = Sample.tray(library)
    _ = tray.select("p59")
    _ = tray.select("p30")
    library.remove(["p59", "p1"])
    library.put(Sample.photo("new", time: 100))
    #expect(
      tray.load(from: library) == [.vanished("p59"), .draft(.removed("p59")), .inserted("new"), .itemsChanged])
    #expect(tray.numbers == ["p30": 1])
    #expect(tray.load(from: library) == [], "nothing has happened since")
    #expect(library.askedMissing <= 60)
  }

  @Test("Adding an older item changes nothing; a newer one replaces the last") func added() {
    let library = Library(Sample.photos(50))
    var tray = Sample.tray(library)
    #expect(tray.apply(library.put(Sample.photo("old", time: -5)), from: library) == [])
    #expect(tray.apply(library.put(Sample.photo("new", time: 49)), from: library) == [.inserted("new"), .itemsChanged])
    #expect(tray.names.prefix(2) == ["p49", "new"])
    #expect(tray.names.count == 50)
    #expect(library.asked == [50], "the library was asked when the tray was opened, and not since")
  }

  @Test("A changed time moves an item, possibly out of the tray") func moved() {
    let library = Library(Sample.photos(60))
    var tray = Sample.tray(library)
    _ = tray.apply(library.put(Sample.photo("p20", time: 200)), from: library)
    #expect(tray.names.first == "p20")
    _ = tray.apply(library.put(Sample.photo("p20", time: 1)), from: library)
    #expect(tray.names == (10..<60).reversed().filter { $0 != 20 }.map { "p\($0)" } + ["p9"])
  }

  @Test("Deleting the last photo gives the empty state") func allDeleted() {
    let library = Library(Sample.photos(1))
    var tray = Sample.tray(library)
    _ = tray.apply(library.remove(["p0"]), from: library)
    #expect(tray.state == .empty(Tray.CaptureAccess()))
    _ = tray.apply(library.put(Sample.photo("a")), from: library)
    #expect(tray.names == ["a"])
  }

  @Test("R-TRAY-16: selection and draft are unchanged on return from the settings") func access() {
    let library = Library(Sample.photos(5))
    var tray = Sample.tray(library)
    _ = tray.edit { $0.setText("hello") }
    _ = tray.select("p1")
    let draft = tray.draft
    #expect(tray.setAccess(.denied, from: library) == [.accessChanged(.denied)] + [.itemsChanged])
    #expect(tray.state == .denied)
    #expect(tray.draft == draft)
    library.chosen = ["p4"]
    #expect(
      tray.setAccess(.limited, from: library) == [.accessChanged(.limited), .inserted("p4"), .itemsChanged])
    #expect(tray.draft == draft)
    // Taken out of the choice is not deleted.
    #expect(tray.load(from: library) == [])
    #expect(tray.draft == draft)
    library.chosen = nil
    _ = tray.setAccess(.full, from: library)
    #expect(tray.numbers == ["p1": 1])
    #expect(tray.setAccess(.full, from: library) == [])
    // Deleted while access was denied: reported when access is granted.
    library.remove(["p1"])
    #expect(tray.load(from: library) == [.vanished("p1"), .draft(.removed("p1")), .itemsChanged])
  }

  @Test(
    "R-TRAY-13, R-TRAY-16: with limited access the draft keeps an item that the user deselects in the system's picker")
  func unchosen() {
    let library = Library(Sample.photos(5))
    library.chosen = ["p1", "p2"]
    var tray = Sample.tray(library, access: .limited)
    _ = tray.select("p1")
    library.chosen = ["p2"]
    var returned = tray
    // A change of the limited selection looks like a deletion.
    #expect(tray.apply(Tray.LibraryChange(removed: ["p1"]), from: library) == [.vanished("p1"), .itemsChanged])
    #expect(tray.draft.items.map(\.id) == ["p1"])
    #expect(returned.load(from: library) == [.itemsChanged])
    #expect(returned.draft == tray.draft)
    #expect(returned.state == tray.state)
    // Full access shows whether it still exists.
    library.chosen = nil
    _ = tray.setAccess(.full, from: library)
    #expect(tray.numbers == ["p1": 1])
    library.remove(["p1"])
    #expect(tray.load(from: library).contains(.draft(.removed("p1"))))
  }

  @Test("After a contradictory change the tray shows the state of the library") func contradiction() {
    let library = Library(Sample.photos(3))
    var tray = Sample.tray(library)
    let change = Tray.LibraryChange(
      changed: [Sample.photo("p1", time: 9), Sample.photo("p1", time: 50)], removed: ["p1", "p0"])
    library.remove(["p0"])
    library.put(Sample.photo("p1", time: 50))
    _ = tray.apply(change, from: library)
    #expect(tray.names == ["p1", "p2"])
  }
}
