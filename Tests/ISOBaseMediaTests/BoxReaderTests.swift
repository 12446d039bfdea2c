internal import ISOBaseMedia
internal import TestSupport
internal import Testing

@Suite("ISO/IEC 14496-12, 4.2: boxes") struct BoxReaderTests {
  private func boxes(_ text: String, _ strictness: BoxReader<Box.MemorySource>.Strictness = .lenient) -> [Box] {
    let source = Box.MemorySource(octets(text))
    return Array(BoxReader(source, 0..<source.count, strictness))
  }

  @Test("a size of 32 bits, of 64 bits, and 0 for the rest") func sizes() {
    let found = boxes("0000000A 'ftyp' 0102 00000001 'mdat' 0000000000000012 0304 00000000 'free' 05")
    #expect(found.map(\.type) == ["ftyp", "mdat", "free"])
    #expect(found.map(\.start) == [0, 10, 28])
    #expect(found.map(\.body) == [8..<10, 26..<28, 36..<37])
    #expect(found.map(\.fit) == [.whole, .whole, .whole])
  }

  @Test(
    "a box that does not fit is cut, ends the range or is reported",
    arguments: [
      ("00000009 'mdat'", Box.Fit.cut), ("FFFFFFFF 'mdat'", .cut), ("00000001 'mdat' FFFFFFFFFFFFFFFF", .cut),
      ("00000007 'mdat'", .malformed), ("00000001 'mdat'", .malformed),
      ("00000001 'mdat' 000000000000000F", .malformed),
    ])
  func strictness(text: String, fit: Box.Fit) {
    let file = "00000008 'ftyp' " + text
    #expect(boxes(file, .everyByte).map(\.fit) == [.whole, fit])
    #expect(boxes(file, .wholeBoxes).map(\.fit) == [.whole])
    #expect(boxes(file, .lenient).map(\.fit) == (fit == .cut ? [.whole, .cut] : [.whole]))
    #expect(boxes(file, .everyByte).last?.body.upperBound == octets(file).count)
  }

  @Test("fewer than eight bytes are no box") func shortRest() {
    #expect(boxes("00000008 'free' 00000000 'fre'", .everyByte).map(\.type) == ["free"])
    #expect(boxes("", .everyByte).isEmpty)
  }

  @Test("a limit ends the list") func limit() {
    let source = Box.MemorySource(octets("00000008 'free' 00000008 'free' 00000008 'free'"))
    #expect(Array(BoxReader(source, 0..<24, limit: 2)).count == 2)
  }

  @Test("a range outside of the source has no boxes") func outside() {
    let source = Box.MemorySource(octets("00000008 'free'"))
    #expect(Array(BoxReader(source, 8..<400)).isEmpty)
    #expect(Array(BoxReader(source, 100..<400)).isEmpty)
    #expect(Array(BoxReader(source, 0..<Int.max)).count == 1)
    #expect(Array(BoxReader(source, -8..<8)).count == 1)
  }

  @Test("a path finds the first of each type") func path() {
    let source = Box.MemorySource(octets("00000008 'free' 00000018 'moov' 00000008 'trak' 00000008 'mvhd'"))
    let reader = BoxReader(source, 0..<source.count)
    #expect(reader.first(["moov", "mvhd"])?.start == 24)
    #expect(reader.first(["moov"])?.start == 8)
    #expect(reader.first(["moov", "mvhd", "free"]) == nil)
    #expect(reader.first([]) == nil)
  }

  @Test("the kind of a uuid box is its first 16 bytes") func userType() throws {
    let text = "0000001A 'uuid' BE7ACFCB97A942E89C71999491E3AFAC 0102"
    let source = Box.MemorySource(octets(text))
    let box = try #require(BoxReader(source, 0..<source.count).first("uuid"))
    let (type, body) = try #require(box.userType(in: source))
    #expect(type == Box.UserType(0xBE7A_CFCB_97A9_42E8, 0x9C71_9994_91E3_AFAC))
    #expect(body == 24..<26)
    let short = Box.MemorySource(octets("00000017 'uuid' BE7ACFCB97A942E89C71999491E3AF"))
    #expect(BoxReader(short, 0..<short.count).first("uuid")?.userType(in: short) == nil)
  }

  @Test("a full box begins with version and flags") func fullBox() {
    let source = Box.MemorySource(octets("01 000203 00000000FFFFFFFF FFFFFFFFFFFFFFFF 0A"))
    var cursor = Box.Cursor(source, 0..<source.count)
    let full = cursor.fullBox()
    #expect(full?.version == 1)
    #expect(full?.flags == 0x203)
    #expect(cursor.unsigned(8) == 0xFFFF_FFFF)
    #expect(cursor.unsigned(8) == .max)
    #expect(cursor.unsigned(0) == 0)
    #expect(cursor.unsigned(wide: false) == nil)
    cursor.skip(.max)
    #expect(cursor.unsigned(1) == nil)
  }

  @Test("numbers at any offset are read or nil") func numbers() {
    let source = Box.MemorySource([1, 2, 3])
    #expect(source.number(at: 1, bytes: 2) == 0x0203)
    for offset in [Int.min, -1, 2, 3, .max] { #expect(source.number(at: offset, bytes: 2) == nil) }
    for count in [-1, 9] { #expect(source.number(at: 0, bytes: count) == nil) }
  }
}
