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
    guard let result = try compare(["--count", String(Self.count)]) else { return }
    #expect(result.status == 0, "\(result.text)\(result.errors)")
    #expect(result.text.contains("\(Self.count) mails, 0 differ from the majority"))
  }

  @Test func `What a BODYSTRUCTURE cannot say is no difference`() throws {
    let folder = try TemporaryFolder()
    let multipart = "Content-Type: multipart/mixed; boundary=b\r\n"
    // The grammar has no multipart without parts, and no content id of a multipart (RFC 9051 §9).
    let mails = [
      "\(multipart)\r\nNo line is a boundary.\r\n",
      "Content-Type: message/rfc822\r\n\r\nSubject: inner\r\n\(multipart)\r\nNo line is a boundary.\r\n",
      "Content-Type: multipart/related; boundary=a\r\n\r\n--a\r\nContent-ID: <c@example.org>\r\n\(multipart)\r\n"
        + "--b\r\n\r\nText.\r\n--b--\r\n--a--\r\n",
    ]
    for (index, mail) in mails.enumerated() { try folder.write(Array(mail.utf8), to: "\(index).eml") }
    guard let result = try compare(["--count", "0", folder.url.path]) else { return }
    #expect(result.status == 0, "\(result.text)\(result.errors)")
    #expect(result.text.contains("3 mails, 0 differ from the majority"))
  }

  /// Runs the script; nil if there are fewer than three readers.
  private func compare(_ arguments: [String]) throws -> Tool.Output? {
    // Debian's, which sees Debian's packages of GMime.
    let python = URL(fileURLWithPath: "/usr/bin/python3")
    guard FileManager.default.isExecutableFile(atPath: python.path) else {
      print("without other readers of mail: /usr/bin/python3 is missing")
      return nil
    }
    let script = Corpus.packageRoot.appendingPathComponent("scripts/mail-peers").path
    let result = try Tool(executable: python).run([script, Command.executable] + arguments, seconds: 36_000)
    for line in result.text.split(separator: "\n") where line.hasPrefix("without") || line.hasPrefix("skipped") {
      print(line)
    }
    return result.status == Self.skipped ? nil : result
  }

  /// The first 16 digits of the SHA-256 of the files that ytnef extracts from its test data, by their names.
  private static let extracted = [
    "208225 (5 seconds) Voice Mail.mp3": "cf2e3cd4175a3acd",
    "AUTHORS": "36c47da7d11846ca",
    "TechlibDEC99-JAN00.doc": "360db5c11b1f21c6",
    "TechlibDEC99.doc": "d1a592c2e3729270",
    "TechlibNOV99.doc": "b1e6b103cc5a9b75",
    "allproductsmar2000.dat": "de2ad5d4e20a2456",
    "bookmark.htm": "1e08d6e23c75ff80",
    "generpts.src": "69ebd0e9c298f62d",
    "zappa_av1.jpg": "bea844f30e0fcc20",
  ]

  /// Where `scripts/mail-corpus` puts the streams of ytnef.
  private static let streams = Corpus.packageRoot.appendingPathComponent(".build/mails/libytnef").path
  private static let hasStreams = FileManager.default.fileExists(atPath: streams)

  @Test(
    "The files of public TNEF streams are those that ytnef extracts",
    .enabled(if: hasStreams, "skipped, no mails: scripts/mail-corpus downloads them"))
  func publicStreams() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.streams).sorted()
    let result = try Command.run(["mail", "--json", "--digest"] + names.map { PathBytes("\(Self.streams)/\($0)") })
    #expect(result.status == 0)
    var found: [String: String] = [:]
    for record in try result.records where (record["section"] as? String)?.contains(".tnef.") == true {
      if let name = record["name"] as? String, let digest = record["sha256"] as? String {
        found[name] = String(digest.prefix(16))
      }
    }
    #expect(found == Self.extracted)
  }
}
