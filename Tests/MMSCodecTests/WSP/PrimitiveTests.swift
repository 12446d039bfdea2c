internal import Encodings
internal import TestSupport
internal import Testing

@testable internal import MMSCodec

/// The primitives of WAP-230-WSP §8.4.2, in the value forms that the public-domain vectors of Gecko's codec list.
@Suite struct PrimitiveTests {
  private func read<Value>(_ text: String, _ body: (inout WSPReader) -> Value?) -> (value: Value?, left: Int) {
    var reader = WSPReader(octets(text)[...])
    let value = body(&reader)
    return (value, reader.count)
  }

  @Test(arguments: [
    ("00", 0), ("7F", 127), ("81 00", 128), ("82 8F 25", 0x87A5), ("FF 7F", 16_383), ("81 80 00", 16_384),
    ("8F FF FF FF 7F", 4_294_967_295), ("80 80 80 80 05", 5),
  ])
  func `A uintvar has seven bits per octet`(text: String, value: Int) throws {
    #expect(read(text + "41") { $0.uintvar() } == (value, 1))
    if !text.hasPrefix("80") {
      var writer = WSPWriter()
      try writer.uintvar(value)
      #expect(writer.octets == octets(text))
    }
  }

  @Test(arguments: ["", "81", "FF FF FF FF", "90 80 80 80 00", "80 80 80 80 80 01", "FF FF FF FF FF 7F"])
  func `A uintvar over five octets or 32 bits is invalid`(text: String) {
    let (value, left) = read(text) { $0.uintvar() }
    #expect(value == nil)
    #expect(left == octets(text).count)
  }

  @Test(arguments: [
    ("80", 0), ("FF", 127), ("01 00", 0), ("01 80", 128), ("02 03 E8", 1_000), ("03 01 00 00", 65_536),
    ("08 7F FF FF FF FF FF FF FF", Int.max), ("09 01 00 00 00 00 00 00 00 00", Int.max),
    ("08 FF FF FF FF FF FF FF FF", Int.max), ("0A 00 00 00 00 00 00 00 00 00 07", 7),
  ])
  func `An integer is short or long`(text: String, value: Int) {
    #expect(read(text + "41") { $0.integer() } == (value, 1))
  }

  @Test(arguments: [(0, "80", "01 00"), (127, "FF", "01 7F"), (128, "01 80", "01 80"), (1_000, "02 03 E8", "02 03 E8")])
  func `Integers are written in their shortest form`(value: Int, integer: String, long: String) throws {
    var writer = WSPWriter()
    try writer.integer(value)
    try writer.longInteger(value)
    #expect(writer.octets == octets(integer + long))
  }

  @Test(arguments: ["", "00", "1F 01", "05 01 02", "41", "1E"])
  func `A truncated integer is invalid`(text: String) {
    let (value, left) = read(text) { $0.integer() }
    #expect(value == nil)
    #expect(left == octets(text).count)
  }

