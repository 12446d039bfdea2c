internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaProbe

@Suite struct VCardPhotoTests {
  /// `photo bytes!` in base64 is `cGhvdG8gYnl0ZXMh`.
  @Test(arguments: [
    "PHOTO;ENCODING=b;TYPE=JPEG:cGhvdG8gYnl0ZXMh", "PHOTO;ENCODING=b:cGhvdG8g\r\n Ynl0\r\n\tZXMh",
    "item1.PHOTO;TYPE=PNG;ENCODING=BASE64:cGhvdG8gYnl0ZXMh", "photo;encoding=B:cGhvdG8gYnl0ZXMh",
    "PHOTO;JPEG;BASE64:\r\n cGhvdG8g\r\n Ynl0ZXMh\r\n\r\nTEL:1",
    "PHOTO;ENCODING=BASE64;TYPE=GIF:\r\ncGhvdG8g\r\nYnl0ZXMh\r\n\r\nTEL:1",
    "PHOTO:data:image/jpeg;base64,cGhvdG8gYnl0ZXMh",
    "PHOTO;MEDIATYPE=image/png:DATA:image/png\\;base64\\,cGhvdG8gYnl0ZXMh",
    "PHOTO;X-CROP=\"a:b\";ENCODING=b:cGhvdG8gYnl0ZXMh", "PHOTO:cGhvdG8gYnl0ZXMh",
    "PHOTO;VALUE=uri:http://192.0.2.1/a.jpg\r\nPHOTO;ENCODING=b:cGhvdG8gYnl0ZXMh",
    "PHOTO:data:,photo%20bytes!",
  ])
  func `The photo is found in every notation`(property: String) {
    let card = Array("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\n\(property)\r\nEND:VCARD\r\n".utf8)
    #expect(VCardPhoto.bytes(in: VCard(card)) == Array("photo bytes!".utf8))
  }

  @Test(arguments: [
    "FN:Ada", "PHOTO;VALUE=uri:http://192.0.2.1/a.jpg", "PHOTO:http://192.0.2.1/a.jpg",
    "PHOTO;VALUE=URL:file:///etc/passwd",
    "PHOTO;VALUE=uri:YWRhLmpwZw", "PHOTO:", "PHOTO", "PHOTOS;ENCODING=b:cGhv", "PHOTO;ENCODING=b:*!*",
    "PHOTO:data:image/jpeg;base64", "NOTE:PHOTO",
    "END:VCARD\r\nBEGIN:VCARD\r\nPHOTO;ENCODING=b:cGhv",
  ])
  func `A photo outside of the card is ignored`(property: String) {
    #expect(VCardPhoto.bytes(in: VCard(Array("BEGIN:VCARD\r\n\(property)\r\nEND:VCARD\r\n".utf8))) == nil)
  }

  @Test func `Properties beyond the limit are ignored`() {
    let lines = String(repeating: "TEL:1\n", count: 2_000)
    #expect(VCardPhoto.bytes(in: VCard(Array("BEGIN:VCARD\n\(lines)PHOTO;ENCODING=b:cGhv\n".utf8))) == nil)
  }

  @Test func `A card of two gigabytes is not read`() throws {
    let input = try MediaInput(bytes: Array("BEGIN:VCARD\n".utf8) + Array(repeating: 0x20, count: VCard.cardLimit))
    #expect(try VCardPhoto.bytes(of: input) == nil)
    #expect(input.bytesRead == 0)
  }

  @Test func `The facts include the size of the photo`() throws {
    for version in ["2.1", "3.0", "4.0"] {
      let info = MediaProber().facts(ofFile: Fixture.path("pages/photo-\(version).vcf"))
      #expect(info.embeddedThumbnail.map { [$0.width, $0.height] } == [96, 96])
      #expect(info.embeddedThumbnail?.offset == nil)
      #expect(info.title == "Ada Lovelace")
    }
    #expect(MediaProber().facts(ofFile: Fixture.path("pages/photo-elsewhere.vcf")).embeddedThumbnail == nil)
  }

  @Test(arguments: [
    ("", [] as [UInt8]?), ("TWFu", [0x4D, 0x61, 0x6E]), ("TWE=", [0x4D, 0x61]), ("TQ==", [0x4D]), ("TQ", [0x4D]),
    ("T\nW F\tu", [0x4D, 0x61, 0x6E]), ("-_-_", [0xFB, 0xFF, 0xBF]), ("T", []), ("TW*u", nil), ("TW\u{E4}u", nil),
  ])
  func `Base64 is decoded or refused`(text: String, bytes: [UInt8]?) {
    #expect(EncodedBytes.base64(Array(text.utf8)) == bytes)
  }
}
