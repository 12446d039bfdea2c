internal import Mail
internal import MediaModel
internal import TestSupport
internal import Testing

@Suite struct TNEFTests {
  /// A mail that is one stream, with its embedded parts.
  private func read(_ stream: [UInt8], limits: MailStructure.Limits = .init()) -> (MailStructure, [UInt8]) {
    let bytes = mail("Content-Type: application/ms-tnef", "", "") + stream
    var structure = MailStructure(message: bytes, limits: limits)
    structure.addEmbeddedParts(in: bytes, limits: limits)
    return (structure, bytes)
  }

  private static let inner: [UInt8] = {
    var stream = StreamMaker()
    stream.describe([(0x0037, .wide("Größe")), (0x1000, .text("Inner text"))])
    stream.attach(name: "a.txt", Array("inner file".utf8))
    return stream.octets
  }()

  static let outer: [UInt8] = {
    var stream = StreamMaker()
    stream.add(0x0006_9007, [0xE4, 0x04, 0, 0, 0, 0, 0, 0])
    stream.describe([
      (0x8001, .named("x-header", [1, 2, 3])), (0x3FDE, .number(65_001)),
      (0x1013, .binary(Array("<p>Hé <img src=\"cid:p@x\">".utf8))),
    ])
    stream.attach(name: "PHOTO~1.JPG", [1, 2, 3], [(0x3707, .wide("Räksmörgås.jpg")), (0x3712, .text("p@x"))])
    stream.attach(name: "data", [4, 5], [(0x370E, .text("Application/PDF"))])
    stream.attach(name: "Message", [], [(0x3701, .object(inner))])
    stream.attach(name: "../../evil.exe", [6])
    return stream.octets
  }()

