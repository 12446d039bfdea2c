internal import Foundation
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("Originals for others than their owners (R-MYM-28)") struct HiddenLocationTests {
  private static let labelled = Caller(owner: "bob", labels: ["g"])
  private static let friend = Caller(owner: "berta", labels: ["g", "friends:alice"])
  private static let signed = MediaService.Reader.address(SignedAddress(expires: .max, generation: 0))

  private func bytes(
    of file: FileID, _ library: AttachmentLibrary, for reader: MediaService.Reader
  ) async throws -> (file: MediaService.OriginalFile, bytes: [UInt8]) {
    let original = try await library.service.original(file, for: reader)
    return (original, try await original.read(at: 0, count: original.bytes))
  }

  /// Whether a reader finds a location in an original.
  private func isLocated(
    _ file: FileID, _ library: AttachmentLibrary, for reader: MediaService.Reader
  ) async throws -> Bool {
    let info = try await library.service.engine.probe(.bytes(try await bytes(of: file, library, for: reader).bytes))
    return info.latitude != nil
  }

  @Test(
    "Who has a label or a signed URL gets an original without metadata, in every range, with an entity tag of its own",
    arguments: ["IMG_0001.jpg", "IMG_0006.heic", "IMG_0007.avif", "VID_0008.mp4", "MOV_0009.mov"])
  func stripped(name: String) async throws {
    let library = try await AttachmentLibrary()
    let file = try await library.add("camera-roll/\(name)", labels: ["g": true])
    let stored = try Fixture.bytes("camera-roll/\(name)")
    let own = try await bytes(of: file, library, for: .caller(.alice))
    #expect(own.bytes == stored)
    for reader in [MediaService.Reader.caller(Self.labelled), Self.signed] {
      let other = try await bytes(of: file, library, for: reader)
      let info = try await library.service.engine.probe(.bytes(other.bytes))
      #expect(info.latitude == nil)
      #expect(info.make == nil)
      #expect(info.width != nil)
      #expect(other.file.bytes == other.bytes.count)
      #expect(other.file.entityTag != own.file.entityTag)
      #expect(try await other.file.read(at: 100, count: 50) == Array(other.bytes[100..<150]))
      #expect(try await other.file.read(at: other.bytes.count - 1, count: 9) == [other.bytes[other.bytes.count - 1]])
    }
    #expect(try await bytes(of: file, library, for: .caller(.alice)).bytes == stored)
  }

  @Test("A friend gets the location of an original if the owner's setting and a moment of the file show it to friends")
  func friends() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let file = try await library.add("camera-roll/IMG_0001.jpg", labels: ["g": true])
    _ = try await service.setLocationSharing(.friends, for: .alice)
    #expect(try await isLocated(file, library, for: .caller(Self.friend)) == false, "no moment shows it")
    var new = MediaService.NewMoment(attachment: "\(file.rawValue)")
    new.visibility = .friends
    let moment = try await service.create(new, for: .alice)
    #expect(try await isLocated(file, library, for: .caller(Self.friend)))
    #expect(try await isLocated(file, library, for: .caller(Self.labelled)) == false)
    #expect(try await isLocated(file, library, for: Self.signed) == false)
    _ = try await service.setLocationSharing(.private, for: .alice)
    #expect(try await isLocated(file, library, for: .caller(Self.friend)) == false)
    _ = try await service.setLocationSharing(.friends, for: .alice)
    // The moment was moved, so that nobody learns where the photo was taken.
    let far = Location(latitude: 1, longitude: 1, source: .user)
    _ = try service.library.library.moments.change(
      moment, of: "alice", version: nil, at: AttachmentLibrary.now, [.location(far)])
    #expect(try await isLocated(file, library, for: .caller(Self.friend)) == false)
    #expect(try await isLocated(file, library, for: .caller(.alice)))
  }

  @Test("An original whose location cannot be removed is refused to others; its renditions are not")
  func refused() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let file = try await library.add("formats/picture.bmp", labels: ["g": true])
    let stored = try Fixture.bytes("formats/picture.bmp")
    #expect(try await bytes(of: file, library, for: .caller(Self.labelled)).bytes == stored)
    try service.library.library.catalogue.setLocation(
      of: file, Location(latitude: 46, longitude: 7, source: .user))
    let grid = try #require(MediaService.RenditionName(named: "grid", format: .webp))
    for reader in [MediaService.Reader.caller(Self.labelled), Self.signed] {
      #expect(await AttachmentLibrary.code { _ = try await service.original(file, for: reader) } == .unavailable)
      #expect(try await !service.rendition(grid, of: file, for: reader).bytes.isEmpty)
    }
    #expect(try await bytes(of: file, library, for: .caller(.alice)).bytes == stored)
    // The location is gone from the row, and may still be in the file.
    try service.library.library.catalogue.setLocation(of: file, nil)
    #expect(
      await AttachmentLibrary.code { _ = try await service.original(file, for: .caller(Self.labelled)) }
        == .unavailable)
  }

  @Test("A document is read by others as it is stored") func documents() async throws {
    let library = try await AttachmentLibrary()
    for name in ["boarding-pass.pdf", "notes.txt", "ada.vcf"] {
      let file = try await library.add("camera-roll/\(name)", labels: ["g": true])
      let stored = try Fixture.bytes("camera-roll/\(name)")
      #expect(try await bytes(of: file, library, for: .caller(Self.labelled)).bytes == stored, "\(name)")
    }
  }

  @Test("A mail is refused to others as a whole; they read its photos, without location") func mails() async throws {
    let library = try await AttachmentLibrary()
    let service = library.service
    let photo = Data(try Fixture.bytes("camera-roll/IMG_0001.jpg")).base64EncodedString()
    let lines = [
      "From: a@example.org", "To: b@example.org", "Subject: x", "Content-Type: multipart/mixed; boundary=b", "", "--b",
      "Content-Type: image/jpeg; name=a.jpg", "Content-Transfer-Encoding: base64", "", photo, "--b--", "",
    ]
    let path = try library.folder.write(Array(lines.joined(separator: "\r\n").utf8), to: "a.eml")
    let file = try await library.add(path: path, name: "a.eml", labels: ["g": true])
    #expect(
      await AttachmentLibrary.code { _ = try await service.original(file, for: .caller(Self.labelled)) }
        == .unavailable)
    let own = try await service.messagePart(1, of: file, for: .caller(.alice)).content
    #expect(try await service.engine.probe(.bytes(own.bytes)).latitude != nil)
    let others = try await service.messagePart(1, of: file, for: .caller(Self.labelled)).content
    #expect(try await service.engine.probe(.bytes(others.bytes)).latitude == nil)
  }

  @Test("A moderator reads an original without its location, as others do") func moderator() async throws {
    let library = try await AttachmentLibrary()
    let file = try await library.add("camera-roll/IMG_0001.jpg")
    let original = try await library.service.original(file, forModerator: .moderator)
    let info = try await library.service.engine.probe(
      .bytes(try await original.read(at: 0, count: original.bytes)))
    #expect(info.latitude == nil)
  }
}
