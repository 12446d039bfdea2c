internal import Encodings
internal import Mail
internal import TestSupport
internal import Testing

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

@Suite struct MailPartDecoderTests {
  @Test("Pieces give the same bytes as the whole", arguments: ["base64", "quoted-printable", "7bit"])
  func piecesGiveTheSameBytesAsTheWhole(encoding: String) {
    var generator = SeededGenerator(seed: 18)
    let alphabet = Array("=AF09az+/ \r\n\t-_=".utf8)
    for _ in 0..<2_000 {
      let body = (0..<generator.below(40)).map { _ in alphabet[generator.below(alphabet.count)] }
      var decoder = MailPartDecoder(encoding: encoding)
      var result: [UInt8] = []
      var rest = body[...]
      while !rest.isEmpty {
        let count = 1 + generator.below(5)
        result += decoder.feed(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      result += decoder.finish()
      let whole = TransferEncoding(name: encoding)?.decoded(body[...]) ?? body
      #expect(result == whole, "\(String(decoding: body, as: UTF8.self).debugDescription)")
      #expect(decoder.encodedOctets == body.count)
      #expect(decoder.decodedOctets == whole.count)
      // A structure counts what the decoder gives.
      let message = Array("Content-Transfer-Encoding: \(encoding)\r\n\r\n".utf8) + body
      #expect(MailStructure(message: message).parts[0].decodedSize == .exact(whole.count))
    }
  }

  @Test(arguments: [("base64", 22_482), ("quoted-printable", 49_152), ("7bit", 16_384), ("x-uuencode", 22_828)])
  func `The first octets of a part are fetched alone`(encoding: String, octets: Int) {
    let line = "(\"image\" \"png\" NIL NIL NIL \"\(encoding)\" 99999)"
    let part = MailStructure(bodyStructure: Array(line.utf8)).parts[0]
    #expect(abs(part.encodedOctets() - octets) < 200)
    #expect(part.encodedOctets(forDecoded: 1 << 50) == 99_999)
    #expect(part.encodedOctets(forDecoded: -1) <= 256)
  }

  @Test(
    "The state survives a restart",
    arguments: [
      ("base64", "SGVsbG8=", "Hello"), ("Quoted-Printable", "H=C3=A9=\r\nllo", "Héllo"), ("x-unknown", "a=41", "a=41"),
    ])
  func theStateSurvivesARestart(encoding: String, body: String, text: String) throws {
    var result: [UInt8] = []
    var stored = try JSONEncoder().encode(MailPartDecoder(encoding: encoding))
    for octet in body.utf8 {
      var decoder = try JSONDecoder().decode(MailPartDecoder.self, from: stored)
      result += decoder.feed(CollectionOfOne(octet))
      stored = try JSONEncoder().encode(decoder)
    }
    var decoder = try JSONDecoder().decode(MailPartDecoder.self, from: stored)
    result += decoder.finish()
    #expect(decoder.encodedOctets == body.utf8.count)
    #expect(String(decoding: result, as: UTF8.self) == text)
  }
}
