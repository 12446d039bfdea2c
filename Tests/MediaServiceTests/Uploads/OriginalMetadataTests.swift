internal import AttachmentPolicy
internal import Foundation
internal import MediaEngine
internal import MediaLibrary
internal import MediaModel
internal import MetadataStripping
internal import TestSupport
internal import Testing

@testable internal import MediaService

@Suite("The rule for metadata of originals: keep, strip, refuse") struct OriginalMetadataTests {
  private func attach(_ bytes: [UInt8], _ name: String, to kit: UploadKit) async throws -> IngestedAttachment {
    try await kit.service.attach(
      Pieces(bytes), length: bytes.count,
      claims: Upload.Claims(name: name, digest: UploadKit.sha256(bytes)), for: UploadKit.ada)
  }

  /// The reasons for which an upload is refused.
  private func reasons(_ bytes: [UInt8], _ name: String, in kit: UploadKit) async throws -> [String] {
    do {
      _ = try await attach(bytes, name, to: kit)
      return []
    } catch let error as ServiceError {
      #expect(error.code == .refused)
      return error.verdict?.files.flatMap(\.reasons).map(\.code.rawValue) ?? []
    }
  }

  /// What exiftool finds of location, camera and XMP in files.
  private func metadata(in folder: String) throws -> String {
    let output = try Tool("exiftool", package: "libimage-exiftool-perl").run([
      "-r", "-q", "-q", "-a", "-u", "-ee", "-G1", "-s", "-gps*", "-*location*", "-make", "-model", "-xmp:all",
      "-ext", "*", folder,
    ])
    return output.text
  }

  @Test("originals keep their metadata by default") func keep() async throws {
    let kit = try await UploadKit.open()
    let photo = try UploadKit.photo()
    let added = try await attach(photo, "a.jpg", to: kit)
    #expect(try await kit.original(added.id) == photo)
    #expect(added.info.latitude != nil)
    // The check that the other tests make can fail.
    #expect(try metadata(in: kit.folder.path("library")).contains("GPSLatitude"))
  }

  @Test(
    "with strip, nothing on the disk has metadata, and the image looks as before",
    arguments: ["IMG_0001.jpg", "IMG_0006.heic", "IMG_0007.avif", "sticker.webp", "VID_0008.mp4"])
  func strip(name: String) async throws {
    let kit = try await UploadKit.open { $0.originals = .strip }
    let sent = try Fixture.bytes("camera-roll/\(name)")
    let added = try await attach(sent, name, to: kit)
    let stored = try #require(try await kit.original(added.id))
    #expect(stored != sent)
    #expect(added.info.sha256 == UploadKit.sha256(stored).map { String(format: "%02x", $0) }.joined())
    #expect(added.info.latitude == nil)
    #expect(added.info.width != nil)
    #expect(try metadata(in: kit.folder.path("library")).isEmpty)
    #expect(try kit.folder.files(containing: Array("Kestrel".utf8)).isEmpty)
    #expect(try kit.parts().isEmpty)
    let request = MediaPreview.Request(renditions: RenditionRequest.named("grid").map { [$0] } ?? [])
    let engine = kit.service.engine
    let before = try await engine.preview(.bytes(sent), request, domain: .owner("ada"))
    let after = try await engine.preview(.bytes(stored), request, domain: .owner("ada"))
    #expect(before.thumbnails.error == nil)
    #expect(after.thumbnails.renditions.map(\.data) == before.thumbnails.renditions.map(\.data))
    // What is stored without metadata is delivered as it is stored.
    let original = try await kit.service.original(added.id, for: .caller(UploadKit.ada))
    #expect(try await original.read(at: 0, count: original.bytes) == stored)
    #expect(!original.entityTag.contains("stripped"))
  }

  /// A video above 64 MiB: after the video is a box of padding, in which a name is.
  private struct LargeVideo {
    let sent: [UInt8]
    let stripped: [UInt8]
    /// Where the content of the padding begins.
    let padding: Int

    init() throws {
      let video = try Fixture.bytes("camera-roll/VID_0008.mp4")
      let bytes = 70_000_000
      let header: [UInt8] = [0x04, 0x2C, 0x1D, 0x80] + Array("skip".utf8)
      var content = [UInt8](repeating: 0x4B, count: bytes - header.count)
      content.replaceSubrange(40_000_000..<40_000_007, with: Array("Kestrel".utf8))
      sent = video + header + content
      padding = video.count + header.count
      let expected = try #require(MetadataStripper.strip(video, type: MediaType("video/mp4")))
      stripped = expected + header + [UInt8](repeating: 0, count: content.count)
    }
  }

