internal import FileSupport
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Renditions added on demand") struct AddedRenditionTests {
  private func rendition(_ name: String, _ text: String, in test: TestLibrary) throws -> StoredRendition {
    StoredRendition(
      name: name, address: try test.library.store.put(Array(text.utf8)), type: .webp, width: 1, height: 1,
      bytes: text.utf8.count, from: .image)
  }

  @Test("A rendition is added beside the others of the file, and replaces one of its name")
  func added() throws {
    let test = try TestLibrary()
    let grid = try rendition("grid", "first", in: test)
    try test.catalogue.apply([TestLibrary.done("/a.jpg", inode: 1, digest: 1, renditions: [grid])])
    let id = try test.id("/a.jpg")
    let box = try rendition("64.webp", "box", in: test)
    #expect(try test.catalogue.addRenditions([box], to: id))
    #expect(try test.catalogue.renditions(of: id).map(\.name).sorted() == ["64.webp", "grid"])
    let other = try rendition("grid", "second", in: test)
    #expect(try test.catalogue.addRenditions([other], to: id))
    #expect(try test.catalogue.renditions(of: id).first { $0.name == "grid" } == other)
    // What was replaced is removed from the store.
    _ = try test.library.erase(.vanished)
    #expect(try grid.digest.map { try test.library.store.contains($0) } == false)
    #expect(try other.digest.map { try test.library.store.contains($0) } == true)
  }

  @Test("Renditions of a file that was erased meanwhile are removed with the unused ones, unless another file has them")
  func erasedMeanwhile() throws {
    let test = try TestLibrary()
    let shared = try rendition("grid", "shared", in: test)
    try test.catalogue.apply([
      TestLibrary.done("/a.jpg", inode: 1, digest: 1),
      TestLibrary.done("/b.jpg", inode: 2, digest: 2, renditions: [shared]),
    ])
    let id = try test.id("/a.jpg")
    let late = try rendition("64.webp", "late", in: test)
    try test.library.erase(.file(id))
    #expect(try test.catalogue.addRenditions([late, shared], to: id) == false)
    #expect(try test.catalogue.isErasing())
    try test.library.erase(.vanished)
    #expect(try late.digest.map { try test.library.store.contains($0) } == false)
    #expect(try shared.digest.map { try test.library.store.contains($0) } == true)
    #expect(try test.catalogue.renditions(of: id).isEmpty)
  }

  @Test("A rendition whose bytes are not in the store is not added")
  func withoutBytes() throws {
    let test = try TestLibrary()
    try test.catalogue.apply([TestLibrary.done("/a.jpg", inode: 1, digest: 1)])
    let id = try test.id("/a.jpg")
    let digest = try #require(TestLibrary.digest(7))
    let missing = StoredRendition(
      name: "grid", address: digest, type: .webp, width: 1, height: 1, bytes: 1, from: .image)
    #expect(try test.catalogue.addRenditions([missing], to: id))
    #expect(try test.catalogue.renditions(of: id).isEmpty)
  }
}
