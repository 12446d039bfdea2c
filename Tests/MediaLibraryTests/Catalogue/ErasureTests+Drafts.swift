internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

extension ErasureTests {
  @Test("Drafts lose the attachments made of an erased file, and nothing else") func drafts() throws {
    let test = try TestLibrary()
    try test.catalogue.apply([
      TestLibrary.done("/r/a.jpg", inode: 1, digest: 1), TestLibrary.done("/r/b.jpg", inode: 2, digest: 2),
      TestLibrary.done("/r/twice.jpg", inode: 3, digest: 3), TestLibrary.done("/r/again.jpg", inode: 4, digest: 3),
    ])
    let ids = try ["a", "b", "twice"].map { try test.id("/r/\($0).jpg") }
    func attachment(_ name: String, asset: AssetID? = nil, digest: Int? = nil) -> MediaAttachment {
      var info = TestLibrary.photo()
      info.sha256 = digest.flatMap(TestLibrary.digest)?.description
      return MediaAttachment(id: MediaAttachment.ID(name), asset: asset, info: info)
    }
    var draft = AttachmentDraft(text: "look")
    _ = draft.add(
      [
        attachment("by name", asset: ids[0].asset), attachment("by path", asset: AssetID("/r/a.jpg")),
        attachment("by content", digest: 1), attachment("other", asset: ids[1].asset),
        attachment("shared content", digest: 3), attachment("stranger"),
      ], under: AttachmentRules())
    let count = draft.items.count
    let kept = try test.folder.write([9], to: "kept")
    let drafts = test.library.drafts
    try drafts.keepFile(at: kept, of: "by content", for: .thread("t"))
    try drafts.save(draft, for: .thread("t"))
    var only = AttachmentDraft(text: "")
    _ = only.add([attachment("only", asset: ids[0].asset)], under: AttachmentRules())
    try drafts.save(only, for: .unthreaded("o"))

    #expect(try test.library.erase(.file(ids[2])).attachments == 0, "the content is still there")
    let report = try test.library.erase(.file(ids[0]))
    #expect(report.attachments == count - 3 + 1)
    #expect(try drafts.load(.thread("t"))?.items.map(\.id.rawValue) == ["other", "shared content", "stranger"])
    #expect(try drafts.load(.thread("t"))?.text == "look")
    #expect(drafts.file(of: "by content", for: .thread("t")) == nil)
    #expect(try drafts.load(.unthreaded("o")) == nil)
  }

  @Test("R-MYM-24: the drafts of an erased owner are removed with texts and files; those of others and of nobody stay")
  func draftsOfOwner() throws {
    let test = try TestLibrary()
    let drafts = test.library.drafts
    let kept = try test.folder.write([9], to: "kept")
    try drafts.keepFile(at: kept, of: "file", for: .thread("a"))
    try drafts.save(AttachmentDraft(text: "Quokkatext"), for: .thread("a"), owner: "ada")
    // A change that names no owner leaves it hers.
    try drafts.save(AttachmentDraft(text: "Wombattext"), for: .thread("a"))
    try drafts.save(AttachmentDraft(text: "of bob"), for: .unthreaded("b"), owner: "bob")
    try drafts.save(AttachmentDraft(text: "of nobody"), for: .thread("n"))
    let report = try test.library.erase(.owner("ada"))
    #expect(report.drafts == 1)
    #expect(try drafts.load(.thread("a")) == nil)
    #expect(drafts.file(of: "file", for: .thread("a")) == nil)
    #expect(try files(of: test, holding: "Wombattext") == [])
    #expect(try drafts.load(.unthreaded("b"))?.text == "of bob")
    #expect(try drafts.load(.thread("n"))?.text == "of nobody")
    #expect(try test.library.erase(.owner("ada")).drafts == 0)
  }

