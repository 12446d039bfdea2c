internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("Watching folders") struct WatchTests {
  let world: ScanWorld
  init() throws { world = try ScanWorld() }

  /// Starts a watch and waits until it watches.
  private func watch(_ options: [PathBytes] = []) throws -> Command {
    let command = try Command(world.arguments(["--json", "--watch"] + options))
    #expect(command.waitForErrors("watching"))
    return command
  }

  /// Waits until the library agrees with the tree; a test that never gets there fails. A watch writes a line after each change in the library.
  private func isInStep(_ command: Command) throws -> Bool {
    try command.waitForOutput { try world.kept() == world.present() }
  }

  @Test("R-TRAY-21, R-TRAY-22: a new photo is added to the library and a deleted one removed, without another scan")
  func followsChanges() throws {
    try world.write("a/1", 1)
    try world.write("b/c/1", 2)
    let command = try watch()
    try world.write("a/2", 3)
    #expect(try isInStep(command))
    #expect(unlink(world.tree.text + "/a/1") == 0)
    #expect(try isInStep(command))
    // A folder with its content, and a subfolder that is created a moment later.
    try world.write("new/deep/1", 4)
    try world.write("new/deep/er/2", 5)
    #expect(try isInStep(command))
    #expect(rename(world.tree.text + "/b", world.tree.text + "/moved") == 0)
    #expect(try isInStep(command))
    // It is still watched under its new name.
    try world.write("moved/c/2", 6)
    #expect(try isInStep(command))
    try FileManager.default.removeItem(atPath: world.tree.text + "/new")
    #expect(try isInStep(command))
    command.send(SIGTERM)
    let result = try command.finish()
    #expect(result.status == 0)
    let states = try world.states(result)
    #expect(states["moved/c/1"] == "moved")
  }

  @Test("A file that was recognised by its content and then deleted is removed")
  func movesAndDeletions() throws {
    let path = try world.write("a/1.jpg", 1, isImage: true)
    let command = try watch(["--digest"])
    let target = try world.write("b/1.jpg", 1, isImage: true)
    #expect(unlink(path) == 0)
    #expect(try isInStep(command))
    #expect(unlink(target) == 0)
    #expect(try isInStep(command))
    command.send(SIGTERM)
    #expect(try command.finish().status == 0)
  }

  @Test func `A file that is still written to waits for its writer`() throws {
    let command = try watch()
    let path = world.tree.text + "/slow.jpg"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    #expect(descriptor >= 0)
    // In pieces, each of which would be a broken image.
    for byte in ScanWorld.image {
      var byte = byte
      #expect(write(descriptor, &byte, 1) == 1)
    }
    close(descriptor)
    #expect(try isInStep(command))
    command.send(SIGTERM)
    let records = try command.finish().records.filter { ($0["path"] as? String) == path }
    #expect(records.last?["error"] == nil)
    #expect(records.last?["type"] as? String == "image/jpeg")
    #expect(try world.kept([.failed]).isEmpty)
  }

  @Test(
    "After random changes during a watch, the library agrees with the tree",
    arguments: Thoroughness.cases(quick: 2, full: 40))
  func randomChanges(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for number in 0..<20 { try world.write("\(number % 4)/\(number)", number) }
    let command = try watch()
    for step in 0..<60 { TreeChange.make(in: world.tree.text, step, &random) }
    #expect(try isInStep(command), "seed \(seed)")
    command.send(SIGTERM)
    #expect(try command.finish().status == 0)
  }
}

extension WatchTests {
  /// In a user namespace of its own, where the number of watches can be lowered without touching the machine's.
  @Test func `Folders over the limit of watches are reported with the setting that raises it`() throws {
    for number in 0..<12 { try world.write("\(number)/a", number) }
    let lowered = "echo 5 >/proc/sys/user/max_inotify_watches || exit 99; "
    let namespace = ["--user", "--map-root-user", "sh", "-c"]
    let trial = try Tool("unshare", package: "util-linux").run(namespace + [lowered])
    guard trial.status == 0 else {
      print("skipped, no namespace can be made here: \(trial.errors)")
      return
    }
    let command = try Command(
      world.arguments(["--json", "--watch", "--allow-weaker-isolation"]),
      wrapper: ["unshare"] + namespace + [lowered + "exec \"$0\" \"$@\""])
    #expect(command.waitForErrors("sysctl fs.inotify.max_user_watches="))
    command.send(SIGTERM)
    let result = try command.finish()
    #expect(result.status == 0)
    #expect(result.errors.contains("watching 5 folders"), "\(result.errors)")
    #expect(result.errors.contains("8 folders cannot be watched"), "\(result.errors)")
    #expect(try world.kept() == world.present())
  }
}
