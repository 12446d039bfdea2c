internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import Thumbnails

/// Our own readers of old formats on what their fixtures (`formats/*.bmp`, `*.ico`, `*.cur`, `*.wbmp`) do not have.
@Suite struct BitmapReaderTests {
  private func le16(_ value: Int) -> [UInt8] { (0..<2).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
  private func le32(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

  private func header(
    _ width: Int, _ height: Int, bits: Int, compression: Int, length: Int = 40, colors: Int = 0
  ) -> [UInt8] {
    le32(length) + le32(width) + le32(height) + le16(1) + le16(bits) + le32(compression)
      + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + le32(colors) + [0, 0, 0, 0]
  }

  /// The pixels; their memory lives no longer than their owner.
  private func copy(_ pixels: BitmapPixels) -> [UInt8] { withExtendedLifetime(pixels) { Array(pixels.rgba) } }

  /// The pixels of a bitmap whose rows follow its header at once.
  private func pixels(_ bytes: [UInt8]) throws -> [UInt8]? {
    try bytes.withUnsafeBytes { raw in
      let file = BitmapBytes(bytes: raw)
      guard let bitmap = DeviceBitmap(file, at: 0) else { return nil }
      return copy(try bitmap.pixels(at: bitmap.headerEnd, rows: bitmap.height, maxPixels: 1_000))
    }
  }

  @Test(
    arguments: [
      // The widest mask and the narrowest; none at all is black.
      ([0xFFFF_FFFF, 1, 0x8000_0000], [0xFF, 0xFF, 0xFF, 0xFF], [255, 255, 255]),
      ([0xFFFF_FFFF, 1, 0x8000_0000], [0, 0, 0, 0x80], [128, 0, 255]),
      ([0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0]),
      // Masks that lie over one another, and one with a hole.
      ([0xFF, 0xFF, 0xF0F], [0x80, 0, 0, 0], [128, 128, 0]),
    ] as [([Int], [UInt8], [UInt8])])
  func `Any mask gives a level`(masks: [Int], pixel: [UInt8], rgb: [UInt8]) throws {
    let found = try pixels(header(1, 1, bits: 32, compression: 3) + masks.flatMap(le32) + pixel)
    #expect(found.map { Array($0.prefix(3)) } == rgb)
    #expect(found?.last == 255)
  }

  @Test func `Indices beyond a short palette are black`() throws {
    let rows: [UInt8] = [0b0110_0000, 0, 0, 0]
    let one = header(3, 1, bits: 1, compression: 0, colors: 1) + [9, 8, 7, 0] + rows
    #expect(try pixels(one) == [7, 8, 9, 255, 0, 0, 0, 255, 0, 0, 0, 255])
  }

  @Test func `Missing rows are transparent and reported`() throws {
    let bytes = header(2, 2, bits: 32, compression: 3) + le32(0xFF) + le32(0xFF00) + le32(0xFF_0000) + [1, 2, 3, 0]
    try bytes.withUnsafeBytes { raw in
      let bitmap = try #require(DeviceBitmap(BitmapBytes(bytes: raw), at: 0))
      let pixels = try bitmap.pixels(at: bitmap.headerEnd, rows: 2, maxPixels: 4)
      #expect(pixels.isCut)
      #expect(copy(pixels) == [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 255, 0, 0, 0, 0])
    }
  }

  @Test func `An incomplete row is missing`() throws {
    let bytes = header(7, 1, bits: 1, compression: 0) + [UInt8](repeating: 0, count: 8)
    try bytes.withUnsafeBytes { raw in
      let bitmap = try #require(DeviceBitmap(BitmapBytes(bytes: raw), at: 0))
      #expect(try bitmap.pixels(at: bitmap.headerEnd, rows: 1, maxPixels: 7).isCut)
    }
  }

  /// libvips would make a side of one pixel of it.
  @Test func `A side beyond the libvips maximum is refused`() throws {
    #expect(throws: MediaFailure.self) { try BitmapPixels(width: 1, height: 10_000_001, maxPixels: 20_000_000) }
    #expect(try BitmapPixels(width: 1, height: 10_000_000, maxPixels: 20_000_000).image().height == 10_000_000)
  }

  @Test func `A passed deadline ends reading`() throws {
    let bytes = header(1, 1, bits: 24, compression: 0) + [1, 2, 3, 0]
    try bytes.withUnsafeBytes { raw in
      let bitmap = try #require(DeviceBitmap(BitmapBytes(bytes: raw) { true }, at: 0))
      let failure = #expect(throws: MediaFailure.self) {
        try bitmap.pixels(at: bitmap.headerEnd, rows: 1, maxPixels: 1)
      }
      #expect(failure?.code == .timedOut)
    }
  }

  @Test func `Implausible sizes are refused`() throws {
    for (width, height) in [(0, 1), (-1, 1), (1, 0), (0x7FFF_FFFF, 0x7FFF_FFFF), (1, -0x8000_0000), (2_000, 1)] {
      let bytes = header(width, height, bits: 32, compression: 0) + [UInt8](repeating: 0, count: 64)
      do {
        #expect(try pixels(bytes) == nil, "\(width)x\(height)")
      } catch {
        #expect((error as? MediaFailure)?.code == .tooManyPixels, "\(width)x\(height)")
      }
    }
    #expect(try pixels(header(1, 1, bits: 7, compression: 0)) == nil)
    #expect(try pixels(header(1, 1, bits: 24, compression: 3)) == nil)
    #expect(try pixels(header(1, 1, bits: 8, compression: 1)) == nil)
  }

  /// Every beginning of every fixture, and every fixture with one byte changed: an answer or none, never a trap.
  @Test(
    arguments: Fixture.all(in: "formats/").filter { fixture in
      [".bmp", ".ico", ".cur", ".wbmp"].contains { fixture.path.hasSuffix($0) }
    })
  func `Corruption is tolerated`(fixture: Fixture) throws {
    let whole = try Fixture.bytes(fixture.path)
    var answers = 0
    func read(_ bytes: [UInt8]) {
      bytes.withUnsafeBytes { raw in
        let file = BitmapBytes(bytes: raw)
        if (try? Icon.content(of: file, maxPixels: 100_000)) != nil { answers += 1 }
        if (try? WirelessBitmap.pixels(of: file, maxPixels: 100_000)) != nil { answers += 1 }
        if let bitmap = DeviceBitmap(file, at: 14),
          (try? bitmap.pixels(at: file.u32(10) ?? 0, rows: bitmap.height, maxPixels: 100_000)) != nil
        {
          answers += 1
        }
      }
    }
    for length in 0...min(200, whole.count) { read(Array(whole.prefix(length))) }
    for at in 0..<min(120, whole.count) {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var bytes = whole
        bytes[at] = value
        read(bytes)
      }
    }
    #expect(answers > 0)
  }

