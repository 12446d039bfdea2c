internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("A disk that fills up during a scan", .serialized) struct FullDiskTests {
  /// Runs the command in its own mount namespace, with a small disk mounted at the location of the library. The disk exists as long as the process,
  /// so the same shell does everything with it.
  private static func run(_ world: ScanWorld, disk: String, script: String) throws -> Tool.Output {
    let unshare = try Tool("unshare", package: "util-linux")
    let words = ["--mount", "--propagation", "private", "sh", "-c", script]
    return try unshare.run(words + [disk, Command.executable, world.tree.text, world.library.text], seconds: 3_600)
  }

  /// Why no disk can be mounted here; nil where one can.
  private static let obstacle: String? = {
    guard let unshare = try? Tool("unshare", package: "util-linux") else { return "there is no unshare" }
    let result = try? unshare.run(["--mount", "--propagation", "private", "mount", "-t", "tmpfs", "none", "/mnt"])
    return result?.status == 0 ? nil : "this process may not mount: \(result?.errors ?? "")"
  }()

  @Test("A size limit of the process is reported as a full disk, and no signal ends the scan", arguments: [100, 700])
  func sizeLimit(blocks: Int) throws {
    let world = try ScanWorld()
    for number in 0..<400 { try world.write("\(number % 7)/\(number).txt", number) }
    let shell = try Tool("sh", package: "dash")
    let script = "ulimit -f \(blocks); exec \"$0\" scan \"$1\" --library \"$2\" --json"
    let result = try shell.run(["-c", script, Command.executable, world.tree.text, world.library.text], seconds: 3_600)
    #expect(result.status == 70, "\(result.errors)")
    #expect(result.errors.contains("ulimit -f"), "\(result.errors)")
    #expect(try world.scan(["--json"]).status == 0)
    #expect(try Command.run(["verify", "--library", world.library]).status == 0)
  }

  @Test(
    "R-MYM-23: it ends with a clear message, keeps what it reported, and continues when there is room again",
    arguments: [400, 600, 900, 1_100])
  func fills(kilobytes: Int) throws {
    if let obstacle = Self.obstacle {
      print("skipped, \(obstacle)")
      return
    }
    let world = try ScanWorld()
    // Of one pixel: rows fill the disk, and a debug build needs ten seconds of processor time for 300 larger images.
    let pixel = try Fixture.bytes("sizes/1x1.jpg")
    for number in 0..<300 {
      let file = try world.scratch.file("tree/\(number % 7)/\(number).jpg")
      try Data(pixel + Array("\(number)".utf8)).write(to: URL(fileURLWithPath: file.text))
    }
    try world.scratch.folder("library")
    // The first scan runs into the end of the disk, the second into it again; then the disk grows, and the third does the rest. $0 is its
    // first size, $1 the command, $2 the tree, $3 the library.
    let script = """
      mount -t tmpfs -o size="$0"k none "$3" || exit 99
      scan() { "$1" scan "$2" --library "$3" --json --renditions grid $4; }
      for round in 1 2; do
        scan "$@" >"$3.out$round" 2>"$3.err$round"
        echo "$?" >"$3.status$round"
      done
      mount -o remount,size=64m "$3" || exit 98
      scan "$@" >"$3.out3" 2>"$3.err3"
      status=$?
      # On a busy machine a file may miss its deadline in any of the scans, which is not what this is about: it is scanned again.
      for again in 1 2 3 4 5; do
        [ "$status" -le 1 ] || break
        [ -n "$("$1" scan --failures --json --library "$3")" ] || break
        scan "$@" --retry=timedOut >/dev/null 2>"$3.err3"
        status=$?
      done
      echo "$status" >"$3.status3"
      scan "$@" >"$3.out4" 2>"$3.err4"
      "$1" scan --failures --json --library "$3" >"$3.failures"
      """
    let result = try Self.run(world, disk: "\(kilobytes)", script: script)
    #expect(result.status == 0, "\(result.errors)")
    func text(_ name: String) -> String {
      (try? String(contentsOfFile: world.library.text + name, encoding: .utf8)) ?? ""
    }
    func lines(_ name: String) throws -> [[String: Any]] {
      try text(name).split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
    }
    for round in 1...2 {
      #expect(text(".status\(round)") == "70\n", "\(text(".err\(round)"))")
      #expect(text(".err\(round)").contains("free some space and try again"), "\(text(".err\(round)"))")
    }
    #expect(text(".status3") == "0\n", "\(text(".err3"))")
    // Every file was reported once in all three runs, and a reported file is never scanned again.
    let reported = try [".out1", ".out2", ".out3"].flatMap(lines).filter { $0["state"] as? String == "new" }
    let paths = reported.compactMap { $0["path"] as? String }
    #expect(Set(paths).count == 300)
    #expect(paths.count == 300)
    #expect(try lines(".out4").allSatisfy { $0["state"] as? String == "unchanged" })
    #expect(text(".failures") == "")
  }
}