  @Test("with strip, a video above 64 MiB is stored without metadata, and all other bytes as they were") func large()
    async throws
  {
    let kit = try await UploadKit.open {
      $0.originals = .strip
      $0.rules = AttachmentRules()
    }
    let video = try LargeVideo()
    let added = try await attach(video.sent, "a.mp4", to: kit)
    let isStripped = try await kit.original(added.id) == video.stripped
    #expect(isStripped)
    #expect(added.info.sha256 == UploadKit.sha256(video.stripped).map { String(format: "%02x", $0) }.joined())
    #expect(try metadata(in: kit.folder.path("library")).isEmpty)
    #expect(try kit.parts().isEmpty)
    let refusing = try await UploadKit.open {
      $0.originals = .refuse
      $0.rules = AttachmentRules()
    }
    #expect(try await reasons(video.sent, "a.mp4", in: refusing) == ["metadata"])
    #expect(try await reasons(video.stripped, "a.mp4", in: refusing) == [])
  }

  @Test("a video above 64 MiB that was stored before is delivered without metadata, in ranges") func largeDelivery()
    async throws
  {
    let first = try await UploadKit.open { $0.rules = AttachmentRules() }
    let video = try LargeVideo()
    let id = try await attach(video.sent, "a.mp4", to: first).id
    let kit = try await first.restarted { $0.originals = .strip }
    let original = try await kit.service.original(id, for: .caller(UploadKit.ada))
    #expect(original.bytes == video.sent.count)
    #expect(original.entityTag.contains("stripped"))
    let isStripped = try await original.read(at: 0, count: original.bytes) == video.stripped
    #expect(isStripped)
    for offset in [0, video.padding - 10, video.padding + 39_999_995, original.bytes - 5] {
      let range = try await original.read(at: offset, count: 20)
      #expect(range == Array(video.stripped[offset..<min(offset + 20, original.bytes)]))
    }
    // What is stored is as it was sent, and read once for the plan.
    let isSame = try await kit.original(id) == video.sent
    #expect(isSame)
    #expect(try await kit.service.original(id, for: .caller(UploadKit.ada)) === original)
  }

  @Test("with strip, a HEIC loses its thumbnail, and its renditions are those of the original") func thumbnail()
    async throws
  {
    let kit = try await UploadKit.open { $0.originals = .strip }
    let sent = try Fixture.bytes("formats/thumbnail.heic")
    let added = try await attach(sent, "a.heic", to: kit)
    let stored = try #require(try await kit.original(added.id))
    #expect(stored != sent)
    let request = MediaPreview.Request(renditions: RenditionRequest.named("grid").map { [$0] } ?? [])
    let engine = kit.service.engine
    let before = try await engine.preview(.bytes(sent), request, domain: .owner("ada"))
    let after = try await engine.preview(.bytes(stored), request, domain: .owner("ada"))
    #expect(after.thumbnails.error == nil)
    #expect(!after.thumbnails.renditions.isEmpty)
    #expect(after.thumbnails.renditions.map(\.data) == before.thumbnails.renditions.map(\.data))
  }

  @Test(
    "with strip, a TIFF, a rotated PNG and an animated AVIF have nothing that exiftool finds, and look as before",
    arguments: [
      "formats/picture.tif", "formats/plain.tif", "formats/pages.tif", "color/cmyk.tif", "orientation/tiff-6.tif",
      "previews/second.tif", "previews/first.tif", "previews/below.tif", "animated/box.avif",
      "orientation/png-6.png",
    ])
  func written(name: String) async throws {
    let kit = try await UploadKit.open { $0.originals = .strip }
    let path = try kit.folder.write(Fixture.bytes(name), to: "sent-\((name as NSString).lastPathComponent)")
    _ = try Tool("exiftool", package: "libimage-exiftool-perl").output([
      "-q", "-overwrite_original", "-GPSLatitude=46.5", "-GPSLatitudeRef=N", "-GPSLongitude=7.25", "-GPSLongitudeRef=E",
      "-Make=Kestrel", "-Model=Kestrel 3", "-XMP-dc:Creator=Kestrel Smith", "-EXIF:UserComment=Kestrel", path,
    ])
    let sent = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(try metadata(in: path).contains("GPSLatitude"))
    try FileManager.default.removeItem(atPath: path)
    let added = try await attach(sent, (name as NSString).lastPathComponent, to: kit)
    let stored = try #require(try await kit.original(added.id))
    #expect(added.info.latitude == nil)
    #expect(try metadata(in: kit.folder.path("library")).isEmpty)
    #expect(try kit.folder.files(containing: Array("Kestrel".utf8)).isEmpty)
    let request = MediaPreview.Request(renditions: RenditionRequest.named("grid").map { [$0] } ?? [])
    let engine = kit.service.engine
    let before = try await engine.preview(.bytes(sent), request, domain: .owner("ada"))
    let after = try await engine.preview(.bytes(stored), request, domain: .owner("ada"))
    #expect(before.thumbnails.error == nil)
    #expect(after.thumbnails.renditions.map(\.data) == before.thumbnails.renditions.map(\.data))
  }

