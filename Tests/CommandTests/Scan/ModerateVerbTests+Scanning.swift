internal import ClamdSupport
internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

/// Scans for malware: what clamd finds, and what it cannot scan.
extension ModerateVerbTests {
  @Test("Malware is quarantined and reported; a content is scanned once until there are newer signatures")
  func scan() throws {
    let image = ScanWorld.image + Array("2".utf8)
    let folder = try TemporaryFolder()
    let clamd = try FakeClamd(at: folder.path("clamd.ctl")) { request in
      .text(request.content == image ? "fd[9]: Eicar FOUND" : "fd[9]: OK")
    }
    let address = PathBytes(clamd.address)
    let first = try run(["scan", "--clamd", address])
    #expect(first.status == 1)
    #expect(first.errors.contains("1 clean, 1 infected"))
    let records = try first.records
    #expect(Set(records.compactMap { $0["path"] as? String }) == [path(2).text, path(3).text])
    let verdict = try #require(records.first?["verdict"] as? [String: Any])
    #expect(verdict["state"] as? String == "infected")
    #expect(verdict["detail"] as? String == "Eicar")
    #expect(verdict["signatures"] as? Int == 27_000)
    #expect(try found() == 1)
    #expect(clamd.requests.count == 2)
    #expect(try run(["scan"], ["MEDIATOOL_CLAMD": clamd.address]).status == 0)
    #expect(clamd.requests.count == 2)
    clamd.setVersion("ClamAV 1.4.6/27001/Mon Nov 23 09:00:00 2026")
    #expect(try run(["scan", "--clamd", address]).status == 1)
    #expect(clamd.requests.count == 4)
    #expect(try run(["scan", "--clamd", address, "--all", "--table"]).output.contains("Eicar"))
    #expect(clamd.requests.count == 6)
    #expect(try run(["release", path(2)]).status == 64)
  }

  @Test("A clamd that does not answer decides nothing, and a file that changed is not scanned") func away() throws {
    let folder = try TemporaryFolder()
    let away = try run(["scan", "--clamd", PathBytes("unix:\(folder.path("clamd.ctl"))")])
    #expect(away.status == 70)
    #expect(away.errors.contains("clamd does not answer"))
    let clamd = try FakeClamd(at: folder.path("clamd.ctl")) { _ in .close }
    #expect(try run(["scan", "--clamd", PathBytes(clamd.address)]).status == 1)
    #expect(try found() == 3)
    #expect(
      try run(["show", path(1)]).records.first.flatMap { $0["verdict"] as? [String: Any] }?["state"] as? String
        == "unscannable")
    try world.write("1.jpg", 9, isImage: true)
    let clean = try FakeClamd(at: folder.path("other.ctl")) { _ in .text("fd[9]: OK") }
    let changed = try run(["scan", "--all", "--clamd", PathBytes(clean.address)])
    #expect(changed.status == 1)
    #expect(changed.errors.contains("1 changed"))
    #expect(clean.requests.count == 1)
  }

  @Test("What no scanner can scan is listed, and accepted or blocked; further scans do not report what is accepted")
  func unscannable() throws {
    let folder = try TemporaryFolder()
    let clamd = try FakeClamd(at: folder.path("clamd.ctl")) { _ in
      .text("fd[9]: Heuristics.Encrypted.Zip FOUND")
    }
    let scan: [PathBytes] = ["scan", "--all", "--clamd", PathBytes(clamd.address)]
    #expect(try run(scan).status == 1)
    let waiting = try run(["unscannable"]).records
    #expect(Set(waiting.compactMap { $0["path"] as? String }) == Set((1...3).map { path($0).text }))
    #expect(try run(["unscannable", "--table"]).output.contains("encrypted"))
    // 2 and 3 are of one content.
    let accepted = try run(["accept", path(2), "--reason", "opened it", "--by", "mod"]).records
    #expect(accepted.compactMap { $0["path"] as? String } == [path(2).text, path(3).text])
    #expect((accepted.first?["acceptance"] as? [String: Any])?["reason"] as? String == "opened it")
    #expect(try run(["unscannable"]).records.compactMap { $0["path"] as? String } == [path(1).text])
    let again = try run(scan)
    #expect(again.errors.contains("1 not scannable, 1 not scannable but accepted"))
    #expect(try again.records.compactMap { $0["path"] as? String } == [path(1).text])
    #expect(try run(["block", path(1), "--reason", "no", "--by", "mod"]).status == 0)
    #expect(try run(["unscannable"]).records.isEmpty)
    let audit = try run(["audit"]).records
    #expect(audit.map { $0["action"] as? String } == ["block", "accept"])
    #expect(try run(["accept", path(1)]).status == 64)
    #expect(try run(["accept"]).status == 64)
    #expect(try run(["unscannable", path(1)]).status == 64)
  }

  @Test(
    "The clamd of Debian finds malware in a library",
    .enabled(if: RealClamd.isPresent, "clamav-daemon is not installed"))
  func real() throws {
    let folder = try TemporaryFolder()
    let digest = try Tool("md5sum", package: "coreutils").output([], input: RealClamd.malware)
    let clamd = try RealClamd(in: folder, digest: String(decoding: digest.prefix(32), as: UTF8.self))
    defer { clamd.stop() }
    try Data(RealClamd.malware).write(to: URL(fileURLWithPath: world.tree.appending("notes.txt".utf8).text))
    try world.scan(["--digest"])
    #expect(try found() == 4)
    let scan = try run(["scan", "--clamd", PathBytes(clamd.address)])
    #expect(scan.status == 1)
    #expect(try scan.records.map { ($0["path"] as? String)?.hasSuffix("notes.txt") } == [true])
    #expect(try found() == 3)
  }
}
