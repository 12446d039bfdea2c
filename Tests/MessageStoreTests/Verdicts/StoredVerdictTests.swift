internal import AttachmentPolicy
internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MessageStore

@Suite("Verdicts on files of messages") struct StoredVerdictTests {
  /// A store with two messages that have the same file.
  private func filled() throws -> (test: TestStore, content: ContentDigest, messages: [MessageStore.Message.ID]) {
    let test = try TestStore()
    let messages = try [Sample.ann, Sample.ben].map { person in
      try test.store.send(Sample.picture(to: person), files: ["photo": try test.file("bytes")])
    }
    let content = try #require(try test.store.message(messages[0]).parts.compactMap(\.digest).first)
    return (test, content, messages)
  }

  @Test("a verdict is there after a restart, with all that the scanner stated") func kept() throws {
    var (test, content, _) = try filled()
    var verdict = Moderation.Verdict(
      content, .unscannable, detail: "timedOut", engine: "ClamAV 1.4.6", signatures: 27, at: 900, due: 1_000)
    #expect(try test.store.verdict(of: content) == nil)
    #expect(try test.store.record(verdict))
    try test.restart()
    verdict.attempts = 1
    #expect(try test.store.verdict(of: content) == verdict)
    #expect(try test.store.verify().isEmpty)
  }

  @Test("neither a scanner that is away nor an older scan clears malware; a newer scan does (R-MYM-26)")
  func neverDowngraded() throws {
    let (test, content, _) = try filled()
    try test.store.record(Moderation.Verdict(content, .infected, detail: "Eicar", signatures: 5, at: 100))
    for weaker in [
      Moderation.Verdict(content, .pending, at: 200, due: 260),
      Moderation.Verdict(content, .unscannable, detail: "scannerError", at: 200),
      Moderation.Verdict(content, .unscannable, detail: "encrypted", signatures: 6, at: 200),
      Moderation.Verdict(content, .clean, signatures: 4, at: 300),
    ] {
      try test.store.record(weaker)
      #expect(try test.store.verdict(of: content)?.state == .infected, "\(weaker)")
      #expect(try test.store.verdict(of: content)?.detail == "Eicar", "\(weaker)")
    }
    try test.store.record(Moderation.Verdict(content, .clean, signatures: 7, at: 300))
    #expect(try test.store.verdict(of: content)?.state == .clean)
  }

  @Test("a verdict is erased with the last message that has the file, and none is recorded without one (R-MYM-24)")
  func erased() throws {
    let (test, content, messages) = try filled()
    try test.store.record(Moderation.Verdict(content, .infected, detail: "Eicar", at: 100))
    try test.store.delete(messages[0])
    #expect(try test.store.verdict(of: content)?.state == .infected)
    try test.store.delete(messages[1])
    #expect(try test.store.verdict(of: content) == nil)
    #expect(try !test.store.record(Moderation.Verdict(content, .infected, detail: "Eicar", at: 100)))
    #expect(try test.store.verdict(of: content) == nil)
    #expect(try test.store.verify().isEmpty)
  }

  @Test("a verdict that cannot be read is nil, is reported, and is replaced by the next scan") func damaged() throws {
    let (test, content, _) = try filled()
    try test.store.record(Moderation.Verdict(content, .clean, signatures: 5, at: 100))
    try test.damage("UPDATE verdict SET state = x'00', signatures = 'x'")
    #expect(try test.store.verdict(of: content) == nil)
    #expect(try test.store.verify().map(\.code) == [.unreadable, .unreadable])
    try test.store.record(Moderation.Verdict(content, .infected, detail: "Eicar", signatures: 5, at: 200))
    #expect(try test.store.verdict(of: content)?.state == .infected)
    #expect(try test.store.verify().isEmpty)
  }

  @Test("a verdict on a file that no message has is reported and removed by a repair") func withoutFile() throws {
    let (test, content, _) = try filled()
    try test.store.record(Moderation.Verdict(content, .clean, at: 100))
    try test.damage("UPDATE verdict SET digest = zeroblob(32)")
    #expect(try test.store.verify().map(\.code) == [.derived])
    #expect(try test.store.verify(repairs: true).map(\.code) == [.derived])
    #expect(try test.store.verify().isEmpty)
  }
}