  @Test("with strip, the same file sent again is the same attachment, and its digest is that of what was sent")
  func again() async throws {
    let kit = try await UploadKit.open { $0.originals = .strip }
    let photo = try UploadKit.photo()
    let first = try await attach(photo, "a.jpg", to: kit)
    #expect(try await attach(photo, "b.jpg", to: kit).id == first.id)
    let wrong = Upload.Claims(name: "a.jpg", digest: UploadKit.sha256([1]))
    let code = await UploadKit.code { () throws(ServiceError) in
      _ = try await kit.service.attach(Pieces(photo), length: photo.count, claims: wrong, for: UploadKit.ada)
    }
    #expect(code == .checksumMismatch)
  }

  @Test("a file of which metadata cannot be removed is refused by strip and refuse, and nothing of it stays")
  func impossible() async throws {
    for rule in [MediaService.OriginalMetadata.strip, .refuse] {
      let kit = try await UploadKit.open { $0.originals = rule }
      let image = try Fixture.bytes("formats/picture.bmp")
      #expect(try await reasons(image, "a.bmp", in: kit) == ["metadata"])
      // The image that is shown is below a thumbnail.
      #expect(try await reasons(Fixture.bytes("previews/above.tif"), "a.tif", in: kit) == ["metadata"])
      let mail = Array("From: a@example.org\r\nSubject: x\r\n\r\nHello".utf8)
      #expect(try await reasons(mail, "a.eml", in: kit) == ["metadata"])
      #expect(try kit.parts().isEmpty)
      #expect(try await kit.service.usage(for: UploadKit.ada).files == 0)
    }
  }

  @Test("with refuse, a file with metadata is refused, and the same one without it is stored unchanged")
  func refuse() async throws {
    let kit = try await UploadKit.open { $0.originals = .refuse }
    let photo = try UploadKit.photo()
    #expect(try await reasons(photo, "a.jpg", in: kit) == ["metadata"])
    let stripping = try await UploadKit.open { $0.originals = .strip }
    let stripped = try await attach(photo, "a.jpg", to: stripping)
    let clean = try #require(try await stripping.original(stripped.id))
    let added = try await attach(clean, "a.jpg", to: kit)
    #expect(try await kit.original(added.id) == clean)
  }

  @Test("originals that were stored before the rule are delivered without metadata by strip, and not by refuse")
  func earlier() async throws {
    let kit = try await UploadKit.open()
    let photo = try UploadKit.photo()
    let id = try await attach(photo, "a.jpg", to: kit).id
    let stripping = try await kit.restarted { $0.originals = .strip }
    let original = try await stripping.service.original(id, for: .caller(UploadKit.ada))
    let delivered = try await original.read(at: 0, count: original.bytes)
    #expect(delivered.count < photo.count)
    #expect(try await stripping.service.engine.probe(.bytes(delivered), domain: .owner("ada")).latitude == nil)
    let refusing = try await stripping.restarted { $0.originals = .refuse }
    let code = await UploadKit.code { () throws(ServiceError) in
      _ = try await refusing.service.original(id, for: .caller(UploadKit.ada))
    }
    #expect(code == .unavailable)
    let keeping = try await refusing.restarted()
    #expect(try await keeping.service.original(id, for: .caller(UploadKit.ada)).bytes == photo.count)
  }

  @Test("an upload that was refused by the rule stays refused, and its bytes are removed") func resumable()
    async throws
  {
    let kit = try await UploadKit.open { $0.originals = .refuse }
    let photo = try UploadKit.photo()
    let created = try await kit.service.createUpload(
      .init(form: .tus, length: photo.count, claims: Upload.Claims(name: "a.jpg")), for: UploadKit.ada)
    for expected in [ServiceError.Code.refused, .gone] {
      let code = await UploadKit.code { () throws(ServiceError) in
        _ = try await kit.service.send(photo, to: created, at: 0, isLast: true)
      }
      #expect(code == expected)
    }
    #expect(try kit.parts().isEmpty)
  }
}
