internal import Encodings
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MMSCodec

@Suite struct ContentTypeTests {
  /// Reads a type and its parameters behind a length.
  private func readCounted(_ text: String) -> ContentType? { read(counted(octets(text)), text) }

  private func read(_ text: String) -> ContentType? { read(octets(text), text) }

  private func read(_ all: [UInt8], _ text: String) -> ContentType? {
    var reader = WSPReader(all[...])
    let type = reader.contentType()
    #expect(reader.isAtEnd, "\(text)")
    return type
  }

  private func written(_ type: ContentType) throws -> [UInt8] {
    var writer = WSPWriter()
    try writer.contentType(type)
    return writer.octets
  }

  @Test(arguments: [
    ("83", "text/plain"), ("9E", "image/jpeg"), ("A1", "image/vnd.wap.wbmp"),
    ("B3", "application/vnd.wap.multipart.related"),
    ("BE", "application/vnd.wap.mms-message"), ("D2", "application/mikey"),
    ("'application/smil' 00", "application/smil"),
    ("01 9E", "image/jpeg"), ("02 01 1E", "image/jpeg"), ("0A 'audio/amr' 00", "audio/amr"),
  ])
  func `A type is a number or a name`(text: String, name: String) {
    #expect(read(text) == ContentType(name))
  }

  @Test func `A number without a name is kept`() throws {
    for text in ["D3", "FF", "03 02 03 08"] {
      let type = try #require(read(text))
      #expect(type.mediaType == MediaType("application/octet-stream"))
      let again = try written(type)
      var reader = WSPReader(again[...])
      #expect(reader.contentType() == type)
    }
  }

  @Test func `Parameters are read in both forms`() {
    let coded = readCounted("B3 8A '<0>' 00 89 'a/smil' 00")
    #expect(coded?.text(.start) == "<0>")
    #expect(coded?.text(.type) == "a/smil")
    let textual = readCounted(
      "83 'charset' 00 'iso-8859-1' 00 'Name' 00 'a b.txt' 00 'start' 00 22 'x' 00 'filename' 00 00")
    #expect(textual?.charset == .latin1)
    #expect(textual?.text(.name) == "a b.txt")
    #expect(textual?.text(.start) == "x")
    #expect(textual?.text(.filename) == "")
  }

  @Test(arguments: [
    ("83 81 EA", 106), ("83 81 83", 3), ("83 81 02 03 E8", 1_000), ("83 81 80", 0),
    ("83 81 'gb2312' 00", 2_025), ("83 'charset' 00 22 'utf-8' 22 00", 106),
  ])
  func `A charset is a number or a name`(text: String, mib: Int) {
    #expect(readCounted(text)?.charset?.mib == mib)
  }

  @Test func `Parameters after an unknown one are read`() {
    let type = readCounted("83 BF 03 01 02 03 'x-foo' 00 87 80 0A 85 'a.txt' 00")
    #expect(type?.parameters.count == 4)
    #expect(type?.text(.name) == "a.txt")
  }

  @Test func `A quality is a uintvar`() {
    #expect(readCounted("83 80 81 4D 85 'a' 00")?.parameters.first?.value == .quality(205))
  }

  @Test func `The type parameter may be a number`() {
    #expect(readCounted("B3 89 9E")?.text(.type) == "image/jpeg")
    #expect(readCounted("B3 89 9E")?.parameters == [WSPHeader.Parameter(.type, .integer(0x1E))])
  }

  @Test func `An unreadable parameter ends only the parameters`() {
    let type = readCounted("83 81 EA 1F 00")
    #expect(type?.parameters.count == 1)
  }

  @Test(arguments: ["", "00", "01 00", "05 83", "1F 8F FF FF FF 7F 83"])
  func `An invalid content type is nil`(text: String) {
    var reader = WSPReader(octets(text)[...])
    #expect(reader.contentType() == nil)
  }

  @Test func `A type is written in its shortest form`() throws {
    #expect(try written(ContentType("image/jpeg")) == octets("9E"))
    #expect(try written(ContentType("application/smil")) == octets("'application/smil' 00"))
    #expect(
      try written(
        ContentType(
          "text/plain", parameters: [WSPHeader.Parameter(.charset, .integer(106)), WSPHeader.Parameter(.name, "a")]))
        == octets("06 83 81 EA 85 'a' 00"))
    #expect(throws: MMSMessage.EncodingError(.unfitName)) { try written(ContentType("")) }
  }

  @Test func `A content type may be two octets longer than stated`() {
    let all = octets("15 B3 8A '<0>' 00 89 'application/smil' 00 01 02")
    var reader = WSPReader(all[...])
    let found = reader.messageContentType()
    #expect(found?.overrun == true)
    #expect(found?.type.text(.type) == "application/smil")
    #expect(reader.count == 2)
  }

  @Test func `An invalid parameter does not consume the body`() {
    let all = octets("03 B3 89 'a' 00000000 'long text that is the body' 00")
    var reader = WSPReader(all[...])
    #expect(reader.messageContentType()?.overrun == true)
    let far = octets("03 B3 89 'long text that is the body' 00")
    reader = WSPReader(far[...])
    #expect(reader.messageContentType()?.overrun == false)
    #expect(reader.count == far.count - 4)
  }
}
