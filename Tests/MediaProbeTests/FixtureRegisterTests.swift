internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct FixtureRegisterTests {
  /// Every regular file below testdata/ but the script and the register themselves.
  private func filesOnDisk() throws -> Set<String> {
    let names = try FileManager.default.subpathsOfDirectory(atPath: Fixture.folder.path)
    return Set(
      names.filter { name in
        var isFolder = ObjCBool(false)
        let exists = FileManager.default.fileExists(atPath: Fixture.path(name), isDirectory: &isFolder)
        return exists && !isFolder.boolValue && name != "generate" && name != "register.json"
      })
  }

  @Test func `Every file is in the register`() throws {
    let unregistered = try filesOnDisk().subtracting(Fixture.read().map(\.path)).sorted()
    #expect(unregistered.isEmpty)
  }

  @Test func `Every entry of the register is a file`() throws {
    let missing = try Set(Fixture.read().map(\.path)).subtracting(filesOnDisk()).sorted()
    #expect(missing.isEmpty)
  }

  @Test func `No path is registered twice`() throws {
    let paths = try Fixture.read().map(\.path)
    #expect(Set(paths).count == paths.count)
  }

  @Test func `Every entry says what it proves and how it is made`() throws {
    let silent = try Fixture.read().filter { $0.proves.isEmpty || $0.made.isEmpty }.map(\.path)
    #expect(silent.isEmpty)
  }

  @Test func `The files are small together`() throws {
    let bytes = try filesOnDisk().reduce(0) { sum, name in
      let attributes = try FileManager.default.attributesOfItem(atPath: Fixture.path(name))
      return sum + (attributes[.size] as? Int ?? 0)
    }
    #expect(bytes < 8_000_000)
  }
}