  @Test("R-MYM-24: the drafts of an owner whose rows were erased before the process died are removed at the next start")
  func draftsAfterKill() throws {
    let test = try TestLibrary()
    let drafts = test.library.drafts
    try drafts.save(AttachmentDraft(text: "Quokkatext"), for: .thread("a"), owner: "ada \"quoted\"")
    try drafts.save(AttachmentDraft(text: "of bob"), for: .unthreaded("b"), owner: "bob")
    var request = ErasureRequest(.owner("ada \"quoted\""), originals: test.library.location.originals)
    request.hasOwnerDrafts = true
    _ = try test.catalogue.erase(request)
    #expect(try drafts.load(.thread("a")) != nil)
    try test.library.close()
    let again = try Library.open(at: TestLibrary.location(in: test.folder), for: .writing)
    #expect(try again.drafts.load(.thread("a")) == nil)
    #expect(try again.drafts.load(.unthreaded("b"))?.text == "of bob")
    #expect(try files(of: test, holding: "Quokkatext") == [])
    #expect(try files(of: test, holding: "quoted") == [])
    #expect(try !again.catalogue.isErasing())
  }

  @Test("Erasing an owner removes what interrupted writes left of drafts, and no file whose draft is not saved yet")
  func interruptedDrafts() throws {
    let test = try TestLibrary()
    let drafts = test.library.drafts
    let kept = try test.folder.write([9], to: "kept")
    let file = try drafts.keepFile(at: kept, of: "file", for: .thread("new"))
    for key in [DraftStore.Key.thread("lost"), .thread("new")] {
      let folder = drafts.path(of: key)
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data("Quokkatext".utf8).write(to: URL(fileURLWithPath: folder + "/.draft.json-1-1.tmp"))
    }
    _ = try test.library.erase(.owner("ada"))
    #expect(try files(of: test, holding: "Quokkatext") == [])
    #expect(!FileManager.default.fileExists(atPath: drafts.path(of: .thread("lost"))))
    #expect(FileManager.default.fileExists(atPath: file))
  }

  @Test("Drafts that an owner saves after an erasure that failed are kept by later erasures")
  func draftsAfterFailure() throws {
    let test = try TestLibrary()
    let drafts = test.library.drafts
    try drafts.save(AttachmentDraft(text: "old"), for: .thread("a"), owner: "ada")
    // A folder at the name of a temporary file cannot be removed as a file.
    let obstacle = drafts.path(of: .thread("a")) + "/.obstacle.tmp"
    try FileManager.default.createDirectory(atPath: obstacle, withIntermediateDirectories: false)
    #expect(throws: LibraryError.self) { try test.library.erase(.owner("ada")) }
    try FileManager.default.removeItem(atPath: obstacle)
    try drafts.save(AttachmentDraft(text: "new"), for: .thread("b"), owner: "ada")
    _ = try test.library.erase(.owner("bob"))
    #expect(try drafts.load(.thread("b"))?.text == "new")
    #expect(try test.library.erase(.owner("ada")).drafts == 2)
  }

  @Test("Drafts that an owner saves after an erasure that could not remove originals are kept by later erasures")
  func draftsBesideOriginals() throws {
    let test = try TestLibrary()
    let drafts = test.library.drafts
    try drafts.save(AttachmentDraft(text: "old"), for: .thread("a"), owner: "ada")
    let upload = try test.folder.write([9], to: "upload")
    let original = try test.library.keepOriginal(at: PathBytes(upload), owner: "ada").path
    let result = FileResult(info: TestLibrary.photo(taken: 1), engine: "e")
    _ = try test.catalogue.add([AddedFile(path: original, modified: 1, received: 1, result: result, owner: "ada")])
    // A folder in the place of the original cannot be removed as a file.
    try FileManager.default.removeItem(atPath: original.description)
    try FileManager.default.createDirectory(atPath: original.description, withIntermediateDirectories: false)
    #expect(throws: LibraryError.self) { try test.library.erase(.owner("ada")) }
    #expect(try drafts.load(.thread("a")) == nil)
    try FileManager.default.removeItem(atPath: original.description)
    try drafts.save(AttachmentDraft(text: "new"), for: .thread("b"), owner: "ada")
    _ = try test.library.erase(.owner("bob"))
    #expect(try drafts.load(.thread("b"))?.text == "new")
  }
}
