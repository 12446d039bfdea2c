internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

/// The list of a mail beside those of other readers: CPython's email, GMime, mailparse and Dovecot. `MEDIATOOL_FULL=1` takes all 10,000 generated
/// mails instead of 60. With fewer than three readers nothing is compared, which the output states.
@Suite("Other readers of mail") struct MailPeerTests {
  private static let count = ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1" ? 10_000 : 60

  /// The status of the script with too few readers.
  private static let skipped = 77

  @Test("Structure, names and bytes of generated mails are those of the majority of readers") func majority() throws {
    // Debian's, which sees Debian's packages of GMime.
    let python = URL(fileURLWithPath: "/usr/bin/python3")
    guard FileManager.default.isExecutableFile(atPath: python.path) else {
      print("without other readers of mail: /usr/bin/python3 is missing")
      return
    }
    let script = Corpus.packageRoot.appendingPathComponent("scripts/mail-peers").path
    let result = try Tool(executable: python).run(
      [script, Command.executable, "--count", String(Self.count)], seconds: 36_000)
    for line in result.text.split(separator: "\n") where line.hasPrefix("without") || line.hasPrefix("skipped") {
      print(line)
    }
    if result.status == Self.skipped { return }
    #expect(result.status == 0, "\(result.text)\(result.errors)")
    #expect(result.text.contains("\(Self.count) mails, 0 differ from the majority"))
  }
}
