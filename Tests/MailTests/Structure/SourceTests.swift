internal import Mail
internal import TestSupport
internal import Testing

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

@Suite struct SourceTests {
  /// A mail with lines, boundaries and a header of all lengths, several windows long.
  private static func large(_ generator: inout SeededGenerator) -> [UInt8] {
    var result = mail("Subject: large", "Content-Type: multipart/mixed; boundary=b", "", "")
    for _ in 0..<40 {
      result += mail("--b", "Content-Type: image/png; name=a\(generator.below(9)).png", "X-Long: ", "")
      result += repeatElement(0x20, count: generator.below(3_000))
      let encoding = ["base64", "quoted-printable", "8bit", "x-yencode"][generator.below(4)]
      result += mail("", "Content-Transfer-Encoding: \(encoding)", "", "")
      for _ in 0..<generator.below(6) {
        result += (0..<generator.below(9_000)).map { _ in UInt8(ascii: "=") &+ UInt8(generator.below(40)) }
        result += mail("", "")
      }
    }
    // A line longer than a window.
    result += mail("--b", "Content-Type: text/html", "", "") + [UInt8](repeating: 0x2D, count: 600_000)
    return result + mail("", "--b--", "")
  }

  @Test func `A mail read in pieces has the list and the bodies of the whole`() throws {
    var generator = SeededGenerator(seed: 1_802)
    let bytes = Self.large(&generator)
    var whole = MailStructure(message: bytes)
    whole.addEmbeddedParts(in: bytes)
    #expect(whole.parts.count == 42)
    for maxPiece in [1_000, Int.max] {
      let source = CountedFile(bytes, maxPiece: maxPiece).source
      var structure = MailStructure(source: source)
      structure.addEmbeddedParts(in: source)
      #expect(structure == whole)
      #expect(structure.text(of: source) == whole.text(of: bytes))
      var reader = MailStructure.ContentReader(source)
      for position in structure.parts.indices {
        #expect(reader.content(of: position, in: structure) == whole.content(of: position, in: bytes))
      }
      #expect(reader.content(of: 42, in: structure).isEmpty)
    }
  }

  @Test func `A mail in pieces is read twice`() {
    var generator = SeededGenerator(seed: 1_803)
    let file = CountedFile(Self.large(&generator))
    _ = MailStructure(source: file.source)
    // Once for the lines, once to count what the bodies decode to; windows overlap by a quarter.
    #expect(file.octetsRead < file.octets.count * 3)
  }

  @Test("A container is decoded once for all of its parts") func aContainerIsDecodedOnceForAllOfItsParts() {
    // An encoded message with 40 texts, each in a TNEF stream of its own.
    var inner = mail("Content-Type: multipart/mixed; boundary=b", "", "")
    for index in 0..<40 {
      var stream = StreamMaker()
      stream.describe([(0x1000, .text("text \(index)" + String(repeating: ".", count: 9_000)))])
      inner += mail("--b", "Content-Type: application/ms-tnef", "Content-Transfer-Encoding: base64", "", "")
      inner += Array(Data(stream.octets).base64EncodedString().utf8) + mail("", "")
    }
    let encoded = Data(inner + mail("--b--", "")).base64EncodedString()
    let file = CountedFile(mail("Content-Type: message/rfc822", "Content-Transfer-Encoding: base64", "", encoded))
    var structure = MailStructure(source: file.source)
    structure.addEmbeddedParts(in: file.source)
    #expect(structure.parts.count == 2 + 2 * 40)

    var before = file.octetsRead
    let text = structure.text(of: file.source, inMessage: 0)
    #expect(text.text.contains("text 39"))
    #expect(file.octetsRead - before < file.octets.count * 2)

    // In the order of the list, and each part after its container.
    let byContainer = structure.parts.indices.sorted {
      (max($0 < 42 ? $0 : 0, structure.parts[$0].container ?? 0), $0)
        < (max($1 < 42 ? $1 : 0, structure.parts[$1].container ?? 0), $1)
    }
    for order in [Array(structure.parts.indices), byContainer] {
      before = file.octetsRead
      var reader = MailStructure.ContentReader(file.source)
      for position in order { _ = reader.content(of: position, in: structure) }
      // The container itself is a part too.
      #expect(file.octetsRead - before < file.octets.count * 3)
    }
  }