  @Test func `The largest image of an icon is used`() throws {
    let small = header(1, 2, bits: 32, compression: 0) + [10, 20, 30, 255] + [0, 0, 0, 0]
    let large =
      header(2, 4, bits: 24, compression: 0) + [1, 2, 3, 4, 5, 6, 0, 0] + [7, 8, 9, 10, 11, 12, 0, 0]
      + [0x40, 0, 0, 0, 0, 0, 0, 0]
    func entry(_ side: UInt8, _ bytes: [UInt8], at: Int) -> [UInt8] {
      [side, side, 0, 0, 1, 0, 24, 0] + le32(bytes.count) + le32(at)
    }
    let bytes =
      [0, 0, 1, 0, 2, 0] + entry(1, small, at: 38) + entry(2, large, at: 38 + small.count) + small + large
    try bytes.withUnsafeBytes { raw in
      guard case .pixels(let pixels) = try Icon.content(of: BitmapBytes(bytes: raw), maxPixels: 100) else {
        Issue.record("no pixels")
        return
      }
      // The last stored row comes first; the mask hides the right pixel of the lower one.
      #expect(copy(pixels) == [9, 8, 7, 255, 12, 11, 10, 255, 3, 2, 1, 255, 6, 5, 4, 0])
    }
  }
}
