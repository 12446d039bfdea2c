internal import MediaEngine
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("The terminal line of an erasure") struct ErasureLineTests {
  @Test("The line of an erasure names the step, what is done, and how much there is if that is known") func lines()
    throws
  {
    let world = try ScanWorld()
    try world.write("1.jpg", 1, isImage: true)
    try world.scan()
    let library = try Library.open(at: LibraryLocation(folder: world.library), for: .writing)
    let file = try #require(try library.catalogue.newest(.all, after: nil, limit: 1).files.first)
    try library.catalogue.assign([file.id], owner: "ada", collection: .none)
    let lines = Locked<[String]>([])
    try library.erase(.owner("ada")) { progress in lines.withLock { $0.append(ErasureLine.line(progress)) } }
    #expect(lines.withLock { $0.first } == "erasing: 1 of 1 files")
    #expect(lines.withLock { $0.last } == "erasing: rewriting the catalogue")
  }
}
