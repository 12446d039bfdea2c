internal import MediaModel
internal import MetadataStripping
internal import TestSupport
internal import Testing

@Suite("Metadata of TIFF images") struct TIFFMetadataTests {
  private typealias Entry = SyntheticTIFF.Entry

  private func strip(_ file: [UInt8]) -> [UInt8]? {
    MetadataStripper.stripKeepingAppearance(file, type: .tiff, orientation: .right)
  }

  private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let part = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: part) }
  }

  private static let kept = [256, 257, 258, 259, 262, 273, 274, 277, 278, 279, 282, 34_675]

  /// A page with all kinds of metadata; every text has the word "secret".
  private func makePhoto(isLittleEndian: Bool) -> (tiff: SyntheticTIFF, data: Int) {
    var tiff = SyntheticTIFF(isLittleEndian: isLittleEndian)
    let data = tiff.add([1, 2, 3, 4])
    let exif = tiff.add(directory: [.text(36_867, "secret time"), .octets(37_500, Array("secret maker".utf8))])
    let gps = tiff.add(directory: [.text(1, "N"), .text(29, "secret date")])
    let thumbnail = tiff.add(Array("secret thumbnail".utf8))
    let below = tiff.add(directory: [Entry.long(254, 1)] + SyntheticTIFF.page(data: thumbnail, bytes: 16))
    var resolution = Entry.octets(282, [1, 2, 3, 4, 5, 6, 7, 8], type: 5)
    resolution.count = 1
    var entries = SyntheticTIFF.page(data: data)
    entries += [
      .text(270, "secret title"), .text(271, "secret maker"), .short(274, 6), resolution, .text(305, "sec"),
      .long(330, below), .octets(700, Array("<x>secret</x>".utf8), type: 1),
      .octets(33_723, Array("secret words".utf8)), .long(34_665, exif), .octets(34_675, Array("profile".utf8)),
      .long(34_853, gps), .octets(50_000, Array("secret future".utf8)),
    ]
    entries.sort { $0.tag < $1.tag }
    tiff.begin(at: tiff.add(directory: entries))
    _ = tiff.add(Array("secret end".utf8))
    return (tiff, data)
  }

  @Test(
    "pixels, layout, orientation and color profile stay where they are; everything else becomes zeros",
    arguments: [true, false])
  func photo(isLittleEndian: Bool) throws {
    let (tiff, data) = makePhoto(isLittleEndian: isLittleEndian)
    let result = try #require(strip(tiff.bytes))
    #expect(result.count == tiff.bytes.count)
    #expect(Array(result[data..<(data + 4)]) == [1, 2, 3, 4])
    #expect(tiff.pages(of: result) == [Self.kept])
    #expect(contains(result, "profile"))
    for text in ["secret", "sec\0"] { #expect(!contains(result, text), "\(text)") }
    #expect(strip(result) == result)
  }

  @Test("a file without metadata is not changed") func clean() {
    var tiff = SyntheticTIFF()
    let data = tiff.add([1, 2, 3, 4])
    tiff.begin(at: tiff.add(directory: SyntheticTIFF.page(data: data)))
    #expect(strip(tiff.bytes) == tiff.bytes)
  }

  @Test("pages stay in their order, without those that are reduced versions of others") func pages() throws {
    var tiff = SyntheticTIFF()
    let (data, secret) = (tiff.add([1, 2, 3, 4]), tiff.add(Array("secret".utf8)))
    let page = SyntheticTIFF.page(data: data)
    let small = SyntheticTIFF.page(data: secret, bytes: 6)
    let last = tiff.add(directory: [Entry.short(255, 2)] + small)
    let second = tiff.add(directory: [Entry.long(254, 2)] + page, next: last)
    let reduced = tiff.add(directory: [Entry.long(254, 1)] + small, next: second)
    let first = tiff.add(directory: page, next: reduced)
    tiff.begin(at: tiff.add(directory: [Entry.long(254, 1)] + small, next: first))
    let result = try #require(strip(tiff.bytes))
    #expect(tiff.number(result, 4, 4) == first)
    #expect(tiff.pages(of: result) == [page.map(\.tag), [254] + page.map(\.tag)])
    #expect(!contains(result, "secret"))
    #expect(strip(result) == result)
  }

  @Test("a file with only reduced pages is not stripped, whether or not the image is below one of them")
  func reduced() {
    for hasImageBelow in [false, true] {
      var tiff = SyntheticTIFF()
      let data = tiff.add([1, 2, 3, 4])
      let below = tiff.add(directory: SyntheticTIFF.page(data: data))
      var entries = [Entry.long(254, 1)] + SyntheticTIFF.page(data: data)
      if hasImageBelow { entries.append(.long(330, below)) }
      tiff.begin(at: tiff.add(directory: entries))
      #expect(strip(tiff.bytes) == nil, "\(hasImageBelow)")
    }
  }

  @Test("a file with an image below a page that is no reduced version, or sensor data, is not stripped")
  func imageBelow() {
    func file(_ change: (inout [Entry]) -> Void) -> [UInt8] {
      var tiff = SyntheticTIFF()
      let data = tiff.add([1, 2, 3, 4])
      var image = [Entry.long(254, 1)] + SyntheticTIFF.page(data: tiff.add([5, 6, 7, 8]))
      change(&image)
      let below = tiff.add(directory: image)
      tiff.begin(at: tiff.add(directory: SyntheticTIFF.page(data: data) + [.long(330, below)]))
      return tiff.bytes
    }
    #expect(strip(file { _ in }) != nil)
    #expect(strip(file { $0.removeFirst() }) == nil)
    #expect(strip(file { $0[0] = .long(254, 0) }) == nil)
    #expect(strip(file { $0[5] = .short(262, 32_803) }) == nil)
  }

  /// A page with two strips of JPEG, and tables.
  private func jpeg(_ strips: [[UInt8]], tables: [UInt8]) -> SyntheticTIFF {
    var tiff = SyntheticTIFF()
    let offsets = strips.map { tiff.add($0) }
    var entries = SyntheticTIFF.page(data: 0).filter { ![259, 273, 279].contains($0.tag) }
    entries += [.short(259, 7), .longs(273, offsets), .longs(279, strips.map(\.count)), .octets(347, tables)]
    entries.sort { $0.tag < $1.tag }
    tiff.begin(at: tiff.add(directory: entries))
    return tiff
  }

  private func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] { [0xFF, marker, 0, UInt8(body.count + 2)] + body }

  @Test("comments and application data of JPEG strips become comments of zeros; coded data stays")
  func segments() throws {
    let (start, end): ([UInt8], [UInt8]) = ([0xFF, 0xD8], [0xFF, 0xD9])
    let secret = Array("secret".utf8)
    let jfif: [UInt8] = Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 1, 1, 9, 9, 9]
    let scan: [UInt8] = segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56]
    let strip = [start, segment(0xE0, jfif), segment(0xE1, Array("Exif secret".utf8)), scan].flatMap { $0 }
    let first = [strip, segment(0xFE, secret), scan, end, secret].flatMap { $0 }
    let tables = [start, segment(0xDB, [1, 2]), segment(0xFE, secret), end].flatMap { $0 }
    let tiff = jpeg([first, strip + end], tables: tables)
    let result = try #require(self.strip(tiff.bytes))
    #expect(!contains(result, "secret"))
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    let header = segment(0xE0, Array(jfif.prefix(12)) + zeros(5))
    let expected = [start, header, segment(0xFE, zeros(11)), scan, segment(0xFE, zeros(6)), scan, end].flatMap { $0 }
    #expect(Array(result[8..<(8 + expected.count)]) == expected)
    #expect(self.strip(result) == result)
    let garbage: [UInt8] = start + [1]
    for broken in [Array(strip.dropFirst()) + end, strip, garbage + strip.dropFirst(2) + end] {
      #expect(self.strip(jpeg([broken, first], tables: tables).bytes) == nil)
    }
  }

  @Test("a file in which kept data and removed data overlap is not stripped") func overlapping() {
    var tiff = SyntheticTIFF()
    let data = tiff.add([1, 2, 3, 4] + Array("secret".utf8))
    tiff.begin(at: tiff.add(directory: SyntheticTIFF.page(data: data, bytes: 8)))
    #expect(strip(tiff.bytes) != nil)
    let removed = Entry(tag: 700, type: 1, count: 6, values: [data + 4], width: 4)
    tiff.begin(at: tiff.add(directory: SyntheticTIFF.page(data: data, bytes: 8) + [removed]))
    #expect(strip(tiff.bytes) == nil)
    // Pixels in the directory.
    var other = SyntheticTIFF()
    other.begin(at: other.add(directory: SyntheticTIFF.page(data: 8)))
    #expect(strip(other.bytes) == nil)
  }

  @Test("what the kept tags do not describe is not stripped: camera raws, old JPEG, unknown compressions, missing data")
  func unsupported() {
    func file(_ change: (inout [Entry]) -> Void) -> [UInt8] {
      var tiff = SyntheticTIFF()
      var entries = SyntheticTIFF.page(data: tiff.add([1, 2, 3, 4]))
      change(&entries)
      tiff.begin(at: tiff.add(directory: entries))
      return tiff.bytes
    }
    #expect(strip(file { _ in }) != nil)
    func replacing(_ entry: Entry) -> [UInt8] {
      file { entries in entries = entries.map { $0.tag == entry.tag ? entry : $0 } }
    }
    for entry in [Entry.short(262, 32_803), .short(259, 6), .short(259, 34_712), .long(279, 999), .long(273, 8, 8)] {
      #expect(strip(replacing(entry)) == nil, "\(entry)")
    }
    for tag in [262, 273, 279] { #expect(strip(file { $0.removeAll { $0.tag == tag } }) == nil, "\(tag)") }
    #expect(strip(file { $0.append(.long(279, 4)) }) == nil, "twice")
    #expect(strip([0x49, 0x49, 43, 0] + file { _ in }.dropFirst(4)) == nil, "BigTIFF")
  }

  @Test("pages in a circle, and directories within each other, end") func circles() {
    var tiff = SyntheticTIFF()
    let data = tiff.add([1, 2, 3, 4])
    let next = tiff.bytes.count
    tiff.begin(at: tiff.add(directory: SyntheticTIFF.page(data: data), next: next))
    #expect(strip(tiff.bytes) == nil)
    // A directory that has itself below it: it is read once.
    var nested = SyntheticTIFF()
    let pixels = nested.add([1, 2, 3, 4])
    let below = nested.add(directory: [.long(34_665, nested.bytes.count)])
    nested.begin(at: nested.add(directory: SyntheticTIFF.page(data: pixels) + [.long(34_665, below)]))
    #expect(strip(nested.bytes) != nil)
  }

  @Test("files of other programs keep the bytes of their pixels", arguments: ["plain.tif", "picture.tif", "pages.tif"])
  func files(name: String) throws {
    let file = try Fixture.bytes("formats/\(name)")
    let result = try #require(strip(file))
    #expect(result.count == file.count)
    #expect(strip(result) == result)
    let tiff = SyntheticTIFF(isLittleEndian: file.first == 0x49)
    let strips = tiff.strips(of: file)
    #expect(!strips.isEmpty)
    #expect(tiff.strips(of: result) == strips)
    let areSame = strips.allSatisfy { result[$0] == file[$0] }
    #expect(areSame)
  }

  @Test("a small second page without a type is removed as the thumbnail of a page with Exif; no other one is")
  func exifThumbnail() {
    func pages(_ tag: Int, _ size: Int) -> Int? {
      var tiff = SyntheticTIFF()
      let (data, thumbnail) = (tiff.add([UInt8](repeating: 1, count: 16)), tiff.add([1, 2, 3, 4]))
      let second = tiff.add(directory: SyntheticTIFF.page(data: thumbnail))
      var first = SyntheticTIFF.page(data: data, bytes: 16).filter { $0.tag > 257 }
      first = [.short(256, size), .short(257, size)] + first
      let exif = tiff.add(directory: [.text(36_867, "secret time")])
      tiff.begin(at: tiff.add(directory: first + [.long(tag, exif)], next: second))
      return strip(tiff.bytes).map { tiff.pages(of: $0).count }
    }
    #expect(pages(34_665, 4) == 1)
    #expect(pages(34_665, 2) == 2, "not smaller")
    #expect(pages(34_853, 4) == 2, "no Exif")
  }

  @Test("kept tags are numbers, except the color profile and the tables of JPEG, which only pages of JPEG have")
  func types() {
    func file(_ entry: Entry) -> [UInt8]? {
      var tiff = SyntheticTIFF()
      let page = SyntheticTIFF.page(data: tiff.add([1, 2, 3, 4]))
      tiff.begin(at: tiff.add(directory: page + [entry]))
      return strip(tiff.bytes)
    }
    #expect(file(.octets(34_675, Array("profile".utf8))) != nil)
    #expect(file(.short(284, 1)) != nil)
    #expect(file(.text(284, "secret")) == nil)
    #expect(file(.octets(301, Array("secret".utf8))) == nil)
    #expect(file(.octets(347, Array("secret".utf8))) == nil)
  }

  @Test("a directory has at most 4,096 entries, and all directories have at most 262,144") func entries() {
    func directory(_ count: Int) -> SyntheticTIFF {
      var tiff = SyntheticTIFF()
      let page = SyntheticTIFF.page(data: tiff.add([1, 2, 3, 4]))
      let others = [Entry](repeating: .short(60_000, 0), count: count - page.count)
      tiff.begin(at: tiff.add(directory: page + others))
      return tiff
    }
    #expect(strip(directory(4_096).bytes) != nil)
    #expect(strip(directory(4_097).bytes) == nil)
    var tiff = directory(4_096)
    var next = tiff.number(tiff.bytes, 4, 4)
    let table = Array(tiff.bytes[next...].dropLast(4))
    for _ in 0..<64 { next = tiff.add(table + tiff.number(next, 4)) }
    tiff.begin(at: next)
    #expect(strip(tiff.bytes) == nil)
  }

  @Test("cut off anywhere, or with any octets changed, a file is refused, or stripped once and for all")
  func damaged() {
    print("seed 19")
    var random = SeededGenerator(seed: 19)
    for isLittleEndian in [true, false] {
      let file = makePhoto(isLittleEndian: isLittleEndian).tiff.bytes
      for length in 0..<file.count { check(Array(file[..<length])) }
      for _ in 0..<3_000 {
        var other = file
        for _ in 0...random.below(3) { other[random.below(other.count)] = UInt8(random.below(256)) }
        check(other)
      }
    }
  }

  private func check(_ file: [UInt8]) {
    guard let result = strip(file) else { return }
    #expect(result.count == file.count)
    #expect(strip(result) == result)
  }
}
