import Foundation
import Mail
import MediaEngine
import MediaEngineInProcess
import MediaModel
import Messaging
import TestSupport
import Testing

/// The examples of the page of Mail.
@Suite struct MailExamples {
  @Test func `A mail that is not fetched is listed`() {
    let line = Array(
      """
      * 1 FETCH (BODYSTRUCTURE (("text" "plain" ("charset" "utf-8") NIL NIL "7bit" 12 1)("image" "jpeg" ("name" "p.jpg") NIL NIL "base64" 12) "mixed"))
      """.utf8)
    let pieces = ["/9j/", "4AA", "Q"].map { Array($0.utf8) }

    let structure = MailStructure(bodyStructure: line)
    for part in structure.parts {
      print(part.section, part.type, part.name ?? "-", part.role?.rawValue ?? "-", part.decodedSize.octets)
    }
    #expect(structure.parts.map(\.section) == ["TEXT", "1", "2"])

    for item in structure.fetchItems() { print(item.description) }
    #expect(structure.fetchItems().map(\.description) == ["BODY.PEEK[1]", "BODY.PEEK[2]"])

    var decoder = MailPartDecoder(encoding: structure.parts[2].encoding)
    var photo: [UInt8] = []
    for piece in pieces { photo += decoder.feed(piece) }
    photo += decoder.finish()
    #expect(photo == [0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x10])
  }

  @Test func `Embedded parts are read`() {
    let message = Array("Content-Type: text/plain\r\n\r\nSee\r\nbegin 644 a.txt\r\n#0V%T\r\n`\r\nend\r\n".utf8)

    var parts = MailStructure(message: message)
    parts.addEmbeddedParts(in: message)
    for position in parts.parts.indices where parts.parts[position].role == .attachment {
      print(parts.parts[position].section, parts.content(of: position, in: message).count)
    }

    #expect(parts.parts.map(\.section) == ["1", "1.uu.1"])
    #expect(parts.content(of: 1, in: message) == Array("Cat".utf8))
  }

  /// The size of a photo is known before it is fetched.
  @Test func `The first bytes of a photo are probed`() async throws {
    let file = Corpus.packageRoot.appendingPathComponent("testdata/camera-roll/IMG_0003.jpg")
    let photo = [UInt8](try Data(contentsOf: file))
    let line = "(\"image\" \"jpeg\" (\"name\" \"pier.jpg\") NIL NIL \"base64\" \(photo.count * 78 / 57))"
    let part = MailStructure(bodyStructure: Array(line.utf8)).parts[0]
    let body = Array(Data(photo).base64EncodedString(options: [.lineLength76Characters]).utf8)
    var configuration = MediaEngine.Configuration()
    configuration.kind = .inProcess()
    let engine = try await MediaEngine.start(configuration)

    var decoder = MailPartDecoder(encoding: part.encoding)
    let prefix = decoder.feed(body.prefix(part.encodedOctets()))
    let info = try await engine.probe(.bytes(prefix))
    let module = MessageModule.File(part, probed: info)

    #expect(prefix.count >= 16_384)
    #expect(prefix.count < 20_000)
    #expect(prefix.count < photo.count)
    #expect(module.info.width == 1_600)
    #expect(module.info.height == 480)
    #expect(module.info.orientation != nil)
    #expect(abs(module.info.bytes - photo.count) < photo.count / 100)
    #expect(MessageModule.modules(of: [.file(module)]).first?.state == .notDownloaded)
    await engine.shutdown()
  }

  @Test func `A mail is read as text`() {
    let mail = Array("Subject: =?utf-8?Q?caf=C3=A9?=\r\nContent-Type: text/html\r\n\r\n<p>At <b>ten</b>?".utf8)

    let structure = MailStructure(message: mail)
    print(structure.header?.subject ?? "", structure.text(of: mail).text)

    #expect(structure.header?.subject == "café")
    #expect(structure.text(of: mail).text == "At ten?")
  }
}
