internal import MediaModel
internal import MetadataStripping
internal import TestSupport
internal import Testing

/// Files with `secret` in every kind of metadata that they have, and the same without.
private enum TaggedFile {
  static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }
  static func le32(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
  static func be32(_ value: Int) -> [UInt8] { le32(value).reversed() }
  static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
  static func joined(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    joined(ascii(name), le32(body.count), body, body.count % 2 == 1 ? [0] : [])
  }

  static let format = joined([1, 0, 1, 0], le32(8_000), le32(16_000), [2, 0, 16, 0])

  static func wave(_ chunks: [(String, [UInt8])]) -> [UInt8] {
    let body = chunks.flatMap { chunk($0.0, $0.1) }
    return joined(ascii("RIFF"), le32(body.count + 4), ascii("WAVE"), body)
  }

  static let plainWave = wave([("fmt ", format), ("data", [1, 2, 3, 4, 5])])
  static let wave = wave([
    ("bext", ascii("secret studio")), ("fmt ", format), ("LIST", ascii("INFOINAM") + le32(6) + ascii("secret")),
    ("data", [1, 2, 3, 4, 5]), ("id3 ", ascii("ID3secret")), ("_PMX", ascii("<secret/>")), ("iXML", ascii("secret")),
  ])

  /// 417 bytes: 128 kbit/s at 44.1 kHz.
  static let mpegFrame: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0x55, count: 413)
  static let id3v2 = joined(ascii("ID3"), [4, 0, 0, 0, 0, 0, 16], ascii("TXXXsecret000000"))
  static let id3v1 = joined(ascii("TAG"), ascii("secret"), zeros(119))
  static let ape = joined(
    ascii("APETAGEX"), le32(2_000), le32(47), le32(1), le32(0xA000_0000), zeros(8), ascii("secret 12345678"),
    ascii("APETAGEX"), le32(2_000), le32(47), le32(1), le32(Int(UInt32(0x8000_0000))), zeros(8))
  static let plainMP3 = joined(mpegFrame, mpegFrame, mpegFrame, mpegFrame)
  static let mp3 = joined(id3v2, id3v2, zeros(20), mpegFrame, mpegFrame, id3v2, mpegFrame, mpegFrame, ape, id3v1)

  static let adtsFrame: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x02, 0x1F, 0xFC] + [UInt8](repeating: 0x21, count: 9)
  static let aac = joined(id3v2, adtsFrame, adtsFrame, adtsFrame, id3v1)

  static let amr = joined(ascii("#!AMR\n"), [0x3C], zeros(31), [0x7C], ascii("secret"))

  private static func block(_ kind: UInt8, isLast: Bool, _ body: [UInt8]) -> [UInt8] {
    joined([kind | (isLast ? 0x80 : 0)], Array(be32(body.count).dropFirst()), body)
  }
  static let flacFrames: [UInt8] = [0xFF, 0xF8, 0x69, 0x18] + [UInt8](repeating: 9, count: 40)
  static let plainFLAC = joined(
    ascii("fLaC"), block(0, isLast: false, zeros(34)), block(3, isLast: true, zeros(18)), flacFrames)
  static let flac = joined(
    id3v2, ascii("fLaC"), block(0, isLast: false, zeros(34)), block(4, isLast: false, ascii("secret")),
    block(3, isLast: false, zeros(18)), block(2, isLast: false, ascii("secret")),
    block(6, isLast: true, ascii("secret")), flacFrames, ape, id3v1)

  /// A page of Ogg whose checksum is not looked at.
  static func page(_ flags: UInt8, serial: Int = 7, _ packets: [UInt8]...) -> [UInt8] {
    var lacing: [UInt8] = []
    for packet in packets {
      lacing += [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
    }
    return joined(
      ascii("OggS"), [0, flags], zeros(8), le32(serial), zeros(8), [UInt8(lacing.count)], lacing,
      packets.flatMap { $0 })
  }

  static let vorbisHead = joined([1], ascii("vorbis"), zeros(23))
  static let vorbisTags = joined(
    [3], ascii("vorbis"), le32(6), ascii("secret"), le32(1), le32(300), ascii("LOCATION=secret"),
    [UInt8](repeating: 0x73, count: 285), [1])
  static let vorbis = joined(
    page(2, vorbisHead), page(0, vorbisTags, [5] + ascii("vorbis")), page(4, [0, 1, 2, 3]))
  static let opus = joined(
    page(2, joined(ascii("OpusHead"), zeros(11))),
    page(0, joined(ascii("OpusTags"), le32(6), ascii("secret"), le32(0))), page(4, [0, 1, 2, 3]))

  static let plainContact = ascii(
    """
    BEGIN:VCARD\r\nVERSION:3.0\r\nN:Lovelace;Ada\r\nFN:Ada Lovelace\r\nTEL;TYPE=CELL:+15551234567\r\n\
    ADR:;;1 Main St;Town\r\nEND:VCARD\r\n
    """)
  static let contact = ascii(
    """
    BEGIN:VCARD\r\nVERSION:3.0\r\nN:Lovelace;Ada\r\nFN:Ada Lovelace\r\nTEL;TYPE=CELL:+15551234567\r\n\
    ADR;GEO="geo:48.2,secret":;;1 Main St;Town\r\nGEO:48.2;secret\r\nitem1.GEO:secret\r\nitem1.X-ABLabel:secret\r\nNOTE:a\r\n secret\r\n\
    TZ:secret\r\nREV:secret\r\nX-SECRET:secret\r\nNOTE;ENCODING=QUOTED-PRINTABLE:a=\r\nGEO: secret=\r\nb\r\n\
    KEY;ENCODING=BASE64:\r\nsecretsecret\r\n\r\nAGENT:\r\nBEGIN:VCARD\r\nFN:secret\r\nEND:VCARD\r\nEND:VCARD\r\n
    """)

  /// A document with an information dictionary, XMP that is referred to or not, and a photo with EXIF.
  static func pdf(isEncrypted: Bool = false, hasInfo: Bool = true) -> [UInt8] {
    let photo: [UInt8] = joined(
      [0xFF, 0xD8, 0xFF, 0xE1, 0, 14], ascii("Exif\u{0}\u{0}secret"), [0xFF, 0xDA, 0, 4, 1, 2, 3, 0xFF, 0xD9])
    return joined(
      ascii("%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>\nendobj\n"),
      ascii("2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n"),
      hasInfo ? ascii("3 0 obj\n<</Title(secret)/Author(endobj secret)>>\nendobj\n") : [],
      ascii("4 0 obj\n<</Type /Metadata/Subtype/XML/Length 13>>\nstream\nendobj secret\nendstream\nendobj\n"),
      ascii("6 0 obj\n<</Type/Metadata/Length 6>>stream\nsecret\nendstream\nendobj\n"),
      ascii("5 0 obj\n<</Filter/DCTDecode/Length \(photo.count)>>\nstream\n"), photo, ascii("\nendstream\nendobj\n"),
      ascii("trailer\n<</Root 1 0 R/Info 3 0 R\(isEncrypted ? "/Encrypt 9 0 R" : "")>>\n%%EOF\n"))
  }

  /// A track with a name, a lyric and a text between its notes, and a chunk that is no track.
  static let midi: [UInt8] = {
    let track: [UInt8] = joined(
      [0, 0xFF, 3, 6], ascii("secret"), [0, 0xC0, 5, 0, 0x90, 60, 100, 0x60, 60, 0, 0, 0xF0, 2, 1, 0xF7],
      [0, 0xFF, 5, 6],
      ascii("secret"), [0x81, 0x00, 0xFF, 0x7F, 6], ascii("secret"), [0, 0xFF, 0x2F, 0])
    return joined(
      ascii("MThd"), be32(6), [0, 0, 0, 1, 0, 96], ascii("XXXX"), be32(6), ascii("secret"), ascii("MTrk"),
      be32(track.count), track)
  }()

  static let all: [(type: String, bytes: [UInt8])] = [
    ("audio/wav", wave), ("audio/mpeg", mp3), ("audio/aac", aac), ("audio/amr", amr), ("audio/flac", flac),
    ("audio/ogg", vorbis), ("audio/ogg", opus), ("text/vcard", contact), ("application/pdf", pdf()),
    ("audio/midi", midi),
  ]
}

