internal import Mail
internal import MediaModel
internal import TestSupport
internal import Testing

/// Damaged mails and lines from a fixed seed: whatever the input, the list is consistent.
@Suite struct RandomMailTests {
  private static let pieces = [
    "--out", "--in", "--out--", "--", "\r\n", "\n", "\r", "Content-Type: ", "multipart/mixed; boundary=out",
    "message/rfc822", ";", "\"", "(", ")", "=?utf-8?B?",
    "?=", "name*0*=utf-8''%C3", "Content-Transfer-Encoding: base64\r\n", "text/html", "<a href=", "cid:", "&#", "NIL",
    "{3}\r\n", "\u{0}", "é", " ", ":",
  ]

  private func damaged(_ source: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = source
    for _ in 0...generator.below(8) {
      let offset = generator.below(bytes.count + 1)
      switch generator.below(4) {
      case 0: bytes.insert(contentsOf: Self.pieces[generator.below(Self.pieces.count)].utf8, at: offset)
      case 1: bytes.removeSubrange(offset..<min(bytes.count, offset + generator.below(20)))
      case 2 where offset < bytes.count: bytes[offset] = UInt8(generator.below(256))
      default: bytes.insert(contentsOf: bytes[offset..<min(bytes.count, offset + generator.below(60))], at: offset)
      }
    }
    return bytes
  }

  private func check(_ structure: MailStructure, count: Int?) {
    #expect(!structure.parts.isEmpty)
    #expect(Set(structure.parts.map(\.section)).count == structure.parts.count)
    for (position, part) in structure.parts.enumerated() {
      #expect(part.parent.map { $0 < position } ?? (position == 0))
      #expect(part.octets >= 0)
      #expect(part.decodedSize.octets >= 0)
      #expect(part.lines ?? 0 >= 0)
      #expect(part.isMultipart == (part.role == nil))
      guard let count else { continue }
      guard let range = part.bodyRange, let header = part.headerRange else {
        Issue.record("no range")
        continue
      }
      #expect(range.upperBound <= count)
      #expect(header.upperBound == range.lowerBound)
      #expect(range.count == part.octets)
      if let parent = part.parent, let outer = structure.parts[parent].bodyRange {
        #expect(outer.lowerBound <= header.lowerBound)
        #expect(range.upperBound <= max(outer.upperBound, range.lowerBound))
      }
    }
  }

  @Test("A damaged mail has a consistent list") func aDamagedMailHasAConsistentList() {
    var generator = SeededGenerator(seed: 2_026)
    for _ in 0..<3_000 {
      let bytes = damaged(StructureTests.nested, &generator)
      let structure = MailStructure(message: bytes)
      check(structure, count: bytes.count)
      let text = structure.text(of: bytes)
      #expect(text.links.allSatisfy { $0.range.upperBound <= text.text.utf8.count })
      // Every decoded size is what the decoder gives.
      for part in structure.parts where !part.isMultipart && part.message == nil {
        var decoder = MailPartDecoder(encoding: part.encoding)
        let octets = part.bodyRange.map { decoder.feed(bytes[$0]) + decoder.finish() } ?? []
        #expect(part.decodedSize == .exact(octets.count))
      }
    }
  }

  @Test("A damaged line has a consistent list") func aDamagedLineHasAConsistentList() {
    var generator = SeededGenerator(seed: 9_051)
    for _ in 0..<3_000 {
      check(MailStructure(bodyStructure: damaged(Array(BodyStructureTests.line.utf8), &generator)), count: nil)
    }
  }

  @Test func `Damaged HTML is text`() {
    var generator = SeededGenerator(seed: 5)
    let html = Array(
      "<p>a <a href='https://x'>b</a><!-- c --><style>d</style>&eacute;<pre> e</pre><img alt=f src=cid:g>".utf8)
    for _ in 0..<3_000 {
      let text = MailText(html: String(decoding: damaged(html, &generator), as: UTF8.self))
      #expect(text.links.allSatisfy { !$0.range.isEmpty && $0.range.upperBound <= text.text.utf8.count })
      #expect(zip(text.links, text.links.dropFirst()).allSatisfy { $0.range.upperBound <= $1.range.lowerBound })
    }
  }
}