  @Test func `Numbers out of range are not written`() {
    #expect(throws: MMSMessage.EncodingError(.numberOutOfRange)) {
      var writer = WSPWriter()
      try writer.longInteger(-1)
    }
    #expect(throws: MMSMessage.EncodingError(.numberOutOfRange)) {
      var writer = WSPWriter()
      try writer.uintvar(1 << 32)
    }
  }

  @Test(arguments: [
    ("'hi' 00", "hi"), ("00", ""), ("7F 00", ""), ("7F E9 'a' 00", "éa"), ("7F C3 A9 00", "é"),
    ("7F 7F 'a' 00", "\u{7F}a"),
    ("22 'a' 00", "\"a"),
  ])
  func `A text ends at its NUL, and its quote is removed`(text: String, value: String) {
    let (found, left) = read(text + "41") { $0.text() }
    #expect(found?.text == value)
    #expect(left == 1)
  }

  @Test(arguments: ["", "7F", "'abc'"])
  func `A text without NUL is invalid`(text: String) {
    #expect(read(text) { $0.text() }.value == nil)
  }

  @Test(arguments: [
    ("hi", "'hi' 00"), ("", "00"), ("é", "7F C3 A9 00"), ("\u{7F}", "7F 7F 00"), ("\"a", "7F 22 'a' 00"),
    ("\u{1}", "7F 01 00"),
  ])
  func `A text is quoted if its first octet is ambiguous`(text: String, expected: String) throws {
    var writer = WSPWriter()
    try writer.text(TextString(text))
    #expect(writer.octets == octets(expected))
  }

  @Test func `The closing quote of a quoted string is removed`() throws {
    #expect(read("22 '<smil>' 00") { $0.quotedString() }.value == "<smil>")
    #expect(read("22 '<smil>' 22 00") { $0.quotedString() }.value == "<smil>")
    var writer = WSPWriter()
    try writer.quotedString("<a>")
    try writer.quotedString("a\"")
    #expect(writer.octets == octets("22 '<a>' 00 22 'a' 22 22 00"))
  }

  @Test(arguments: [
    ("00", 1), ("02 AA BB", 3), ("1E" + String(repeating: "01", count: 30), 31), ("1F 03 01 02 03", 5), ("80", 1),
    ("FF", 1),
    ("'a' 00", 2), ("7F 80 00", 3), ("22 'a' 00", 3),
  ])
  func `The first octet determines the length of any value`(text: String, length: Int) {
    let (extent, left) = read(text + "41 41") { $0.valueExtent() }
    #expect(extent?.count == length)
    #expect(left == 2)
  }

  @Test(arguments: ["", "05 01", "1F", "1F 8F FF FF FF 7F 01", "1E", "'abc'"])
  func `A value that exceeds the input has no length`(text: String) {
    #expect(read(text) { $0.valueExtent() }.value == nil)
  }

  @Test(arguments: [
    ("'hello' 00", nil, "hello"), ("07 EA 'hello' 00", 106, "hello"), ("03 83 'a' 00", 3, "a"), ("02 EA 00", 106, ""),
    ("04 84 7F E9 00", 4, "é"), ("05 02 03 E8 00 'A'", 1_000, "A"), ("03 'ab' 00", nil, "ab"),
  ])
  func `An encoded string may have a charset`(text: String, mib: Int?, value: String) {
    let (string, left) = read(text + "41") { $0.encodedString() }
    #expect(string?.charset?.mib == mib)
    #expect(string?.text == value)
    #expect(left == 1)
  }

  @Test(arguments: [
    // Big-endian with a mark, two NULs; quoted; one NUL; none; half a unit.
    "FE FF 00 41 00 42 00 00", "7F FE FF 00 41 00 42 00 00", "FE FF 00 41 00 42 00", "7F FE FF 00 41 00 42 00",
    "FE FF 00 41 00 42", "FF FE 41 00 42 00 00 00", "7F FF FE 41 00 42 00 00", "00 41 00 42 00 00", "00 41 00 42",
  ])
  func `UTF-16 may contain NULs and ends at its length`(text: String) {
    let value = counted(octets("02 03 F7") + octets(text))
    var reader = WSPReader(value[...])
    #expect(reader.encodedString()?.text == "AB")
    #expect(reader.isAtEnd)
  }

  @Test(
    arguments: [
      // U+7FFE in front of U+FF21 looks like a quote and a mark.
      [0x7F, 0xFE, 0xFF, 0x21], [0x7F, 0xFF, 0xFE, 0x41], [0x00, 0x00], [], [0x41, 0x00], [0x7F, 0x41, 0x00, 0x00],
      [0xFE, 0xFF],
    ] as [[UInt8]])
  func `UTF-16 is read as it was written`(units: [UInt8]) throws {
    for mib in [1_000, 1_013, 1_014, 1_015] {
      let string = EncodedString(octets: units[...], charset: Charset(mib: mib))
      var writer = WSPWriter()
      try writer.encodedString(string)
      var reader = WSPReader(writer.octets[...])
      #expect(reader.encodedString() == string)
    }
  }

  @Test func `Texts are written as ASCII or UTF-8`() {
    #expect(EncodedString("abc").charset == nil)
    #expect(EncodedString("é").charset == .utf8)
  }
}
