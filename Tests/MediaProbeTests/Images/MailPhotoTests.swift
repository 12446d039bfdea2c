internal import Foundation
internal import Mail
internal import MediaModel
internal import MediaProbe
internal import TestSupport
internal import Testing

/// What a mail client knows of a photo that it has not fetched: the list of parts, then the first octets of one part.
@Suite struct MailPhotoTests {
  private static let photos = [
    "IMG_0001.jpg", "IMG_0002.jpg", "IMG_0003.jpg", "IMG_0004.jpg", "IMG_0005.jpg", "IMG_0006.heic", "IMG_0007.avif",
    "IMG_0010.jpg", "IMG_0011.jpg", "Screenshot_20240503-182210.png", "sticker.webp",
  ].map { "camera-roll/\($0)" }

  /// The facts in the first octets of a photo as the part of a mail, and the octets that were fetched.
  private func fetched(_ photo: [UInt8]) throws -> (info: MediaInfo, steps: Int, octets: Int) {
    let lines: Data.Base64EncodingOptions = [
      .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
    ]
    let body = Array(Data(photo).base64EncodedString(options: lines).utf8)
    let line = "(\"image\" \"jpeg\" (\"name\" \"a.jpg\") NIL NIL \"base64\" \(body.count))"
    let part = try #require(MailStructure(bodyStructure: Array(line.utf8)).parts.first)
    var decoder = MailPartDecoder(encoding: part.encoding)
    var content: [UInt8] = []
    var info = MediaInfo(type: .octetStream, bytes: 0)
    for (step, count) in [16_384, 65_536].enumerated() {
      // BODY.PEEK[1]<offset.count>
      let end = min(body.count, part.encodedOctets(forDecoded: count))
      content += decoder.feed(body[decoder.encodedOctets..<end])
      info = MediaProber().facts(of: try MediaInput(bytes: content))
      if info.width != nil || end == body.count { return (info, step + 1, end) }
    }
    return (info, 2, decoder.encodedOctets)
  }

  @Test("Size and orientation are in the first 16 KiB", arguments: photos) func sizeAndOrientationAreInTheFirst16KiB(
    path: String
  ) throws {
    let photo = try Fixture.bytes(path)
    let whole = MediaProber().facts(of: try MediaInput(bytes: photo))
    let (info, steps, octets) = try fetched(photo)
    #expect(steps == 1)
    #expect(octets < 23_000)
    #expect(info.type == whole.type)
    #expect(whole.width != nil)
    #expect(info.width == whole.width)
    #expect(info.height == whole.height)
    #expect(info.orientation == whole.orientation)
  }

  @Test("A photo with long metadata needs 64 KiB") func aPhotoWithLongMetadataNeeds64KiB() throws {
    var photo = try Fixture.bytes("camera-roll/IMG_0002.jpg")
    // 40,000 octets of Photoshop's metadata (APP13) before all other segments.
    photo.insert(contentsOf: [0xFF, 0xED, 0x9C, 0x42] + [UInt8](repeating: 0, count: 40_000), at: 2)
    let (info, steps, octets) = try fetched(photo)
    #expect(steps == 2)
    #expect(octets < 91_000)
    #expect(info.width == 900)
    #expect(info.height == 1_600)
    #expect(info.orientation?.rawValue == 6)
  }
}
