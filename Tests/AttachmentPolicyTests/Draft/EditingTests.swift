internal import AttachmentPolicy
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite("Editing a draft") struct EditingTests {
  private let rules = AttachmentRules()

  @Test("R-TRAY-5, R-TRAY-27: attachments are added at once, in the order of the selection") func add() {
    var draft = AttachmentDraft(text: "look")
    #expect(draft.add(Sample.photos(2), under: rules) == [.added("p0", at: 0), .added("p1", at: 1)])
    #expect(draft.add([Sample.photo("x")], under: rules) == [.added("x", at: 2)])
    #expect(draft.items.map(\.id) == ["p0", "p1", "x"])
    #expect(draft.items.allSatisfy { $0.upload == .waiting })
    #expect(draft.text == "look")
  }

  @Test("R-TRAY-10, D6.8: a file over the limit is refused; the others are added") func addRefused() {
    var draft = AttachmentDraft()
    let events = draft.add([Sample.photo("large", bytes: 1 << 40), Sample.photo("a")], under: rules)
    #expect(
      events == [.refused("large", [.fileTooLarge(limit: 104_857_600, actual: 1 << 40)]), .added("a", at: 0)])
    var batch = AttachmentDraft()
    _ = batch.add(
      [Sample.photo("large", bytes: 1 << 40), Sample.photo("a")], under: AttachmentRules.Preset.mattermost.rules)
    #expect(batch.items.isEmpty, "C4: all or nothing")
  }

  @Test("R-TRAY-8: the same image cannot be added twice") func addTwice() {
    var draft = AttachmentDraft()
    _ = draft.add([Sample.photo("a", asset: "1")], under: rules)
    #expect(draft.add([Sample.photo("b", asset: "1")], under: rules) == [.refused("b", [.duplicate(of: "a")])])
    #expect(draft.items.count == 1)
  }

  @Test("R-TRAY-4, R-TRAY-9, R-TRAY-11, R-TRAY-12: the limit is reported when it is reached and when more is added")
  func limit() {
    var draft = AttachmentDraft()
    #expect(draft.remaining(under: rules) == 10)
    #expect(!draft.isFull(under: rules))
    _ = draft.add(Sample.photos(9), under: rules)
    #expect(draft.remaining(under: rules) == 1)
    #expect(draft.add([Sample.photo("x")], under: rules) == [.added("x", at: 9), .limitReached(limit: 10)])
    #expect(draft.remaining(under: rules) == 0)
    #expect(draft.isFull(under: rules))
    #expect(
      draft.add([Sample.photo("y")], under: rules)
        == [.refused("y", [.tooManyAttachments(limit: 10)]), .limitReached(limit: 10)])
    #expect(draft.add([], under: rules) == [], "A3: a cancelled picker is silent")
    #expect(draft.remove("x", under: rules) == [.removed("x"), .limitLeft])
    #expect(draft.remove("p0", under: rules) == [.removed("p0")])
    #expect(draft.remove("p0", under: rules) == [])
    var fewer = rules
    fewer.maxAttachments = 3
    #expect(draft.remaining(under: fewer) == 0, "never below 0 when the limit was lowered")
    fewer.maxAttachments = nil
    #expect(draft.remaining(under: fewer) == nil)
    #expect(!draft.isFull(under: fewer))
    fewer.allowsAttachments = false
    #expect(draft.remaining(under: fewer) == 0)
  }

  @Test("A3, R-MMS-35: a replacement keeps the position; a refused one leaves the old attachment") func replace() {
    var draft = Sample.draft(Sample.photos(10))
    _ = draft.setUpload(.uploaded, of: "p3")
    #expect(draft.replace("p3", with: Sample.photo("new"), under: rules) == [.replaced("p3", by: "new", at: 3)])
    #expect(draft.items[3].id == "new")
    #expect(draft.items[3].upload == .waiting)
    #expect(draft.items.count == 10)
    let before = draft
    #expect(
      draft.replace("new", with: Sample.photo("large", bytes: 1 << 40), under: rules)
        == [.refused("large", [.fileTooLarge(limit: 104_857_600, actual: 1 << 40)])])
    #expect(draft.replace("new", with: Sample.photo("p0"), under: rules) == [.refused("p0", [.duplicate(of: "p0")])])
    #expect(draft.replace("nobody", with: Sample.photo("z"), under: rules) == [])
    #expect(draft == before)
    // The same image once more, cut another way: it is no duplicate of the one that goes.
    #expect(
      draft.replace("p0", with: Sample.photo("p0", bytes: 5), under: rules) == [.replaced("p0", by: "p0", at: 0)])
    // The bytes of the one that goes are free.
    var tight = rules
    tight.maxMessageBytes = 10_000
    #expect(Sample.draft(Sample.photos(10)).canReplace("p0", bytes: 1_000, under: tight))
    #expect(!Sample.draft(Sample.photos(10)).canReplace("p0", bytes: 1_001, under: tight))
  }

  @Test("Moving a file changes only the order")
  func movingChangesOnlyTheOrder() {
    var draft = Sample.draft(Sample.photos(4))
    #expect(draft.move("p0", to: 2) == [.moved("p0", from: 0, to: 2)])
    #expect(draft.items.map(\.id) == ["p1", "p2", "p0", "p3"])
    #expect(draft.move("p3", to: -9) == [.moved("p3", from: 3, to: 0)])
    #expect(draft.move("p1", to: .max) == [.moved("p1", from: 1, to: 3)])
    #expect(draft.items.map(\.id) == ["p3", "p2", "p0", "p1"])
    #expect(draft.move("p1", to: 3) == [])
    #expect(draft.move("nobody", to: 0) == [])
  }

  @Test("R-CHAT-12: a crop outside of the upright image is refused") func crop() {
    var draft = Sample.draft([Sample.photo("a"), Sample.file("paper", .pdf)])
    let part = PixelRect(x: 10, y: 0, width: 30, height: 30)
    #expect(draft.crop("a", to: part) == [.cropped("a", to: part)])
    #expect(draft.crop("a", to: part) == [])
    for wrong in [
      PixelRect(x: 11, y: 0, width: 30, height: 30), PixelRect(x: 0, y: 0, width: 0, height: 5),
      PixelRect(x: -1, y: 0, width: 5, height: 5), PixelRect(x: 5, y: 5, width: .max, height: .max),
    ] {
      #expect(draft.crop("a", to: wrong) == [.refused("a", [.invalidCrop])])
    }
    #expect(draft.crop("paper", to: part) == [.refused("paper", [.invalidCrop])])
    #expect(draft["a"]?.attachment.crop == part)
    #expect(draft.crop("a", to: nil) == [.cropped("a", to: nil)])
    #expect(draft["a"]?.attachment.crop == nil)
  }

  @Test("R-TRAY-26, R-MYM-8, R-CHAT-11: cancelling removes the attachments and keeps the text") func clear() {
    var draft = Sample.draft(Sample.photos(2), text: "hello")
    #expect(draft.clearSelection(under: rules) == [.removed("p0"), .removed("p1")])
    #expect(draft.text == "hello")
    #expect(draft.items.isEmpty)
    #expect(!draft.isEmpty)
    #expect(draft.clearSelection(under: rules) == [])
    #expect(draft.setText("") == [.textChanged])
    #expect(draft.setText("") == [])
    #expect(draft.isEmpty)
  }

  @Test("R-TRAY-22: attachments deleted from the library are removed unless they are uploaded") func vanished() {
    var draft = Sample.draft(["a", "b", "c", "d"].map { Sample.photo($0, asset: $0) } + [Sample.photo("file")])
    _ = draft.setUpload(.uploaded, of: "b")
    _ = draft.setUpload(.uploading(bytesSent: 999), of: "c")
    #expect(draft.remove(vanished: ["a", "b", "c", "x"], under: rules) == [.removed("a"), .removed("c")])
    #expect(draft.items.map(\.id) == ["b", "d", "file"])
  }

  @Test("R-TRAY-7: removing an asset removes all its attachments") func removeAsset() {
    var draft = Sample.draft([
      Sample.photo("a", asset: "1"), Sample.photo("b", asset: "2"), Sample.photo("c", asset: "1"),
    ])
    #expect(draft.remove(asset: "1", under: rules) == [.removed("a"), .removed("c")])
    #expect(draft.items.map(\.id) == ["b"])
    #expect(draft.remove(asset: "1", under: rules) == [])
  }

  @Test(
    "Attachment ids are unique, and events describe every change (random histories, seed printed)")
  func eventsDescribeEveryChange() {
    for seed in 0..<500 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var rules = rules
      rules.maxAttachments = 1 + random.below(5)
      var draft = AttachmentDraft()
      // What somebody knows who has seen nothing but the events.
      var reported: [MediaAttachment.ID] = []
      for _ in 0..<40 {
        let id = MediaAttachment.ID("\(random.below(8))")
        let photo = Sample.photo(
          "\(random.below(8))", bytes: random.below(3) == 0 ? 1 << 40 : 10, asset: "\(random.below(5))")
        let events: [AttachmentDraft.Event] =
          switch random.below(8) {
          case 0, 1, 2: draft.add([photo, Sample.photo("\(random.below(8))")], under: rules)
          case 3: draft.remove(id, under: rules)
          case 4: draft.replace(id, with: photo, under: rules)
          case 5: draft.move(id, to: random.below(6) - 1)
          case 6: draft.remove(vanished: [AssetID("\(random.below(5))")], under: rules)
          default: draft.setUpload([.uploaded, .failed(.timedOut, bytesSent: 3)][random.below(2)], of: id)
          }
        for event in events {
          switch event {
          case .added(let id, let index): reported.insert(id, at: index)
          case .removed(let id): reported.removeAll { $0 == id }
          case .replaced(_, let id, let index): reported[index] = id
          case .moved(_, let from, let to): reported.insert(reported.remove(at: from), at: to)
          default: break
          }
        }
        #expect(reported == draft.items.map(\.id), "seed \(seed)")
        #expect(Set(reported).count == reported.count, "seed \(seed)")
        #expect(draft.items.count <= rules.maxAttachments ?? 0, "seed \(seed)")
      }
    }
  }
}

extension AttachmentDraft {
  /// Whether a file of so many bytes may take the place of `id`.
  fileprivate func canReplace(_ id: MediaAttachment.ID, bytes: Int, under rules: AttachmentRules) -> Bool {
    var copy = self
    let events = copy.replace(id, with: Sample.photo("other", bytes: bytes), under: rules)
    return events.contains { if case .replaced = $0 { true } else { false } }
  }
}
