internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

@Suite("A copy whose disk is away") struct AwayCopyTests {
  /// Takes the disk away. Its mount point may stay, or go with it.
  private func takeAway(_ world: MomentWorld, leavesFolder: Bool) throws {
    let (copy, away) = (world.test.folder.path("copy"), world.test.folder.path("away"))
    try FileManager.default.moveItem(atPath: copy, toPath: away)
    if leavesFolder { try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false) }
  }

  private func bringBack(_ world: MomentWorld) throws {
    let (copy, away) = (world.test.folder.path("copy"), world.test.folder.path("away"))
    if FileManager.default.fileExists(atPath: copy) { try FileManager.default.removeItem(atPath: copy) }
    try FileManager.default.moveItem(atPath: away, toPath: copy)
  }

  private func files(_ content: String, in world: MomentWorld) throws -> [String] {
    try world.test.folder.files(containing: Array(content.utf8)).filter { $0 != "upload" }
  }

  @Test(
    "R-MYM-24: an erasure names the copy as not reached, and the next one removes what the copy has",
    arguments: [true, false])
  func erased(leavesFolder: Bool) throws {
    let world = try MomentWorld(copy: true)
    _ = try world.upload("quokkabytes", owner: "ada")
    #expect(try files("quokkabytes", in: world).count == 2)
    try takeAway(world, leavesFolder: leavesFolder)
    let first = try world.library.erase(.owner("ada"))
    #expect(first.notErased == [ErasureRequest.Report.copy])
    #expect(!first.isWiped)
    #expect(try files("quokkabytes", in: world).allSatisfy { $0.hasPrefix("away/") })
    try bringBack(world)
    let second = try world.library.erase(.owner("nobody"))
    #expect(second.notErased == [])
    #expect(second.copies == 1)
    #expect(try files("quokkabytes", in: world) == [])
  }

  @Test("what the owner stored again meanwhile stays") func storedAgain() throws {
    let world = try MomentWorld(copy: true)
    _ = try world.upload("quokkabytes", owner: "ada")
    try takeAway(world, leavesFolder: true)
    try world.library.erase(.owner("ada"))
    try bringBack(world)
    _ = try world.upload("quokkabytes", owner: "ada")
    try world.library.erase(.owner("nobody"))
    #expect(try files("quokkabytes", in: world).count == 2)
  }

  @Test("erasing locations names the copy as not reached") func locations() throws {
    let world = try MomentWorld(copy: true)
    try takeAway(world, leavesFolder: true)
    let left = try world.moments.setLocationSharing(.none, of: "ada", applyingToExisting: true)
    #expect(left == [ErasureRequest.Report.copy])
  }

  @Test("what is stored meanwhile is not written into the mount point", arguments: [true, false])
  func stored(leavesFolder: Bool) throws {
    let world = try MomentWorld(copy: true)
    _ = try world.upload("earlier", owner: "ada")
    try takeAway(world, leavesFolder: leavesFolder)
    _ = try world.upload("quokkabytes", owner: "ada")
    try world.library.renditions.put(Array("quokkaimage".utf8))
    for content in ["quokkabytes", "quokkaimage"] { #expect(try files(content, in: world).count == 1) }
    #expect(FileManager.default.subpaths(atPath: world.test.folder.path("copy")) ?? [] == [])
    try bringBack(world)
    #expect(try world.library.copyMissingOriginals() == 1)
    #expect(try files("quokkabytes", in: world).count == 2)
  }
}
