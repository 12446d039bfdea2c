internal import Mail
internal import MediaModel
internal import Testing

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

@Suite struct EmbeddedMessageTests {
  private static func encoded(_ message: [UInt8]) -> [UInt8] {
    mail("Content-Type: message/rfc822", "Content-Transfer-Encoding: base64", "", Data(message).base64EncodedString())
  }

  @Test("An encoded message has its parts") func anEncodedMessageHasItsParts() {
    let bytes = Self.encoded(StructureTests.nested)
    var structure = MailStructure(message: bytes)
    structure.addEmbeddedParts(in: bytes)
    let inner = MailStructure(message: StructureTests.nested)
    #expect(structure.parts.dropFirst().map(\.section) == inner.parts.map { "1.mail." + $0.section })
    #expect(structure.parts.dropFirst().map(\.role) == inner.parts.map(\.role))
    #expect(structure.parts.dropFirst().map(\.decodedSize) == inner.parts.map(\.decodedSize))
    #expect(structure.parts[0].message?.subject == "café")
    #expect(structure.attachedMessage(containing: structure.parts.count - 1) == 0)
    for position in inner.parts.indices {
      #expect(
        structure.content(of: position + 1, in: bytes) == inner.content(of: position, in: StructureTests.nested))
    }
    #expect(structure.text(of: bytes, inMessage: 0) == inner.text(of: StructureTests.nested))
  }

  @Test func `The decoded body of a fetched part is searched`() throws {
    let line =
      "((\"text\" \"plain\" NIL NIL NIL \"7bit\" 2 1)(\"application\" \"ms-tnef\" NIL NIL NIL \"base64\" 900) \"mixed\")"
    var structure = MailStructure(bodyStructure: Array(line.utf8))
    #expect(structure.addEmbeddedParts(of: 2, octets: TNEFTests.outer) == 3..<10)
    #expect(structure.parts[4].section == "2.tnef.1")
    // What was searched is not searched again, and a position that is not there has nothing.
    #expect(structure.addEmbeddedParts(of: 2, octets: TNEFTests.outer).isEmpty)
    #expect(structure.addEmbeddedParts(of: 99, octets: TNEFTests.outer).isEmpty)
    let stored = try JSONDecoder().decode(MailStructure.self, from: JSONEncoder().encode(structure))
    #expect(stored == structure)
  }

  @Test func `Messages inside messages end at the limit`() {
    var bytes = mail("Subject: x", "", "x")
    for _ in 0..<20 { bytes = Self.encoded(bytes) }
    var structure = MailStructure(message: bytes)
    structure.addEmbeddedParts(in: bytes)
    #expect(structure.parts.count == 10)
    #expect(structure.parts.last?.section == "1" + String(repeating: ".mail.1", count: 9))
  }
}
