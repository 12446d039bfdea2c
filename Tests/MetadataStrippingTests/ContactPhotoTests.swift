internal import MediaModel
internal import MetadataStripping
internal import TestSupport
internal import Testing

@Suite("D6.10: images in contacts and calendars lose their metadata in every spelling") struct ContactPhotoTests {
  /// A JPEG with EXIF in base64: FF D8 FF E1 00 08 "secret" and the image, and the same without.
  private static let photo = "/9j/4QAIc2VjcmV0/8AACwgAAQABAQERAP/aAAgBAQAAPwAS/9k="
  private static let plain = "/9j/wAALCAABAAEBAREA/9oACAEBAAA/ABL/2Q=="

  private func strip(_ lines: String, container: String = "VCARD") -> String? {
    let text = "BEGIN:\(container)\r\nVERSION:3.0\r\nFN:Ada\r\n\(lines)\r\nEND:\(container)\r\n"
    let type = MediaType(container == "VCARD" ? "text/vcard" : "text/calendar")
    return MetadataStripper.strip(Array(text.utf8), type: type).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(
    "A photo is stripped however base64 is stated",
    arguments: [
      "PHOTO;ENCODING=\"b\";TYPE=JPEG:", "photo;encoding=B:", "PHOTO;Encoding = b:", "PHOTO:data:image/jpeg;base64,",
      "PHOTO:DATA:image/jpeg;base64,", "LOGO;VALUE=uri:data:image/jpeg;BASE64,", "PHOTO:Data:image/jpeg;x=y;Base64,",
    ])
  func spellings(_ head: String) throws {
    let stripped = try #require(strip(head + Self.photo))
    #expect(!stripped.contains(Self.photo))
    #expect(stripped.contains(head + Self.plain))
    #expect(strip(head + Self.plain)?.contains(head + Self.plain) == true)
    let folded = try #require(strip(head + "\r\n " + Self.photo.prefix(20) + "\r\n " + Self.photo.dropFirst(20)))
    #expect(!folded.contains("c2VjcmV0"))
  }

  @Test("Of what is no image in base64 only the address of an image on a server stays")
  func addresses() {
    for kept in ["PHOTO;VALUE=uri:https://example.com/a.jpg", "PHOTO:HTTP://example.com/a.jpg"] {
      #expect(strip(kept)?.contains(kept) == true, "\(kept)")
    }
    for dropped in [
      "PHOTO;TYPE=JPEG:\(Self.photo)", "PHOTO: data:image/jpeg;base64,\(Self.photo)", "PHOTO:file:///home/ada/a.jpg",
      "PHOTO;ENCODING=8BIT:\(Self.photo)", "PHOTO:data:image/jpeg,%FF%D8secret",
      "URL:data:image/jpeg;base64,\(Self.photo)", "PHOTO:data:image/jpeg\\;base64\\,\(Self.photo)",
    ] {
      #expect(strip(dropped) == "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD\r\n", "\(dropped)")
    }
  }

  @Test("Coordinates in properties of makers and in parameters of a calendar are dropped")
  func calendarLocations() throws {
    let stripped = try #require(
      strip(
        "X-MAKER;A=b:GEO:48.2,16.3\r\nX-B;V=\"geo:48.2,16.3\":x\r\nX-C:kept\r\nLOCATION;ALTREP=\"geo:48.2,16.3\":Café",
        container: "VCALENDAR"))
    #expect(!stripped.contains("48.2"))
    #expect(stripped.contains("X-C:kept\r\nLOCATION:Café\r\n"))
  }

  @Test("A location that is a URL is dropped, of a contact and of a calendar") func locationURLs() {
    #expect(strip("URL:geo:48.2,16.3") == "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD\r\n")
    for hidden in [
      "URL;ENCODING=QUOTED-PRINTABLE:geo=3A48.2,16.3", "URL;QUOTED-PRINTABLE:=67eo:48.2,16.3",
      "URL;ENCODING=b:Z2VvOjQ4LjIsMTYuMw==",
    ] {
      #expect(strip(hidden) == "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD\r\n", "\(hidden)")
    }
    #expect(strip("ADR;LABEL=\"geo:48.2,16.3\":;;1 Main St;Town")?.contains("ADR:;;1 Main St;Town") == true)
    #expect(strip("LOCATION:geo:48.2,16.3", container: "VCALENDAR")?.contains("48.2") == false)
    for dropped in ["URL:GEO:48.2,16.3", "ATTACH:geo:48.2,16.3", "CONFERENCE;VALUE=URI:geo:48.2,16.3"] {
      let stripped = strip("X-C:kept\r\n" + dropped, container: "VCALENDAR")
      #expect(stripped == "BEGIN:VCALENDAR\r\nVERSION:3.0\r\nFN:Ada\r\nX-C:kept\r\nEND:VCALENDAR\r\n", "\(dropped)")
    }
  }

