internal import FileSupport
internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Verification in parts (R-MYM-22)") struct VerifyPartTests {
  private let test: TestLibrary
  private let renditions: [ContentDigest]

  /// Five renditions of ten bytes and two originals of six, all of them in a copy too.
  init() throws {
    test = try TestLibrary(copy: true)
    let store = test.library.store
    renditions = try (0..<5).map { try store.put(Array("rendition\($0)".utf8)) }
    for (index, address) in renditions.enumerated() {
      let grid = StoredRendition(
        name: "grid", address: address, type: .webp, width: 1, height: 1, bytes: 10, from: .image)
      try test.catalogue.apply([
        TestLibrary.done("/r/\(index).jpg", inode: UInt64(index + 1), digest: index + 1, renditions: [grid])
      ])
    }
    for index in 0..<2 {
      let upload = try test.folder.write(Array("bytes\(index)".utf8), to: "upload")
      let stamp = try test.library.keepOriginal(at: PathBytes(upload), owner: "ann")
      try test.catalogue.apply([
        .done(stamp, FileResult(info: TestLibrary.photo(), digest: TestLibrary.digest(50 + index), engine: "e"))
      ])
    }
  }

  private func damage(_ address: ContentDigest, in folder: String) throws {
    let store = DirectoryStore(folder: PathBytes(test.folder.path(folder)))
    let path = try #require(store.path(of: address))
    try Data([1]).write(to: URL(fileURLWithPath: path.description))
  }

  @Test("Each part continues where the last one ended, and together they compare every file once") func parts() throws {
    var checked: [Int] = []
    var report = try test.library.verify(atMost: 20, at: 7)
    while report.pass?.ended == nil {
      checked.append(report.checked)
      try #require(checked.count < 20)
      // As after a restart: nothing is kept in memory.
      report = try test.library.verify(atMost: 20, at: 8 + checked.count)
    }
    #expect(checked.allSatisfy { (1...4).contains($0) }, "\(checked)")
    #expect(checked.reduce(0, +) + report.checked == 14)
    #expect(report.pass?.checked == 14)
    #expect(report.pass?.problems == 0)
    #expect(report.pass?.started == 7)
    #expect(report.pass?.ended == 8 + checked.count)
    #expect(report.isIntact)
    // The next one is a new pass.
    let next = try test.library.verify(atMost: 1_000_000, at: 99)
    #expect(next.checked == 14)
    #expect(next.pass?.started == 99)
    #expect(next.pass?.ended == 99)
  }

  @Test("A part that is stopped ends after a file, and the next one continues there") func stopped() throws {
    let first = try test.library.verify(atMost: 1_000_000, at: 1, { _ in }, until: { true })
    #expect(first.checked == 1)
    #expect(first.pass?.ended == nil)
    #expect(try test.library.verify(atMost: 1_000_000, at: 2).checked == 13)
  }

  @Test("The bytes of a pass are those of originals and renditions, in the library and the copy") func bytes() throws {
    #expect(try test.library.bytesOfPass() == 2 * (5 * 10 + 2 * 6))
  }

  @Test("A part finds damaged, missing and unknown files of its range, in the library and the copy") func problems()
    throws
  {
    let sorted = renditions.sorted()
    try damage(sorted[0], in: "cache/renditions")
    try damage(sorted[4], in: "copy/renditions")
    let unknown = try test.library.renditions.main.put([7])
    var found: [Library.VerificationReport.Problem] = []
    var report = Library.VerificationReport()
    var parts = 0
    repeat {
      report = try test.library.verify(atMost: 10, at: 1) { found.append($0) }
      parts += 1
      try #require(parts < 40)
    } while report.pass?.ended == nil
    #expect(parts > 5)
    #expect(
      Set(found) == [
        .damagedRendition(sorted[0], in: .library), .damagedRendition(sorted[4], in: .copy),
        .orphanRendition(unknown, in: .library),
      ])
    #expect(found.count == 3)
    #expect(report.pass?.problems == 3)
  }

  @Test("A pass of which a part did not read the copy ends, and is not complete") func withoutCopy() throws {
    let (location, options) = (test.library.location, test.library.options)
    try test.library.close()
    let alone = try Library.open(at: location, for: .reading)
    #expect(try alone.verify(atMost: 20, at: 1).pass?.lacksCopy == true)
    try alone.close()
    let library = try Library.open(at: location, for: .reading, options: options)
    let rest = try library.verify(atMost: 1_000_000, at: 2)
    #expect(rest.pass?.ended == 2)
    #expect(rest.pass?.isComplete == false)
    let whole = try library.verify(atMost: 1_000_000, at: 3)
    #expect(whole.pass?.started == 3)
    #expect(whole.pass?.isComplete == true)
    #expect(whole.checked == 14)
    try library.close()
  }

  @Test("A library without a copy needs none for a complete pass") func neverCopied() throws {
    let single = try TestLibrary()
    #expect(try single.library.verify(atMost: 10, at: 1).pass?.isComplete == true)
  }

  @Test("A file that records the place is damaged: the pass begins again") func damagedPlace() throws {
    let first = try test.library.verify(atMost: 1, at: 1)
    #expect(first.pass?.ended == nil)
    try test.folder.write(Array("{".utf8), to: "data/verification.json")
    #expect(try test.library.verify(atMost: 1_000_000, at: 2).checked == 14)
  }
}
