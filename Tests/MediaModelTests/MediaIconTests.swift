internal import MediaModel
internal import Testing

@Suite struct MediaIconTests {
  @Test(
    "The type decides the icon",
    arguments: [
      ("image/jpeg", MediaIcon.image), ("image/x-unheard-of", .image), ("video/mp4", .video), ("audio/mpeg", .audio),
      ("text/vcard", .contact), ("text/calendar", .calendar), ("application/pdf", .document),
      ("application/msword", .document), ("application/epub+zip", .document), ("application/rtf", .document),
      ("application/vnd.oasis.opendocument.text", .document),
      ("application/vnd.oasis.opendocument.graphics", .document),
      ("text/csv", .spreadsheet), ("application/vnd.ms-excel", .spreadsheet),
      ("application/vnd.ms-excel.sheet.macroEnabled.12", .spreadsheet),
      ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", .spreadsheet),
      ("application/vnd.oasis.opendocument.spreadsheet", .spreadsheet),
      ("application/vnd.ms-powerpoint", .presentation),
      ("application/vnd.ms-powerpoint.presentation.macroEnabled.12", .presentation),
      ("application/vnd.openxmlformats-officedocument.presentationml.presentation", .presentation),
      ("application/vnd.oasis.opendocument.presentation", .presentation), ("text/plain", .text), ("text/html", .text),
      ("application/json", .text), ("message/rfc822", .text), ("application/zip", .archive),
      ("application/x-tar", .archive), ("application/octet-stream", .file), ("application/wasm", .file),
      ("font/woff2", .file),
    ])
  func theTypeDecidesTheIcon(type: String, icon: MediaIcon) {
    #expect(MediaIcon(info: MediaInfo(type: MediaType(type), bytes: 1)) == icon)
  }

  @Test("The kind selects the icon unless the type is more specific")
  func theKindSelectsTheIconUnlessTheTypeIsMoreSpecific() {
    var info = MediaInfo(type: MediaType("application/ogg"), bytes: 1)
    info.kind = .audio
    #expect(MediaIcon(info: info) == .audio)
  }
}
