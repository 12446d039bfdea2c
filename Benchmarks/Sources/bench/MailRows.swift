internal import Foundation

/// The rows of the speed table that concern mails: usual ones beside GMime, a large one, and those that other parsers need minutes or
/// gigabytes for.
struct MailRows {
  /// mediatool in release.
  var tool: String
  /// Where outputs go.
  var output: String
  /// The loop over Mail that does nothing else, and that over GMime.
  var loop: String
  var gmime: String
  /// A folder with the mails.
  var mails: InputSet
  /// The mails that are generated for the comparison with other readers, and a file with their names.
  var usual: InputSet
  var names: String

  static let usualCount = 10_000

  init(tool: String, loop: String, gmime: String, maker: String, output: String, folder: String) throws {
    (self.tool, self.loop, self.gmime, self.output) = (tool, loop, gmime, output)
    let path = "\(folder)/usual-mails"
    usual = .made(at: path, output: output) { ["python3", maker, $0, "\(Self.usualCount)"] }
    names = "\(output)/usual-mails.txt"
    try (0..<Self.usualCount).map { "\(path)/\($0).eml\n" }.joined()
      .write(toFile: names, atomically: true, encoding: .utf8)
    mails = InputSet(path: "\(folder)/mails") { beside in
      try FileManager.default.createDirectory(atPath: beside, withIntermediateDirectories: true)
      for (name, mail) in Self.mails { try mail.write(to: "\(beside)/\(name).eml") }
    }
  }

  /// A mail that says the same thing often.
  private struct Mail {
    var head = ""
    var count = 1
    var tail = ""
    var piece: (Int) -> String

    /// Writes it in parts: the memory of this program would count for the programs that it measures.
    func write(to path: String) throws {
      _ = FileManager.default.createFile(atPath: path, contents: Data(head.utf8))
      guard let file = FileHandle(forWritingAtPath: path) else { throw BenchError(description: "cannot write \(path)") }
      defer { try? file.close() }
      try file.seekToEnd()
      for start in stride(from: 0, to: count, by: 10_000) {
        let text = (start..<min(start + 10_000, count)).map(piece).joined()
        try file.write(contentsOf: Data(text.utf8))
      }
      try file.write(contentsOf: Data(tail.utf8))
    }
  }

  /// What the mails are, by the names of their files.
  private static var mails: [String: Mail] {
    let mixed = "Content-Type: multipart/mixed; boundary=b"
    let file = "Content-Type: application/zip; name=large.zip\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    let line = String(repeating: "QUJD", count: 19) + "\r\n"
    return [
      "small": Mail { _ in "Subject: small\n\nx\n" },
      "large": Mail(
        head: "\(mixed)\r\n\r\n--b\r\n\r\nSee the file.\r\n--b\r\n\(file)", count: 100_000_000 / line.utf8.count,
        tail: "--b--\r\n"
      ) { _ in line },
      "parts": Mail(head: "\(mixed)\n\n", count: 1_000_000, tail: "--b--\n") { _ in "--b\n\n\n" },
      "nested": Mail(count: 5_000) { "Content-Type: multipart/mixed; boundary=b\($0)\n\n--b\($0)\n" },
      "attached": Mail(count: 5_000, tail: "\nx\n") { _ in "Content-Type: message/rfc822\n\n" },
      "words": Mail(head: "Subject: ", count: 100_000, tail: "\n\nx\n") { _ in "=?utf-8?Q?a?=\n " },
      "names": Mail(head: "Content-Type: application/zip;\n", count: 50_000, tail: " x=y\n\nx\n") {
        " name*\($0)*=%C3%A9;\n"
      },
    ]
  }

  var all: [Row] {
    func list(_ name: String) -> Command {
      Command(arguments: [tool, "mail", "\(mails.path)/\(name).eml"], folder: "\(output)/mail-\(name)")
    }
    func within(_ seconds: Double, _ work: String, _ name: String) -> Row {
      Row(work: "\(work), listed", ours: list(name), requirement: .each(below: seconds, of: 1), needs: [mails])
    }
    let peer = Command(arguments: [gmime, names], folder: "\(output)/gmime-list")
    func against(_ work: String, _ arguments: [String]) -> Row {
      Row(
        work: "\(Self.usualCount) mails listed, \(work)",
        ours: Command(arguments: arguments, folder: "\(output)/mail-loop"),
        peerName: "GMime, with one thread", peer: peer, requirement: .speed(atLeast: 1), needs: [usual])
    }
    return [
      against("the library with one thread", [loop, names]),
      against("mediatool mail --json", [tool, "mail", "--json", "-q", "--files-from", names]),
      within(0.3, "a mail of 100 MB", "large"),
      Row(
        work: "peak memory, a mail of 100 MB", ours: list("large"), peerName: "a mail of one line",
        peer: list("small"), requirement: .growth(atMost: 16), needs: [mails]),
      within(1, "a mail of a million parts", "parts"), within(1, "a mail of 5,000 nested multiparts", "nested"),
      within(1, "a mail of 5,000 nested mails", "attached"),
      within(1, "a mail with a subject of 100,000 encoded words", "words"),
      within(1, "a mail with a file name in 50,000 pieces", "names"),
    ]
  }
}
