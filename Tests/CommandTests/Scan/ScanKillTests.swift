internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

/// More cases where somebody has the time: `MEDIATOOL_FULL=1`.
enum Thoroughness {
  static func cases(quick: UInt64, full: UInt64) -> Range<UInt64> {
    0..<(ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1" ? full : quick)
  }
}

@Suite("An interrupted scan", .serialized) struct ScanKillTests {
  static let files = 40

  private static func make() throws -> ScanWorld {
    let world = try ScanWorld()
    for number in 0..<files {
      try world.write("\(number % 5)/\(number).\(number % 3 == 0 ? "txt" : "jpg")", number, isImage: number % 3 != 0)
    }
    try Data(ScanWorld.image.prefix(300)).write(to: URL(fileURLWithPath: world.tree.text + "/0/broken.jpg"))
    return world
  }

  private static let options: [PathBytes] = ["--renditions", "grid", "--jobs", "2"]

  /// Each file with its state, its facts in short and the addresses of its images; without the path of the tree.
  private static func contents(_ world: ScanWorld) throws -> [String] {
    let catalogue = try world.open().catalogue
    return try catalogue.files(under: world.tree, after: nil, limit: 1_000).files.map { file in
      let path = String(file.stamp.path.description.dropFirst(world.tree.text.count))
      let images = try catalogue.renditions(of: file.id).map { "\($0.name):\($0.address)" }.sorted()
      let code = file.failure?.code.rawValue ?? ""
      return "\(path) \(file.state.rawValue) \(code) \(file.kind?.rawValue ?? "") \(file.stamp.size) \(images)"
    }.sorted()
  }

  /// What an undisturbed scan of the same tree leaves behind.
  private static let undisturbed = Result {
    let world = try make()
    _ = try world.scan(options)
    return try contents(world)
  }

  @Test(
    "R-MYM-23: a kill at a random moment loses, duplicates and truncates no row, and the next scan continues",
    arguments: Thoroughness.cases(quick: 3, full: 50))
  func killed(seed: UInt64) throws {
    let expected = try Self.undisturbed.get()
    #expect(expected.count == Self.files + 1)
    let world = try Self.make()
    var random = SeededGenerator(seed: seed)
    // Four kills a tree, at any moment from before the first line to behind the last one.
    for round in 0..<4 {
      let command = try Command(world.arguments(["--json"] + Self.options), drains: false)
      var acknowledged: [String] = []
      for _ in 0..<random.below(Self.files / 2) {
        let line = command.readLine()
        guard !line.isEmpty else { break }
        acknowledged.append(line)
      }
      usleep(UInt32(random.below(20_000)))
      command.send(SIGKILL)
      _ = try command.finish()
      command.closeOutput()
      #expect(try world.integrity() == "ok", "seed \(seed), kill \(round)")
      // Reported files are stored.
      // If it was killed before it created the library, it has reported nothing either.
      let isMade = access("\(world.library.text)/catalogue.sqlite", F_OK) == 0
      let kept = try Set((isMade ? world.kept() : []).compactMap { $0.split(separator: " ").first.map(String.init) })
      for line in acknowledged {
        let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(kept.contains(record?["path"] as? String ?? line), "seed \(seed), kill \(round): \(line)")
      }
    }
    let last = try world.scan(Self.options)
    #expect(last.signal == nil)
    #expect(try Self.contents(world) == expected, "seed \(seed)")
    #expect(try world.kept() == world.present(), "seed \(seed)")
    #expect(try Set(world.states(world.scan(Self.options)).values) == ["unchanged"], "seed \(seed)")
    // A kill between an image and its row leaves the image, or a part of it; nothing else is ever out of place.
    let found = try Command.run(["verify", "--library", world.library])
    let codes = try Set(found.records.compactMap { $0["code"] as? String })
    #expect(codes.isSubset(of: ["renditionOrphan", "leftover"]), "seed \(seed): \(found.output)")
    #expect(try Command.run(["verify", "--library", world.library, "--repair"]).status == 0, "seed \(seed)")
    #expect(try Command.run(["verify", "--library", world.library]).status == 0, "seed \(seed)")
    #expect(try Self.contents(world) == expected, "seed \(seed)")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `A scan stopped by a signal reports it, and the next scan continues`(signal: Int32) throws {
    let world = try Self.make()
    let command = try Command(world.arguments(["--json"] + Self.options), drains: false)
    let first = command.readLine()
    command.send(signal)
    var lines = first.isEmpty ? 0 : 1
    while !command.readLine().isEmpty { lines += 1 }
    let result = try command.finish()
    command.closeOutput()
    // A machine that is fast enough has done all of it by then.
    #expect(result.status == 130 || lines > Self.files)
    if result.status == 130 { #expect(result.errors.contains("the next scan continues from there")) }
    #expect(try world.kept().count == lines)
    try world.scan(Self.options)
    #expect(try Self.contents(world) == Self.undisturbed.get())
  }
}
