internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Originals that a copy lacks") struct CopiedOriginalTests {
  let folder: TemporaryFolder
  var location: LibraryLocation { TestLibrary.location(in: folder) }

  init() throws { folder = try TemporaryFolder() }

  private func open(copy: Bool) throws -> Library {
    var options = Library.Options()
    if copy { options.copy = PathBytes(folder.path("copy")) }
    return try Library.open(at: location, for: .creating, options: options)
  }

  /// Stores originals without a copy.
  private func fill() throws -> [FileStamp] {
    let library = try open(copy: false)
    let stamps = try (0..<3).map { index in
      let upload = try folder.write([7, UInt8(index)], to: "upload\(index)")
      return try library.keepOriginal(at: PathBytes(upload), owner: index == 0 ? "ann" : "bob")
    }
    try library.database.apply(
      stamps.map { .done($0, FileResult(info: TestLibrary.photo(), engine: "e")) })
    try library.close()
    return stamps
  }

  @Test("R-MYM-22: they are copied once, and those that are damaged are not") func copied() throws {
    let stamps = try fill()
    try Data([0]).write(to: URL(fileURLWithPath: stamps[2].path.description))
    let library = try open(copy: true)
    var codes: [String] = []
    _ = try library.verify { codes.append($0.code) }
    let before = codes.count
    #expect(try library.copyMissingOriginals() == 2)
    codes = []
    _ = try library.verify { codes.append($0.code) }
    #expect(codes.count == before - 2)
    #expect(try library.copyMissingOriginals() == 0)
    for stamp in stamps.prefix(2) {
      let copy = try #require(library.originals.copy(of: stamp.path))
      #expect(FileManager.default.contents(atPath: copy.description)?.first == 7)
    }
    try library.close()
  }

  @Test("copying ends when it is stopped, and the next call copies the rest") func stopped() throws {
    _ = try fill()
    let library = try open(copy: true)
    var asked = 0
    let first = try library.copyMissingOriginals {
      asked += 1
      return asked > 2
    }
    #expect(first == 2)
    #expect(try library.copyMissingOriginals() == 1)
    try library.close()
  }

  @Test("a library that is open without its copy copies nothing") func withoutCopy() throws {
    _ = try fill()
    let library = try open(copy: false)
    #expect(try library.copyMissingOriginals() == 0)
    try library.close()
  }
}