@Suite("D6.10: metadata of any kind of file is removed") struct MetadataStripperTests {
  private func strip(_ bytes: [UInt8], _ type: String) -> [UInt8]? {
    MetadataStripper.strip(bytes, type: MediaType(type))
  }

  @Test("Nothing of the metadata is left, stripping twice changes nothing", arguments: TaggedFile.all.indices)
  func nothingIsLeft(index: Int) throws {
    let (type, bytes) = TaggedFile.all[index]
    let stripped = try #require(strip(bytes, type), "\(type)")
    let (isStripped, isIdempotent) = (!stripped.contains(text: "secret"), strip(stripped, type) == stripped)
    #expect(isStripped, "\(type): \(String(decoding: stripped.suffix(400), as: UTF8.self))")
    #expect(isIdempotent, "\(type)")
  }

  @Test("The content is what it was, to the bit") func content() throws {
    for (tagged, plain, type) in [
      (TaggedFile.wave, TaggedFile.plainWave, "audio/wav"), (TaggedFile.mp3, TaggedFile.plainMP3, "audio/mpeg"),
      (TaggedFile.aac, Array(repeating: TaggedFile.adtsFrame, count: 3).flatMap { $0 }, "audio/aac"),
      (TaggedFile.flac, TaggedFile.plainFLAC, "audio/flac"),
      (TaggedFile.contact, TaggedFile.plainContact, "text/vcard"),
    ] {
      let stripped = try #require(strip(tagged, type))
      let isSame = stripped == plain
      #expect(isSame, "\(type): \(String(decoding: stripped, as: UTF8.self))")
      let isUnchanged = strip(plain, type) == plain
      #expect(isUnchanged, "\(type)")
    }
  }

