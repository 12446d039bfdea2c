internal import MediaModel
internal import MetadataStripping
internal import TestSupport
internal import Testing

@Suite("Files without metadata that look as before") struct AppearanceTests {
  private func stripped(_ name: String, _ orientation: MediaInfo.Orientation? = nil) throws -> [UInt8]? {
    MetadataStripper.stripKeepingAppearance(
      try Fixture.bytes(name), type: name.hasSuffix("jpg") ? .jpeg : .png, orientation: orientation)
  }

  private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let text = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: text) }
  }

  @Test("a JPEG keeps its color profile, and the profile is the same bytes") func profile() throws {
    let file = try Fixture.bytes("color/display-p3.jpg")
    let result = try #require(try stripped("color/display-p3.jpg"))
    #expect(contains(result, "ICC_PROFILE\0"))
    #expect(MetadataStripper.strip(file, type: .jpeg) == nil)
    #expect(result.count <= file.count)
    #expect(MetadataStripper.stripKeepingAppearance(result, type: .jpeg, orientation: nil) == result)
  }

  @Test("a JPEG keeps its orientation and no other Exif tag", arguments: MediaInfo.Orientation.allCases)
  func orientation(_ orientation: MediaInfo.Orientation) throws {
    let result = try #require(try stripped("camera-roll/IMG_0001.jpg", orientation))
    #expect(contains(result, "Exif\0\0") == (orientation != .up))
    #expect(!contains(result, "GPS"))
    guard orientation != .up else { return }
    // A directory of one entry: tag 0x0112, type SHORT, one value.
    let entry: [UInt8] = [
      0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.rawValue),
    ]
    #expect(result.indices.contains { result[$0...].starts(with: entry) })
  }

  @Test("what would look different is not stripped: four colors, and a GIF with an orientation") func refused() throws {
    #expect(try stripped("color/cmyk.jpg") == nil)
    let gif = try Fixture.bytes("formats/picture.gif")
    #expect(MetadataStripper.stripKeepingAppearance(gif, type: .gif, orientation: .right) == nil)
  }

  @Test("a PNG keeps its orientation and no other Exif tag", arguments: MediaInfo.Orientation.allCases)
  func turned(_ orientation: MediaInfo.Orientation) throws {
    let upright = try #require(try stripped("color/rgb8.png"))
    let result = try #require(try stripped("color/rgb8.png", orientation))
    guard orientation != .up else {
      #expect(result == upright)
      return
    }
    let directory: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1]
    // Length and name of the chunk, and a directory of one entry: tag 0x0112, type SHORT, one value.
    let chunk = [0, 0, 0, 26] + Array("eXIf".utf8) + directory + [0, UInt8(orientation.rawValue), 0, 0, 0, 0, 0, 0]
    #expect(result[..<33] == upright[..<33])
    #expect(result[33..<67] == chunk[...])
    #expect(result[71...] == upright[33...])
    #expect(MetadataStripper.stripKeepingAppearance(result, type: .png, orientation: orientation) == result)
  }

  @Test("the checksum of the orientation is that of PNG") func checksum() throws {
    // By zlib.crc32 of the chunk with the value 6.
    #expect(try stripped("color/rgb8.png", .right)?[67..<71] == [0xD6, 0x67, 0x4B, 0x69])
  }

  @Test("a PNG whose header is not its first chunk is not stripped if it has an orientation") func misplacedHeader()
    throws
  {
    let file = try Fixture.bytes("color/rgb8.png")
    let physical: [UInt8] = [0, 0, 0, 9] + Array("pHYs".utf8) + [UInt8](repeating: 1, count: 13)
    let moved = Array(file[..<8]) + physical + file[8...]
    #expect(MetadataStripper.stripKeepingAppearance(moved, type: .png, orientation: .right) == nil)
  }

  @Test(
    "a PNG keeps its color profile and 16 bits a sample, and no text",
    arguments: ["display-p3.png", "adobe-rgb.png", "rgb16.png", "grey16.png", "rgb8.png"]) func png(name: String) throws
  {
    let file = try Fixture.bytes("color/\(name)")
    let text: [UInt8] = [0, 0, 0, 3] + Array("tEXta\0b".utf8) + [0, 0, 0, 0]
    // After IHDR: 8 bytes of signature, 25 of the chunk.
    let marked = Array(file[..<33]) + text + Array(file[33...])
    let result = try #require(MetadataStripper.stripKeepingAppearance(marked, type: .png, orientation: nil))
    #expect(!contains(result, "tEXt"))
    #expect(contains(result, "iCCP") == contains(file, "iCCP"))
    #expect(result[..<33] == file[..<33])
    #expect(MetadataStripper.stripKeepingAppearance(result, type: .png, orientation: nil) == result)
  }

  @Test("a message is not stripped: its files have metadata of their own") func message() {
    let mail = Array("From: a@example.org\r\n\r\nHello".utf8)
    let types = ["message/rfc822", "message/partial", "message/global", "application/mbox"].map { MediaType($0) }
    for type in types {
      #expect(MetadataStripper.stripKeepingAppearance(mail, type: type, orientation: nil) == nil)
    }
    #expect(MetadataStripper.stripKeepingAppearance(mail, type: MediaType("text/plain"), orientation: nil) == mail)
  }

  @Test("a file that is cut anywhere traps nowhere") func cut() throws {
    let file = try Fixture.bytes("color/display-p3.jpg")
    for length in stride(from: 0, to: min(file.count, 2_000), by: 7) {
      _ = MetadataStripper.stripKeepingAppearance(Array(file.prefix(length)), type: .jpeg, orientation: .right)
    }
  }
}
