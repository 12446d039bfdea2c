internal import FileSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("Erasing locations from snapshots (R-MYM-27)") struct SnapshotLocationTests {
  @Test("A file that was at the path of an owner's file, and is elsewhere now, keeps its location in a snapshot")
  func samePath() throws {
    let world = try MomentWorld(copy: true)
    let other = try world.photo("a", at: (46.5, 7.5))
    let snapshot = try world.library.backUp().path
    let before = try FileStatus(at: snapshot)
    try world.test.catalogue.apply([.moved(other, to: TestLibrary.stamp("/r/elsewhere.jpg", inode: 5))])
    try world.test.catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 99, at: (10, 20))])
    try world.moments.add([Moment.New(owner: "ada", file: world.test.id("/r/a.jpg"), posted: 1)])
    #expect(try world.moments.setLocationSharing(.none, of: "ada", applyingToExisting: true) == [])
    #expect(try world.test.catalogue.file(at: PathBytes("/r/elsewhere.jpg"))?.location?.latitude == 46.5)
    #expect(try FileStatus(at: snapshot) == before)
  }

  @Test("A snapshot that has no location of the owner, and the setting that is set, is not rewritten")
  func nothingToErase() throws {
    let world = try MomentWorld(copy: true)
    let (file, later) = (try world.photo("a"), try world.photo("b"))
    try world.moments.add([Moment.New(owner: "ada", file: file, posted: 1)])
    #expect(try world.moments.setLocationSharing(.none, of: "ada", applyingToExisting: true) == [])
    let snapshot = try world.library.backUp().path
    let before = try FileStatus(at: snapshot)
    // Nobody's in the snapshot, and without a location there.
    try world.moments.add([Moment.New(owner: "ada", file: later, posted: 1)])
    #expect(try world.moments.setLocationSharing(.none, of: "ada", applyingToExisting: true) == [])
    #expect(try FileStatus(at: snapshot) == before)
  }
}
