internal import FileSupport
internal import Foundation
internal import MediaLibrary
internal import MediaModel
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("An uploaded mail as a message") struct UploadedMailTests {
  private let anna = Caller(owner: "anna")

  private static func mail(_ photo: Data, files: Int = 1) -> Data {
    var lines = [
      "From: Ana <ana@example.org>", "To: b@example.org", "Subject: =?utf-8?Q?caf=C3=A9?=",
      "Message-ID: <1@example.org>",
      "Date: Sun, 22 Nov 2026 22:00:00 +0000", "Content-Type: multipart/mixed; boundary=b", "", "--b", "",
      "Hello, see www.example.org", "begin 644 a.txt", "#0V%T", "`", "end",
    ]
    for number in 1...files {
      lines += [
        "--b", "Content-Type: image/jpeg; name=\"../pier\(number).jpg\"", "Content-Transfer-Encoding: base64", "",
        number == 1 ? photo.base64EncodedString() : "AAAA",
      ]
    }
    return Data((lines + ["--b--", ""]).joined(separator: "\r\n").utf8)
  }

  private func photo() throws -> Data {
    try Data(contentsOf: Corpus.packageRoot.appendingPathComponent("testdata/camera-roll/IMG_0003.jpg"))
  }

  @Test("The text and the files of an uploaded mail are modules, and each file has an address that gives its bytes")
  func modules()
    async throws
  {
    let fixture = try await ServiceFixture()
    let (service, photo) = (fixture.service, try photo())
    let stored = try await fixture.add(path: try fixture.folder.write(Array(Self.mail(photo)), to: "a.eml"))
    let shown = try await service.modules(of: stored, for: anna)
    #expect(shown.type == .mail)
    #expect(shown.direction == "incoming")
    #expect(shown.from == "Ana <ana@example.org>")
    #expect(shown.to == ["b@example.org"])
    #expect(shown.subject == "café")
    #expect(shown.messageID == "1@example.org")
    #expect(shown.date == 1_795_384_800)
    #expect(shown.modules.map(\.kind) == [.text, .image, .other])
    #expect(shown.modules[0].text?.hasPrefix("Hello, see www.example.org") == true)
    #expect(shown.modules[0].text?.contains("begin") == false)
    #expect(shown.modules.map(\.filename) == [nil, "pier1.jpg", "a.txt"])
    #expect(shown.modules[1].thumbnail?.hasPrefix("data:image/webp;base64,") == true)
    #expect(shown.modules[1].media?.hasPrefix("/v1/attachments/\(stored)/parts/1") == true)
    let id = try MediaService.fileID(stored)
    let (content, name) = try await service.messagePart(1, of: id, for: .caller(anna))
    #expect(content.type == .jpeg)
    #expect(content.bytes == Array(photo))
    #expect(name == "../pier1.jpg")
    #expect(try await service.messagePart(2, of: id, for: .caller(anna)).content.bytes == Array("Cat".utf8))
    for number in [0, -1, 3, .max, .min] {
      #expect(await code { _ = try await service.messagePart(number, of: id, for: .caller(anna)) } == "notFound")
    }
    let bert = Caller(owner: "bert")
    #expect(await code { _ = try await service.modules(of: stored, for: bert) } == "notFound")
    #expect(await code { _ = try await service.messagePart(1, of: id, for: .caller(bert)) } == "notFound")
  }

  @Test("a mail that begins with a field that no signature knows is recognised by the client's name of the file")
  func byName() async throws {
    let fixture = try await ServiceFixture()
    let (service, text) = (fixture.service, Array("X-Foo: 1\r\nSubject: Hello\r\n\r\nA text.\r\n".utf8))
    let stored = try await fixture.add(path: try fixture.folder.write(text, to: "upload"))
    let id = try MediaService.fileID(stored)
    #expect(await code { _ = try await service.modules(of: stored, for: anna) } == "unavailable")
    try await service.database.write { db in
      try AttachmentRecord.note(id, owner: "anna", name: "a.EML", in: db)
    }
    let shown = try await service.modules(of: stored, for: anna)
    #expect(shown.type == .mail)
    #expect(shown.subject == "Hello")
    #expect(await code { _ = try await service.messagePart(1, of: id, for: .caller(anna)) } == "notFound")
  }

  @Test(
    "a file of a mail that is too large when it is decoded is a module that says so",
    .enabled(if: ProcessInfo.processInfo.environment["MEDIATOOL_FULL"] == "1"))
  func tooLarge() async throws {
    let fixture = try await ServiceFixture()
    // Each line announces 63 octets; those that are missing are zeros.
    let lines = String(repeating: "_\n", count: MediaService.maxMailBytes / 63 + 1)
    let text =
      "From: a@example.org\nSubject: Big\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nHello\n--b\n"
      + "Content-Type: image/jpeg; name=a.jpg\nContent-Transfer-Encoding: x-uuencode\n\n"
      + "begin 644 a.jpg\n\(lines)`\nend\n--b--\n"
    let stored = try await fixture.add(path: try fixture.folder.write(Array(text.utf8), to: "a.eml"))
    let shown = try await fixture.service.modules(of: stored, for: anna)
    #expect(shown.modules.map(\.kind) == [.text, .image])
    #expect(shown.modules.last?.state == .tooLarge)
    #expect(shown.modules.last?.media == nil)
    let id = try MediaService.fileID(stored)
    #expect(await code { _ = try await fixture.service.messagePart(1, of: id, for: .caller(anna)) } == "unavailable")
  }

  @Test("an mbox with one e-mail is a message, and one with several is refused with their number") func mbox()
    async throws
  {
    let fixture = try await ServiceFixture()
    let separator = Data("From ana@example.org Mon Nov 23 09:30:00 2026\r\n".utf8)
    let one = separator + Self.mail(try photo())
    let stored = try await fixture.add(path: try fixture.folder.write(Array(one), to: "one.mbox"))
    #expect(try await fixture.service.modules(of: stored, for: anna).subject == "café")
    let two = try fixture.folder.write(Array(one + Data("\r\n".utf8) + one), to: "two.mbox")
    let several = try await fixture.add(path: two)
    #expect(await code { _ = try await fixture.service.modules(of: several, for: anna) } == "unavailable")
  }

  @Test("after 64 files of a mail, the others are shown as their parts declare them, and each can be fetched")
  func limits() async throws {
    let fixture = try await ServiceFixture()
    let bytes = Array(Self.mail(try photo(), files: 70))
    let stored = try await fixture.add(path: try fixture.folder.write(bytes, to: "many.eml"))
    let shown = try await fixture.service.modules(of: stored, for: anna).modules
    // With the text and the file that is in the text.
    #expect(shown.count == 72)
    #expect(shown[70].kind == .image)
    #expect(shown[70].icon != nil)
    #expect(shown[70].media?.hasPrefix("/v1/attachments/\(stored)/parts/70") == true)
    let id = try MediaService.fileID(stored)
    let last = try await fixture.service.messagePart(70, of: id, for: .caller(anna))
    #expect(last.content.bytes == [0, 0, 0])
    #expect(await code { _ = try await fixture.service.messagePart(72, of: id, for: .caller(anna)) } == "notFound")
  }
}
