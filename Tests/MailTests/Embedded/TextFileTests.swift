internal import Mail
internal import MediaModel
internal import TestSupport
internal import Testing

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

@Suite struct TextFileTests {
  private func read(_ lines: [String]) -> (MailStructure, [UInt8]) {
    read(Array(lines.joined(separator: "\r\n").utf8))
  }

  private func read(_ body: [UInt8], header: String = "Content-Type: text/plain") -> (MailStructure, [UInt8]) {
    let bytes = mail(header, "", "") + body
    var structure = MailStructure(message: bytes)
    structure.addEmbeddedParts(in: bytes)
    return (structure, bytes)
  }

  /// As `uuencode -m` does not: three octets in four characters of 0x20 to 0x5F.
  static func uuencoded(_ octets: [UInt8], name: String) -> [String] {
    var lines = ["begin 644 \(name)"]
    for start in stride(from: 0, to: octets.count, by: 45) {
      let line = Array(octets[start..<min(start + 45, octets.count)])
      var text = [UInt8(line.count)]
      for group in stride(from: 0, to: line.count, by: 3) {
        let word = (0..<3).reduce(UInt32(0)) { $0 << 8 | (group + $1 < line.count ? UInt32(line[group + $1]) : 0) }
        text += [18, 12, 6, 0].map { UInt8(word >> UInt32($0) & 0x3F) }
      }
      lines.append(String(decoding: text.map { $0 == 0 ? 0x60 : $0 + 0x20 }, as: UTF8.self))
    }
    return lines + ["`", "end"]
  }

  static func yEncoded(_ octets: [UInt8], name: String, trailer: String) -> [UInt8] {
    var result = Array("=ybegin line=128 size=\(octets.count) name=\(name)\r\n".utf8)
    for (index, octet) in octets.enumerated() {
      let value = octet &+ 42
      if [0, 10, 13, 61].contains(value) { result += [61, value &+ 64] } else { result.append(value) }
      if index % 128 == 127 { result += [13, 10] }
    }
    return result + Array("\r\n=yend size=\(octets.count)\(trailer)\r\n".utf8)
  }

  @Test("Files in a text are parts") func filesInATextAreParts() {
    let photo = (0..<200).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let lines =
      ["Hello,"] + Self.uuencoded(photo, name: "beach photo.jpg") + ["and"] + Self.uuencoded([1], name: "b") + ["Bye"]
    let (structure, bytes) = read(lines)
    #expect(structure.outline == ["1 text/plain", "1.uu.1 image/jpeg", "1.uu.2 application/octet-stream"])
    #expect(structure.roles == ["1 body", "1.uu.1 attachment", "1.uu.2 attachment"])
    #expect(structure.parts.map(\.name) == [nil, "beach photo.jpg", "b"])
    #expect(structure.content(of: 1, in: bytes) == photo)
    #expect(structure.content(of: 2, in: bytes) == [1])
    #expect(structure.parts[1].decodedSize == .exact(200))
    #expect(structure.text(of: bytes).text == "Hello,\nand\nBye")
  }

  @Test(arguments: [
    ["begin 644 a", "this is prose", "end"], ["begin 644 a", "#0V%T"], ["begin a", "#0V%T", "end"],
    ["begin 644 ", "end"], ["begin the day", "well", "end"], ["=ybegin line=128 size=1 name=a", "k"],
  ])
  func `A text that only looks like a file is text`(lines: [String]) {
    let (structure, bytes) = read(lines)
    #expect(structure.parts.count == 1)
    #expect(structure.text(of: bytes).text == lines.map { $0 }.joined(separator: "\n"))
  }

  @Test func `Spaces at the end of a line may be missing`() {
    let (structure, bytes) = read(["begin 644 a", "#", "", "end"])
    #expect(structure.content(of: 1, in: bytes) == [0, 0, 0])
  }

  @Test(
    "The checksum of yEnc is compared",
    arguments: [
      (" crc32=4ED8A41E", false), (" crc32=00000000", true), ("", false), (" crc32=zz", false),
    ])
  func theChecksumOfYEncIsCompared(trailer: String, isDamaged: Bool) {
    let octets = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
    let expected = trailer.replacing("4ED8A41E", with: "\(String(Self.crc(octets), radix: 16))")
    let (structure, bytes) = read(Self.yEncoded(octets, name: "my file.bin", trailer: expected))
    #expect(structure.parts.map(\.section) == ["1", "1.yenc.1"])
    #expect(structure.parts[1].name == "my file.bin")
    #expect(structure.parts[1].isDamaged == isDamaged)
    #expect(structure.content(of: 1, in: bytes) == octets)
    #expect(structure.text(of: bytes).text.isEmpty)
  }

  /// Bit by bit, unlike the table in the library.
  private static func crc(_ octets: [UInt8]) -> UInt32 {
    var crc: UInt32 = ~0
    for octet in octets {
      crc ^= UInt32(octet)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }

  @Test func `A yEnc file in several mails says which part it is`() {
    let body = Array(
      "=ybegin part=2 total=3 line=128 size=9 name=a\n=ypart begin=4 end=6\nkkk\n=yend size=3 part=2 pcrc32=1\n".utf8)
    let (structure, _) = read(body)
    #expect(structure.parts[1].parameters == ["number": "2", "total": "3"])
    #expect(structure.parts[1].isDamaged)
  }

  @Test func `A part may be uuencoded as a whole`() throws {
    let body = Array(Self.uuencoded([1, 2, 3, 4], name: "a").joined(separator: "\n").utf8)
    let bytes = mail("Content-Type: image/png", "Content-Transfer-Encoding: x-uuencode", "", "") + body
    let structure = MailStructure(message: bytes)
    #expect(structure.parts[0].decodedSize == .exact(4))
    #expect(structure.content(of: 0, in: bytes) == [1, 2, 3, 4])
    // Piece by piece, with the state stored between the pieces.
    for (encoding, encoded) in [
      ("uuencode", body), ("x-yencode", Self.yEncoded([0, 19, 61, 214, 9], name: "a", trailer: "")),
    ] {
      var stored = try JSONEncoder().encode(MailPartDecoder(encoding: encoding))
      var result: [UInt8] = []
      for octet in encoded {
        var decoder = try JSONDecoder().decode(MailPartDecoder.self, from: stored)
        result += decoder.feed(CollectionOfOne(octet))
        stored = try JSONEncoder().encode(decoder)
      }
      #expect(result == (encoding == "uuencode" ? [1, 2, 3, 4] : [0, 19, 61, 214, 9]))
    }
  }

  @Test("Many beginnings without an end cost linear time") func manyBeginningsWithoutAnEndCostLinearTime() {
    let lines = (0..<200_000).map { _ in "begin 644 a\r\n#0V%T\r\n" }.joined()
    #expect(read(Array(lines.utf8)).0.parts.count == 1)
  }
}