  @Test("Pages of Ogg and objects of PDF stay where they are") func offsets() throws {
    for (bytes, type) in [
      (TaggedFile.vorbis, "audio/ogg"), (TaggedFile.opus, "audio/ogg"), (TaggedFile.pdf(), "application/pdf"),
    ] {
      #expect(strip(bytes, type)?.count == bytes.count, "\(type)")
    }
    let document = try #require(strip(TaggedFile.pdf(), "application/pdf"))
    #expect(document.contains(text: "<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>"))
    #expect(document.contains(text: "/Filter/DCTDecode"))
  }

  @Test("What cannot be stripped without a new encoding, or is not known, gives nil") func impossible() {
    #expect(strip(TaggedFile.pdf(isEncrypted: true), "application/pdf") == nil)
    #expect(strip(TaggedFile.pdf(hasInfo: false), "application/pdf") == nil, "it is in an object stream")
    #expect(strip(Array("RF64".utf8) + TaggedFile.wave.dropFirst(4), "audio/wav") == nil)
    #expect(strip(Array(TaggedFile.plainWave.dropLast(4)), "audio/wav") == nil, "cut")
    let theora = TaggedFile.page(2, [0x80] + Array("theora".utf8))
    #expect(strip(theora + TaggedFile.vorbis, "audio/ogg") == nil)
    #expect(
      strip(TaggedFile.page(2, serial: 9, TaggedFile.vorbisHead) + TaggedFile.vorbis.dropFirst(), "audio/ogg") == nil)
    for type in ["application/zip", "video/webm", "application/octet-stream", "image/tiff", "audio/x-ms-wma"] {
      #expect(strip([1, 2, 3], type) == nil, "\(type)")
    }
    #expect(strip(Array("hello".utf8), "text/plain") == Array("hello".utf8))
  }

  @Test("The photo of a contact loses its metadata, and one that cannot is dropped") func photo() throws {
    let photo: [UInt8] =
      [0xFF, 0xD8, 0xFF, 0xE1, 0, 8] + Array("secret".utf8) + [
        0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x12, 0xFF, 0xD9,
      ]
    let plain = try #require(ImageMetadataStripper.strip(photo, type: .jpeg))
    func contact(_ name: String, _ image: [UInt8]) -> [UInt8] {
      Array("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\n\(name):\(TestBase64.encoded(image))\r\nEND:VCARD\r\n".utf8)
    }
    for name in ["PHOTO;ENCODING=b;TYPE=JPEG", "PHOTO;JPEG;ENCODING=BASE64", "PHOTO"] {
      let prefix = name == "PHOTO" ? "PHOTO:data:image/jpeg;base64," : name + ":"
      let text = String(decoding: contact(name, photo), as: UTF8.self).replacing(name + ":", with: prefix)
      let stripped = try #require(strip(Array(text.utf8), "text/vcard"))
      #expect(
        String(decoding: stripped, as: UTF8.self).contains(prefix + TestBase64.encoded(plain).prefix(60)), "\(name)")
      #expect(!String(decoding: stripped, as: UTF8.self).contains(TestBase64.encoded(photo)), "\(name)")
    }
    let broken = try #require(strip(contact("PHOTO;ENCODING=b", [1, 2, 3]), "text/vcard"))
    #expect(!broken.contains(text: "PHOTO"))
  }

  @Test("The coordinates of an appointment are dropped, its text stays") func calendar() throws {
    let text =
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Lunch\r\nLOCATION:Café\r\nGEO:48.2;16.3\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    let stripped = try #require(strip(Array(text.utf8), "text/calendar"))
    #expect(String(decoding: stripped, as: UTF8.self) == text.replacing("GEO:48.2;16.3\r\n", with: ""))
  }

  @Test(
    "Whatever the bytes are, stripping ends, and stripping again changes nothing", arguments: TaggedFile.all.indices)
  func changed(index: Int) {
    let (type, original) = TaggedFile.all[index]
    print("changing \(type), seeds 0..<400")
    for seed in 0..<400 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var bytes = original
      for _ in 0...random.below(4) where !bytes.isEmpty {
        let at = random.below(bytes.count)
        switch random.below(5) {
        case 0: bytes[at] ^= 1 << UInt8(random.below(8))
        case 1: bytes[at] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF][random.below(6)]
        case 2: bytes.removeSubrange(at..<min(bytes.count, at + 1 + random.below(40)))
        case 3: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + 1 + random.below(64))], at: at)
        default: bytes.removeLast(bytes.count - at)
        }
      }
      guard let stripped = strip(bytes, type) else { continue }
      let isIdempotent = strip(stripped, type) == stripped
      #expect(isIdempotent, "\(type), seed \(seed)")
      #expect(stripped.count <= bytes.count + 16, "\(type), seed \(seed)")
    }
  }
}

/// Base64 without lines, by another way than the library's.
private enum TestBase64 {
  static func encoded(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bits = bytes.map { byte in (0..<8).map { byte >> (7 - $0) & 1 } }.flatMap { $0 }
    var text = ""
    for start in stride(from: 0, to: bits.count, by: 6) {
      let six = bits[start..<min(start + 6, bits.count)] + Array(repeating: 0, count: max(0, start + 6 - bits.count))
      text.append(alphabet[six.reduce(0) { $0 << 1 | Int($1) }])
    }
    return text + String(repeating: "=", count: (3 - bytes.count % 3) % 3)
  }
}