  @Test func `What cannot be read is zeros`() {
    let file = CountedFile(StructureTests.nested)
    let source = file.source
    let whole = MailStructure(source: source)
    file.octets.removeLast(file.octets.count / 2)
    let structure = MailStructure(source: source)
    #expect(structure.parts[0].type == whole.parts[0].type)
    #expect(structure.parts.allSatisfy { $0.bodyRange.map { $0.upperBound <= source.count } ?? false })
    file.octets = []
    #expect(MailStructure(source: source).outline == ["1 text/plain"])
  }

  @Test func `An mbox has its mails, and any other file is one mail`() {
    let first = mail("From a Mon", "Subject: 1", "", "text", "From here on", "", ">From b", "", "")
    let second = Array("From c Tue\nSubject: 2\n\ntext\n".utf8)
    let mails = CountedFile(first + second).source.mails()
    #expect(mails.map(\.count) == [first.count, second.count])
    #expect(mails.map { MailStructure(source: $0).header?.subject } == ["1", "2"])
    var reader = mails.last.map { MailStructure.ContentReader($0) }
    #expect(reader?.content(of: 0, in: MailStructure(message: second)) == Array("text\n".utf8))
    #expect(CountedFile(second.dropFirst(5) + []).source.mails().count == 1)
    #expect(MailStructure.Source([]).mails().map(\.count) == [0])
    #expect(mails[0][3..<1_000_000].count == first.count - 3)
  }

  private static let patch =
    "From fc88cba7f1f37b9cf3b296eace2422dd0e173502 Mon Sep 17 00:00:00 2001\nFrom: Ana <ana@example.org>\nSubject: [PATCH] a\n\n---\n"

  @Test func `A patch attached to a mail of an mbox is part of it`() {
    let head =
      "From ana@example.org  Sat Feb  5 09:19:10 2022\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nSee.\n"
    let first = head + "--b\nContent-Type: text/x-diff\n\n\(Self.patch)\n--b--\n\n"
    let mails = MailStructure.Source(Array((first + head + "--b--\n").utf8)).mails()
    #expect(mails.map(\.count) == [first.utf8.count, head.utf8.count + 6])
    let structure = MailStructure(source: mails[0])
    #expect(structure.outline == ["TEXT multipart/mixed", "1 text/plain", "2 text/x-diff"])
    #expect(structure.content(of: 2, in: Array(first.utf8)) == Array(Self.patch.utf8))
  }

  @Test func `An mbox that git format-patch wrote has its patches`() {
    let patch = Self.patch + "\n"
    let mails = MailStructure.Source(Array((patch + patch + patch).utf8)).mails()
    #expect(mails.map(\.count) == Array(repeating: patch.utf8.count, count: 3))
    // Object names of SHA-256, too.
    let long = patch.replacing("From fc", with: "From fc\(String(repeating: "0", count: 24))")
    #expect(MailStructure.Source(Array((long + patch + "From here\n").utf8)).mails().count == 2)
  }

  @Test func `A paragraph that begins with From does not begin a mail of an mbox whose lines have dates`() {
    let first = "From ana@example.org Sat Feb  5 09:19:10 2022\n\nText.\n\nFrom here on, May 2022 is over.\n\n"
    for line in [
      "From - Mon Jan 03 10:00:00 2022", "From ???@??? Mon Jan 03 10:00:00 2022",
      "From a b@c Mon Jan  3 10:00 MET 2022",
      "From a@b Mon Jan  3 10:00:00 2022 +0100", "From a@b Mon, 3 Jan 2022 10:00:00 +0100",
      "From a@b Mon Jan  3 10:00:00 2022 remote from c",
    ] {
      let mails = MailStructure.Source(Array("\(first)\(line)\n\nText.\n".utf8)).mails()
      #expect(mails.map(\.count).first == first.utf8.count, "\(line)")
      #expect(mails.count == 2, "\(line)")
    }
  }
}
