internal import Encodings
internal import TestSupport
internal import Testing

@testable internal import MMSCodec

/// What is no PDU is refused with the place; what cannot be carried is not written.
@Suite struct RefusalTests {
  private func error(_ octets: [UInt8]) -> MMSMessage.DecodingError? {
    do throws(MMSMessage.DecodingError) {
      _ = try MMSMessage(decoding: octets)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("", MMSMessage.DecodingError(.empty, at: 0)),
    ("'<!DOCTYPE html><html><body>Not found</body></html>'", MMSMessage.DecodingError(.noMessageType, at: 0)),
    ("8D 90 98 'a' 00", MMSMessage.DecodingError(.noMessageType, at: 5)),
    ("8D 90 84 83 8C 80", MMSMessage.DecodingError(.noMessageType, at: 3)),
    ("8C 98", MMSMessage.DecodingError(.unknownMessageType(0x98), at: 1)),
    ("8C 7F", MMSMessage.DecodingError(.unknownMessageType(0x7F), at: 1)),
    ("8C", MMSMessage.DecodingError(.unknownMessageType(0), at: 1)),
    ("8C 84 98 'ab'", MMSMessage.DecodingError(.truncated, at: 3)),
    ("8C 82 8E 04 01", MMSMessage.DecodingError(.truncated, at: 3)),
    ("8C 82 96 1F 8F FF FF FF 7F EA", MMSMessage.DecodingError(.truncated, at: 3)),
    ("8C 82 05 80", MMSMessage.DecodingError(.notAHeader(5), at: 2)),
    ("8C 82 8D 90 'Retur'", MMSMessage.DecodingError(.truncated, at: 4)),
    ("8C 84 84 1F 8F FF FF FF 7F B3", MMSMessage.DecodingError(.truncated, at: 3)),
    ("FF D8 FF E0 00 10", MMSMessage.DecodingError(.noMessageType, at: 5)),
  ])
  func `Octets that are no PDU are refused with the position`(text: String, expected: MMSMessage.DecodingError) {
    let found = error(octets(text))
    #expect(found == expected)
    #expect(found?.description.isEmpty == false)
  }

  @Test func `Headers beyond the limit are refused`() {
    let fields = { (count: Int) in octets("8C 84") + Array(repeating: octets("8F 80"), count: count).joined() }
    #expect(error(fields(MMSMessage.fieldLimit)) == nil)
    #expect(error(fields(MMSMessage.fieldLimit + 1))?.reason == .tooManyFields)
  }

  @Test func `Parts beyond the limit are omitted`() throws {
    let body = multipart(Array(repeating: (octets("83"), []), count: MMSMessage.partLimit + 5))
    var defects: [MMSMessage.Defect] = []
    let message = try MMSMessage(decoding: (octets("8C 84 84 A3") + body)[...], defects: &defects)
    #expect(message.parts.count == MMSMessage.partLimit)
    #expect(defects.map(\.kind) == [.missingParts(5), .trailingOctets(15)])
    #expect(throws: MMSMessage.EncodingError(.tooMany)) {
      try MMSMessage(
        .retrieveConf,
        content: MMSMessage.Content(
          type: ContentType("application/vnd.wap.multipart.mixed"), parts: message.parts + message.parts)
      ).encoded()
    }
  }

  @Test func `Every prefix of a message is read or refused`() throws {
    var maker = RandomMessage(random: SeededGenerator(seed: 31))
    for _ in 0..<60 {
      let whole = try maker.message().encoded()
      for length in 0..<whole.count { _ = try? MMSMessage(decoding: whole[..<length]) }
    }
  }

  private func encodingError(_ message: MMSMessage) -> MMSMessage.EncodingError? {
    do throws(MMSMessage.EncodingError) {
      _ = try message.encoded()
      return nil
    } catch {
      return error
    }
  }

  @Test func `Unencodable values are refused`() {
    func message(_ octet: UInt8, _ value: MMSField.Value) -> MMSMessage {
      MMSMessage(.sendReq, fields: [MMSField(MMSField.KnownName(rawValue: octet), value)])
    }
    let cases: [(MMSMessage, MMSMessage.EncodingError.Reason)] = [
      (message(0x85, .integer(-1)), .numberOutOfRange),
      (message(0x88, .time(.relative(-1))), .numberOutOfRange),
      (message(0x96, .encodedString("a\0b")), .nulInText),
      (message(0x96, .encodedString(EncodedString(octets: [0], charset: .utf8))), .nulInText),
      (message(0x96, .encodedString(EncodedString(octets: [0x41], charset: .utf16))), .halfCharacter),
      (message(0x8B, .text("a\0")), .nulInText),
      (message(0x85, .text("now")), .wrongValue),
      (message(0x8F, .token(0x10)), .wrongValue),
      (message(0x8F, .opaque([0x80])), .wrongValue),
      (message(0xC5, .opaque([0x80, 0x80])), .wrongValue),
      (message(0xC5, .opaque([])), .wrongValue),
      (message(0xC5, .text("a")), .wrongValue),
      (message(0x84, .text("text/plain")), .reservedField),
      (message(0x8C, .token(0x80)), .reservedField),
      (message(0x41, .token(0x80)), .reservedField),
      (message(0xAE, .fields([MMSField(MMSField.KnownName(rawValue: 0xAE), .fields([]))])), .wrongValue),
      (message(0xAE, .fields([MMSField(MMSField.KnownName(rawValue: 0x98), .text("a"))])), .reservedField),
      (message(0x92, .counted(1, .counted(1, .token(0x80)))), .wrongValue),
      (MMSMessage(.sendReq, fields: [MMSField(application: "", "x")]), .unfitName),
      (MMSMessage(.sendReq, fields: [MMSField(application: "é", "x")]), .unfitName),
      (MMSMessage(.sendReq, fields: [MMSField(application: "a\0b", "x")]), .nulInText),
      (MMSMessage(.sendReq, transactionID: "\0"), .nulInText),
      (
        MMSMessage(.sendReq, content: MMSMessage.Content(type: ContentType("text/plain"), parts: [])), .bodyOfOtherType
      ),
      (
        MMSMessage(
          .sendReq, content: MMSMessage.Content(type: ContentType("application/vnd.wap.multipart.mixed"), octets: [])),
        .bodyOfOtherType
      ),
    ]
    for (message, reason) in cases { #expect(encodingError(message)?.reason == reason, "\(message)") }
    #expect(encodingError(message(0x85, .integer(-1)))?.description == "Date cannot be encoded: numberOutOfRange")
  }
}