  @Test("A stream has files, messages and a body") func aStreamHasFilesMessagesAndABody() {
    let (structure, bytes) = read(Self.outer)
    #expect(
      structure.outline == [
        "1 application/ms-tnef", "1.tnef.body text/html", "1.tnef.1 image/jpeg", "1.tnef.2 application/pdf",
        "1.tnef.3 application/ms-tnef", "1.tnef.4 \(MediaType.types(forExtension: "exe").first ?? .octetStream)",
        "1.tnef.3.tnef.body text/plain", "1.tnef.3.tnef.1 text/plain",
      ])
    #expect(
      structure.roles == [
        "1 tnef", "1.tnef.body body", "1.tnef.1 inlinePicture", "1.tnef.2 attachment", "1.tnef.3 attachedMessage",
        "1.tnef.4 attachment", "1.tnef.3.tnef.body body", "1.tnef.3.tnef.1 attachment",
      ])
    #expect(
      structure.parts.map(\.name) == [nil, nil, "Räksmörgås.jpg", "data", "Message", "../../evil.exe", nil, "a.txt"])
    #expect(structure.parts.map(\.parent) == [nil, 0, 0, 0, 0, 0, 4, 4])
    #expect(structure.parts[4].message?.subject == "Größe")
    #expect(structure.content(of: 2, in: bytes) == [1, 2, 3])
    #expect(structure.content(of: 7, in: bytes) == Array("inner file".utf8))
    #expect(structure.text(of: bytes).text == "Hé")
    #expect(structure.text(of: bytes, inMessage: 4).text == "Inner text")
    #expect(structure.parts.allSatisfy { !$0.isDamaged })
  }

  @Test func `The body of a stream is displayed only if the mail has none`() {
    let bytes =
      mail(
        "Content-Type: multipart/mixed; boundary=b", "", "--b", "", "The text", "--b",
        "Content-Type: application/ms-tnef", "", "")
      + Self.outer + mail("", "--b--")
    var structure = MailStructure(message: bytes)
    structure.addEmbeddedParts(in: bytes)
    #expect(structure.text(of: bytes).text == "The text")
  }

  @Test("A compressed body is text") func aCompressedBodyIsText() throws {
    // The example of MS-OXRTFCP 4.1.1, with a text of its own after it.
    let compressed: [UInt8] = [
      0x2D, 0, 0, 0, 0x2B, 0, 0, 0, 0x4C, 0x5A, 0x46, 0x75, 0xF1, 0xC5, 0xC7, 0xA7, 0x03, 0, 0x0A, 0, 0x72, 0x63,
      0x70, 0x67, 0x31, 0x32, 0x35, 0x42, 0x32, 0x0A, 0xF3, 0x20, 0x68, 0x65, 0x6C, 0x09, 0, 0x20, 0x62, 0x77, 0x05,
      0xB0, 0x6C, 0x64, 0x7D, 0x0A, 0x80, 0x0F, 0xA0,
    ]
    var stream = StreamMaker()
    stream.describe([(0x1009, .binary(compressed))])
    let (structure, bytes) = read(stream.octets)
    #expect(structure.outline == ["1 application/ms-tnef", "1.tnef.body text/rtf"])
    let rtf = structure.content(of: 1, in: bytes)
    #expect(String(decoding: rtf, as: UTF8.self) == "{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n")
    #expect(structure.parts[1].decodedSize == .exact(rtf.count))
    #expect(structure.text(of: bytes).text == "hello world")
  }

  @Test(arguments: [
    ("{\\rtf1 a\\par b}", "a\nb"), ("{\\rtf1{\\fonttbl{\\f0 Arial;}}x{\\*\\htmltag <b>}y}", "xy"),
    ("{\\rtf1\\ansicpg1251 \\'cf\\'f0}", "Пр"), ("{\\rtf1\\uc1 \\u8364?5 \\u-10179?\\u-8694?}", "€5 😊"),
    ("{\\rtf1 a\\~b\\{c\\}\\\\d\\tab e", "a b{c}\\d\te"), ("}}}{{\\bin999999999 x", ""), ("\\", ""), ("\\'", ""),
  ])
  func `RTF becomes its text`(rtf: String, text: String) {
    let structure = MailStructure(message: mail("Content-Type: text/rtf", "", rtf))
    #expect(MailText(octets: Array(rtf.utf8), of: structure.parts[0]).text == text)
  }

  @Test func `A truncated stream keeps what is there`() {
    let (structure, bytes) = read(Array(Self.outer.dropLast(4)))
    #expect(structure.parts[0].isDamaged)
    #expect(structure.parts.count == 8)
    var stream = StreamMaker()
    stream.attach(name: "a", [UInt8](repeating: 9, count: 100))
    let (cut, cutBytes) = read(Array(stream.octets.dropLast(52)))
    #expect(cut.parts[1].isDamaged)
    #expect(cut.content(of: 1, in: cutBytes) == [UInt8](repeating: 9, count: 50))
    #expect(structure.content(of: 99, in: bytes).isEmpty)
  }

  @Test("Streams inside streams end at the limit") func streamsInsideStreamsEndAtTheLimit() {
    var octets = Self.inner
    for _ in 0..<30 {
      var stream = StreamMaker()
      stream.attach(name: "m", [], [(0x3701, .object(octets))])
      octets = stream.octets
    }
    #expect(read(octets).0.parts.count == 1 + 9)
    var limits = MailStructure.Limits()
    limits.maxParts = 3
    #expect(read(Self.outer, limits: limits).0.parts.count == 3)
    limits.maxEmbeddedOctets = 0
    #expect(read(Self.outer, limits: limits).0.parts.count == 1)
  }

  @Test("A damaged stream has a consistent list") func aDamagedStreamHasAConsistentList() {
    var generator = SeededGenerator(seed: 9_003)
    for _ in 0..<3_000 {
      var octets = Self.outer
      for _ in 0...generator.below(6) {
        let offset = generator.below(octets.count)
        switch generator.below(3) {
        case 0: octets[offset] = UInt8(generator.below(256))
        case 1: octets.removeSubrange(offset..<min(octets.count, offset + 1 + generator.below(9)))
        default: octets.replaceSubrange(offset..<min(octets.count, offset + 4), with: [255, 255, 255, 255])
        }
        if octets.isEmpty { octets = [0] }
      }
      let (structure, bytes) = read(octets)
      #expect(Set(structure.parts.map(\.section)).count == structure.parts.count)
      for (position, part) in structure.parts.enumerated() where part.container != nil {
        #expect(structure.content(of: position, in: bytes).count == part.decodedSize.octets)
      }
      _ = structure.text(of: bytes)
    }
  }
}
