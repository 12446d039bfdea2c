internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("The copy of a service's library") struct ServiceCopyTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open(copy: Bool = true) async throws -> UploadKit {
    try await UploadKit.open(in: folder) { if copy { $0.libraryOptions.copy = PathBytes(folder.path("copy")) } }
  }

  private func upload(_ bytes: [UInt8], to kit: UploadKit, for caller: Caller = UploadKit.ada) async throws -> FileID {
    try await kit.service.attach(Pieces(bytes), length: bytes.count, for: caller).id
  }

  private func snapshots() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("copy")).filter { $0.hasPrefix("catalogue-") }
      .sorted()
  }

  @Test("R-MYM-22: an upload is in the copy at once, and the catalogue once a day, also across restarts") func daily()
    async throws
  {
    var kit = try await open()
    let text = UploadKit.text(5_000)
    _ = try await upload(text, to: kit)
    #expect(try folder.files(containing: text).filter { $0.hasPrefix("copy/originals/") }.count == 1)
    await kit.service.sweepCopy()
    #expect(try snapshots() == ["catalogue-000001.sqlite"])
    kit.advance(86_399)
    await kit.service.sweepCopy()
    #expect(try snapshots().count == 1)
    try await kit.service.close()
    kit = try await open()
    await kit.service.sweepCopy()
    #expect(try snapshots().count == 1)
    kit.advance(86_400)
    await kit.service.sweepCopy()
    #expect(try snapshots().count == 2)
    try await kit.service.close()
  }

  @Test("what was stored before the library had a copy is in it after the first sweep") func earlier() async throws {
    let text = UploadKit.text(5_000)
    let first = try await open(copy: false)
    _ = try await upload(text, to: first)
    try await first.service.close()
    let kit = try await open()
    #expect(try folder.files(containing: text).count == 1)
    await kit.service.sweepCopy()
    #expect(try folder.files(containing: text).count == 2)
    try await kit.service.close()
  }

  @Test("R-MYM-23: originals that are lost come back from the copy, and are served again") func restored()
    async throws
  {
    let text = UploadKit.text(5_000)
    var kit = try await open()
    let id = try await upload(text, to: kit)
    await kit.service.sweepCopy()
    try await kit.service.close()
    try FileManager.default.removeItem(atPath: folder.path("library/originals"))
    var options = Library.Options()
    options.copy = PathBytes(folder.path("copy"))
    let library = try Library.open(
      at: LibraryLocation(folder: PathBytes(folder.path("library"))), for: .writing, options: options)
    let report = try library.repair()
    #expect(report.repaired == report.problems.values.reduce(0, +))
    try library.close()
    kit = try await open()
    let original = try await kit.service.original(id, for: .caller(UploadKit.ada))
    #expect(try await original.read(at: 0, count: 10_000) == text)
    try await kit.service.close()
  }

  @Test("R-MYM-24: nothing of an erased owner is in any byte of the copy; what others have is") func erased()
    async throws
  {
    let kit = try await open()
    let (adas, bobs) = (UploadKit.text(5_000), UploadKit.text(5_000, seed: 2))
    let file = try await upload(adas, to: kit)
    _ = try await upload(bobs, to: kit, for: UploadKit.bob)
    var change = MediaService.AttachmentChange()
    change.title = .set("Quokkatitle")
    _ = try await kit.service.change(file, change, for: UploadKit.ada)
    await kit.service.sweepCopy()
    let inCopy = try folder.files(containing: Array("Quokkatitle".utf8)).filter { $0.hasPrefix("copy/") }
    #expect(!inCopy.isEmpty)
    let erasure = try await kit.service.eraseOwner(for: UploadKit.ada)
    #expect(erasure.unreached == [:])
    #expect(erasure.library.isWiped)
    #expect(try folder.files(containing: adas) == [])
    for word in ["Quokkatitle", "quokkatitle"] { #expect(try folder.files(containing: Array(word.utf8)) == []) }
    #expect(try folder.files(containing: bobs).count == 2)
    try await kit.service.close()
  }

  @Test("a copy that is not open is reported as unreached, in a class of its own") func notOpen() async throws {
    let first = try await open()
    _ = try await upload(UploadKit.text(5_000), to: first)
    try await first.service.close()
    let kit = try await open(copy: false)
    await kit.service.sweepCopy()
    let erasure = try await kit.service.eraseOwner(for: UploadKit.ada)
    #expect(erasure.unreached == ["copy": 1])
    #expect(!erasure.library.isWiped)
    try await kit.service.close()
  }

  @Test("while the disk of the copy is away nothing is copied to its mount point, and an hour later it is tried again")
  func away() async throws {
    let kit = try await open()
    _ = try await upload(UploadKit.text(5_000), to: kit)
    let (copy, away) = (folder.path("copy"), folder.path("away"))
    try FileManager.default.moveItem(atPath: copy, toPath: away)
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    await kit.service.sweepCopy()
    #expect(try FileManager.default.contentsOfDirectory(atPath: copy) == [])
    try FileManager.default.removeItem(atPath: copy)
    try FileManager.default.moveItem(atPath: away, toPath: copy)
    kit.advance(3_599)
    await kit.service.sweepCopy()
    #expect(try snapshots() == [])
    kit.advance(1)
    await kit.service.sweepCopy()
    #expect(try snapshots().count == 1)
    try await kit.service.close()
  }
}
