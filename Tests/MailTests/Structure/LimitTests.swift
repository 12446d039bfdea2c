internal import Mail
internal import MediaModel
internal import Testing

/// What is over a limit is a leaf that can still be read.
@Suite struct LimitTests {
  @Test("A multipart below the deepest level is a leaf") func aMultipartBelowTheDeepestLevelIsALeaf() throws {
    let bytes = (0..<5_000).map { "Content-Type: multipart/mixed; boundary=b\($0)\n\n--b\($0)\n" }.joined()
    let structure = MailStructure(message: Array(bytes.utf8))
    #expect(structure.parts.count == 101)
    let last = try #require(structure.parts.last)
    #expect(last.type == .octetStream)
    #expect(last.isOverLimit)
    #expect(last.role == .attachment)
    #expect(last.bodyRange?.upperBound == bytes.utf8.count)
  }

  @Test func `A message below the deepest level is a leaf`() {
    let bytes = String(repeating: "Content-Type: message/rfc822\n\n", count: 5_000)
    let structure = MailStructure(message: Array(bytes.utf8))
    #expect(structure.parts.count == 101)
    #expect(structure.parts.last?.isOverLimit == true)
  }

  @Test("The last part of the list contains the rest") func theLastPartOfTheListContainsTheRest() throws {
    let text =
      "Content-Type: multipart/mixed; boundary=b\n\n" + String(repeating: "--b\n\n\n", count: 100_000) + "--b--\n"
    let structure = MailStructure(message: Array(text.utf8))
    #expect(structure.parts.count == 10_000)
    let last = try #require(structure.parts.last)
    #expect(last.isOverLimit)
    #expect(last.section == "9999")
    #expect(last.bodyRange?.upperBound == text.utf8.count)
    #expect(structure.parts.dropLast().allSatisfy { !$0.isOverLimit })
  }

  @Test func `One part is always listed`() {
    var limits = MailStructure.Limits()
    limits.maxParts = 0
    limits.maxDepth = 0
    limits.maxHeaderOctets = 0
    #expect(MailStructure(message: StructureTests.nested, limits: limits).parts.count == 1)
    #expect(MailStructure(bodyStructure: Array("(\"text\" \"plain\")".utf8), limits: limits).parts.count == 1)
  }

  @Test func `Fields beyond the limit of the header are ignored`() {
    var limits = MailStructure.Limits()
    limits.maxHeaderOctets = 30
    let structure = MailStructure(
      message: mail("Subject: short", "X-Long: 123456789", "Content-Type: image/png", "", "x"), limits: limits)
    #expect(structure.header?.subject == "short")
    #expect(structure.outline == ["1 text/plain"])
    #expect(structure.parts[0].octets == 1)
  }

  @Test func `Many encoded words and name pieces are read`() {
    let words = String(repeating: "=?utf-8?B?w6k=?=\n ", count: 10_000)
    let pieces = (0..<5_000).map { " name*\($0)*=%C3%A9;\n" }.joined()
    let structure = MailStructure(message: Array("Subject: \(words)\nContent-Type: a/b;\n\(pieces)\nx".utf8))
    #expect(structure.header?.subject?.count == 10_000)
    #expect(structure.parts[0].name?.count == 5_000)
  }
}