  @Test(
    "The location of a calendar is recognised behind quoted-printable and escapes",
    arguments: [
      "X-MAKER;ENCODING=QUOTED-PRINTABLE:=67eo:48.2,16.3", "X-MAKER;QUOTED-PRINTABLE:ge=\r\no:48.2,16.3",
      "X-MAKER;ENCODING=quoted-printable:a=0Dgeo=3A48.2,16.3", "LOCATION;ENCODING=QUOTED-PRINTABLE:=47EO:48.2,16.3",
      "X-MAKER:geo\\:48.2,16.3", "URL:ge\\o:48.2,16.3",
    ])
  func encodedLocations(property: String) {
    let stripped = strip("X-C:kept\r\n" + property, container: "VCALENDAR")
    #expect(stripped == "BEGIN:VCALENDAR\r\nVERSION:3.0\r\nFN:Ada\r\nX-C:kept\r\nEND:VCALENDAR\r\n")
  }

  @Test(
    "A text of a maker in quoted-printable or with escapes stays as it is",
    arguments: ["X-MAKER;ENCODING=QUOTED-PRINTABLE:caf=C3=A9=\r\n au lait", "X-MAKER:a\\,b\\;c\\nd"])
  func encodedTexts(property: String) {
    #expect(strip(property, container: "VCALENDAR")?.contains(property + "\r\n") == true)
  }

  /// Quoted-printable, in the ways in which readers accept it.
  static let quotedPrintable = [
    "ENCODING=QUOTED-PRINTABLE", "QUOTED-PRINTABLE", "ENCODING=\"QUOTED-PRINTABLE\"", "ENCODING = quoted-printable",
    "ENCODING=QUOTED-PRINTABLE ", "\"Quoted-Printable\"", "Encoding=Quoted-Printable\t",
    "ENCODING=QUOTED-\r\n PRINTABLE",
  ]

  @Test("A line that continues quoted-printable text goes with its property", arguments: quotedPrintable)
  func continuedLines(parameter: String) {
    let contact = strip("NOTE;\(parameter):a=\r\nFN:48.2,16.3")
    #expect(contact == "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD\r\n")
    let calendar = strip("GEO;\(parameter):48.2=\r\nSUMMARY:48.2,16.3\r\nX-C:kept", container: "VCALENDAR")
    #expect(calendar == "BEGIN:VCALENDAR\r\nVERSION:3.0\r\nFN:Ada\r\nX-C:kept\r\nEND:VCALENDAR\r\n")
  }

  @Test("No line of a kept property is a property to readers without quoted-printable", arguments: quotedPrintable)
  func joinedLines(parameter: String) throws {
    let contact = try #require(strip("TITLE;\(parameter):a=\r\nGEO:48.2;16.3=\r\n b"))
    #expect(!contact.contains("\nGEO"))
    #expect(contact.contains(":aGEO:48.2;16.3 b\r\n"))
    let calendar = try #require(strip("SUMMARY;\(parameter):a=\r\nGEO:48.2;16.3", container: "VCALENDAR"))
    #expect(!calendar.contains("\nGEO"))
    let photo = strip("PHOTO;ENCODING=b;\(parameter):\(Self.plain)=\r\nGEO:48.2;16.3")
    #expect(photo == "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD\r\n")
    let text = "TITLE;\(parameter):a=\r\nb=\r\n c"
    #expect(strip(text)?.contains(text) == true)
  }

  @Test("A file of a calendar is recognised although no parameter states base64") func unstatedFiles() {
    for refused in [
      "ATTACH;VALUE=BINARY:\(Self.photo)", "ATTACH;FMTTYPE=image/jpeg:\(Self.photo)",
      "STYLED-DESCRIPTION:<img src='data:image/jpeg;base64,\(Self.photo)'>",
      "STYLED-DESCRIPTION:<img src='data:image/jpeg\\;base64\\,\(Self.photo)'>",
    ] {
      #expect(strip(refused, container: "VCALENDAR") == nil, "\(refused)")
    }
    let stripped = strip(
      "X-ALT-DESC;FMTTYPE=text/html:<img src='data:image/jpeg;base64,\(Self.photo)'>\r\n"
        + "X-ALT-DESC;FMTTYPE=text/html:<img src='data:image/jpeg\\;base64\\,\(Self.photo)'>\r\n"
        + "X-ALT-DESC;ENCODING=QUOTED-PRINTABLE:<img src=3D'data:image/jpeg;base=\r\n64,\(Self.photo)'>\r\n"
        + "DESCRIPTION;ALTREP=\"data:image/jpeg;base64,\(Self.photo)\":Lunch\r\nATTACH:CID:part1@example.com",
      container: "VCALENDAR")
    #expect(
      stripped == "BEGIN:VCALENDAR\r\nVERSION:3.0\r\nFN:Ada\r\nDESCRIPTION:Lunch\r\nATTACH:CID:part1@example.com\r\n"
        + "END:VCALENDAR\r\n")
  }

  @Test("What a reader of base64 skips is dropped") func skippedText() throws {
    let stripped = try #require(strip("PHOTO;ENCODING=b:\(Self.plain.dropLast())-48.2082"))
    #expect(!stripped.contains("48.2082"))
  }

  @Test("An attached image of a calendar is stripped, any other attached file gives nil") func attachedFiles() throws {
    let head = "ATTACH;ENCODING=BASE64;VALUE=BINARY:"
    let stripped = try #require(strip(head + Self.photo, container: "VCALENDAR"))
    #expect(stripped.contains(head + Self.plain))
    #expect(strip(head + "c2VjcmV0", container: "VCALENDAR") == nil)
    #expect(strip("ATTACH:https://example.com/a.pdf", container: "VCALENDAR")?.contains("a.pdf") == true)
  }
}
