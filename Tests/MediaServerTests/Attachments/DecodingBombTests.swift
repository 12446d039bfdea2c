internal import HTTPTypes
internal import MediaLibrary
internal import TestSupport
internal import Testing

@testable internal import MediaServer

/// Small files that would be gigabytes when they are decoded (attack 13 of the service's threat model). HostileContentTests has a PNG.
@Suite struct DecodingBombTests {
  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func big(_ number: Int, _ count: Int = 4) -> [UInt8] { little(number, count).reversed() }

  /// A GIF of 65,535 by 65,535 pixels.
  private static var gif: [UInt8] {
    Array("GIF89a".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF]
      + [0x2C, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 2, 2, 0x4C, 1, 0, 0x3B]
  }

  /// A TIFF of 65,520 by 65,520 pixels in one tile.
  private static var tiff: [UInt8] {
    let (short, long) = (3, 4)
    let entries = [
      (256, long, 65_520), (257, long, 65_520), (258, short, 8), (259, short, 1), (262, short, 1), (277, short, 1),
      (322, long, 65_520), (323, long, 65_520), (324, long, 8), (325, long, 1),
    ]
    return Array("II*\0".utf8) + little(8, 4) + little(entries.count, 2)
      + entries.flatMap { little($0.0, 2) + little($0.1, 2) + little(1, 4) + little($0.2, 4) } + little(0, 4)
  }

  /// A photo whose frame header states 64,250 by 64,250 pixels, as lottapixel.jpg does.
  private static func jpeg() throws -> [UInt8] {
    var bytes = try Fixture.bytes("camera-roll/IMG_0001.jpg")
    var at = 2
    while at + 9 < bytes.count, bytes[at] == 0xFF, ![0xC0, 0xC2].contains(bytes[at + 1]) {
      at += 2 + Int(bytes[at + 2]) << 8 + Int(bytes[at + 3])
    }
    try #require(bytes[at] == 0xFF)
    bytes.replaceSubrange(at + 5..<at + 9, with: [0xFA, 0xFA, 0xFA, 0xFA])
    return bytes
  }

  @Test(arguments: ["bomb.gif", "bomb.tif", "bomb.jpg"])
  func `An image that claims billions of pixels is not decoded, and the next file is served`(name: String) async throws
  {
    let client = try await RouteClient()
    let bytes =
      switch name {
      case "bomb.gif": Self.gif
      case "bomb.tif": Self.tiff
      default: try Self.jpeg()
      }
    let id = try await client.add(path: try client.folder.write(bytes, to: name), name: name).rawValue
    for size in ["64.webp", "grid", "view.jpeg"] {
      let answer = try await client.send(.get, "/v1/attachments/\(id)/renditions/\(size)", as: .alice)
      #expect(answer.status == 422, "\(size)")
      #expect(answer["code"] == .string("unavailable"), "\(size)")
    }
    let facts = try await client.send(.get, "/v1/attachments/\(id)", as: .alice)
    #expect(facts.status == 200)
    try await expectGood(client)
  }

  @Test func `An animation of ten thousand frames is drawn or refused, and the next file is served`() async throws {
    let client = try await RouteClient()
    let path = try client.folder.write(Self.animation(frames: 10_000), to: "bomb.png")
    let id = try await client.add(path: path, name: "bomb.png").rawValue
    let answer = try await client.send(.get, "/v1/attachments/\(id)/renditions/64.webp", as: .alice)
    #expect([200, 422].contains(answer.status))
    try await expectGood(client)
  }

  private func expectGood(_ client: RouteClient) async throws {
    let good = try await client.add("camera-roll/IMG_0001.jpg").rawValue
    #expect(try await client.send(.get, "/v1/attachments/\(good)/renditions/64.webp", as: .alice).status == 200)
  }

  /// An animated PNG of frames of one pixel each.
  private static func animation(frames: Int) -> [UInt8] {
    // A stored block of zlib: no filter, and black without alpha.
    let pixel: [UInt8] = [0x78, 1, 1, 5, 0, 0xFA, 0xFF, 0, 0, 0, 0, 0, 0, 5, 0, 1]
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += chunk("IHDR", big(1) + big(1) + [8, 6, 0, 0, 0]) + chunk("acTL", big(frames) + big(0))
    var sequence = 0
    for frame in 0..<frames {
      bytes += chunk("fcTL", big(sequence) + big(1) + big(1) + big(0) + big(0) + [0, 1, 0, 10, 0, 0])
      sequence += 1
      guard frame > 0 else {
        bytes += chunk("IDAT", pixel)
        continue
      }
      bytes += chunk("fdAT", big(sequence) + pixel)
      sequence += 1
    }
    return bytes + chunk("IEND", [])
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let named = Array(type.utf8) + content
    return big(content.count) + named + big(Int(crc32(named)))
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ (crc >> 1) : crc >> 1 }
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
  }
}
