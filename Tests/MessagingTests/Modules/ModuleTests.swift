internal import AttachmentPolicy
internal import MediaModel
internal import Messaging
internal import Testing

/// What a thread shows.
@Suite struct ModuleTests {
  private func file(
    _ type: String, name: String? = "x", bytes: Int = 2_000, duration: Double? = nil,
    images: [MessageModule.File.Image] = [],
    failure: MediaFailure.Code? = nil
  ) -> MessageModule.Content {
    var info = MediaInfo(type: MediaType(type), bytes: bytes)
    info.duration = duration
    var file = MessageModule.File(id: "id", name: name, info: info)
    file.images = images
    file.failure = failure.map { MediaFailure($0, "?") }
    return .file(file)
  }

  private func module(_ content: MessageModule.Content) throws -> MessageModule {
    try #require(MessageModule.modules(of: [content]).first)
  }

  @Test("R-MMS-22: a text has its links")
  func text() throws {
    let module = try module(.text("call 5551234567"))
    #expect(module.kind == .text)
    #expect(module.text == "call 5551234567")
    #expect(module.label == "call 5551234567")
    #expect(module.links?.map(\.target) == ["5551234567"])
    #expect(module.action == nil)
    #expect(module.menu() == nil)
    #expect(module.filename == nil)
    #expect(MessageModule.modules(of: [.text("")]).isEmpty)
  }

  @Test("R-MMS-42: an image is shown without its name, which stays in the data (D6.1)")
  func image() throws {
    let module = try module(file("image/jpeg", name: "a.jpg", images: [.init("t.webp", from: .image)]))
    #expect(module.kind == .image)
    #expect(module.state == .ready)
    #expect(module.action == .view)
    #expect(module.thumbnail == "t.webp")
    #expect(!module.showsName)
    #expect(module.filename == "a.jpg")
    #expect(module.icon == nil)
    #expect(module.label == "Image")
  }

  @Test("R-MMS-43: a video has a poster, its name with extension, its duration and a play button")
  func video() throws {
    let module = try module(file("video/mp4", name: "b", duration: 65.2, images: [.init("p.webp", from: .poster)]))
    #expect(module.kind == .video)
    #expect(module.poster == "p.webp")
    #expect(module.thumbnail == nil)
    #expect(module.showsName)
    #expect(module.filename == "b.mp4")
    #expect(module.duration == 65.2)
    #expect(module.action == .play)
    #expect(module.label == "Video b.mp4, 1 minute 5 seconds")
  }

  @Test("R-MMS-43: a video without a poster has a placeholder and the reason (D6.2)")
  func noPoster() throws {
    let plain = try module(file("video/mp4"))
    #expect(plain.state == .placeholder)
    #expect(plain.reason == "noPicture")
    #expect(plain.icon == .video)
    let slow = try module(file("video/mp4", failure: .timedOut))
    #expect(slow.state == .tooLarge)
    #expect(slow.reason == "timedOut")
    let unsupported = try module(file("video/mp4", failure: .unsupported))
    #expect(unsupported.state == .placeholder)
    #expect(unsupported.reason == "unsupported")
    #expect(unsupported.label == "Video x.mp4, no preview")
  }

  @Test(
    "R-MMS-41: an audio file has an icon, a play button, its name with extension and its duration; cover art and waveform if available"
  )
  func audio() throws {
    let module = try module(
      file("audio/amr", name: "c.amr", duration: 1, images: [.init("w", from: .waveform), .init("c", from: .cover)]))
    #expect(module.kind == .audio)
    #expect(module.icon == .audio)
    #expect(module.action == .play)
    #expect(module.showsName)
    #expect(module.cover == "c")
    #expect(module.waveform == "w")
    #expect(module.state == .ready)
    #expect(module.label == "Audio c.amr, 1 second")
  }

  @Test(
    "Contacts, calendars and other files have an icon, name and size",
    arguments: [
      (
        "text/x-vcard", MessageModule.Kind.contact, MediaIcon.contact, MessageModule.Action.view,
        "Contact x.vcf, 2.0 kB"
      ),
      ("text/vcard", .contact, .contact, .view, "Contact x.vcf, 2.0 kB"),
      ("text/calendar", .calendar, .calendar, .view, "Calendar x.ics, 2.0 kB"),
      ("application/pdf", .other, .document, .view, "File x.pdf, 2.0 kB"),
      ("application/zip", .other, .archive, .save, "File x.zip, 2.0 kB"),
    ])
  func others(type: String, kind: MessageModule.Kind, icon: MediaIcon, action: MessageModule.Action, label: String)
    throws
  {
    let module = try module(file(type))
    #expect(module.kind == kind)
    #expect(module.icon == icon)
    #expect(module.action == action)
    #expect(module.label == label)
    #expect(module.size == "2.0 kB")
    #expect(module.bytes == 2_000)
    #expect(module.state == .ready)
    #expect(module.showsName)
  }

  @Test("R-MMS-63: a damaged image, one that is too large, and one that is not downloaded")
  func states() throws {
    let broken = try module(file("image/png", failure: .corrupt))
    #expect(broken.state == .corrupted)
    #expect(broken.reason == "corrupt")
    #expect(broken.icon == .image)
    #expect(broken.label == "Image, damaged")
    let huge = try module(file("image/png", failure: .tooManyPixels))
    #expect(huge.state == .tooLarge)
    #expect(huge.reason == "tooManyPixels")
    #expect(try module(file("image/png", bytes: 10 * 1024 * 1024)).state == .tooLarge)
    #expect(try module(file("image/png", bytes: 10 * 1024 * 1024 - 1)).state == .placeholder)
    var away = MessageModule.File(name: "a", info: MediaInfo(type: .png, bytes: 9))
    away.isDownloaded = false
    away.images = [.init("t", from: .image)]
    let module = try module(.file(away))
    #expect(module.state == .notDownloaded)
    #expect(module.thumbnail == nil)
    #expect(module.icon == .image)
    #expect(module.label == "Image, not downloaded")
  }

  @Test("R-MMS-38: modules are in the order of composition, before and after sending")
  func order() {
    let message = MessageComposition(content: [
      .text("a"), .attachment(.init(.image("x"))), .attachment(.init(.video("y"))), .text("b"),
    ])
    let modules = message.modules()
    #expect(modules.map(\.kind) == [.text, .image, .video, .text])
    #expect(modules.map(\.id) == [nil, "x", "y", nil])
  }

  @Test("R-MMS-62: all names in a message differ")
  func names() {
    let modules = MessageModule.modules(of: [
      file("image/jpeg", name: "a"), .text("t"), file("image/jpeg", name: "/x/A.jpg"),
    ])
    #expect(modules.map(\.filename) == ["a.jpg", nil, "A_2.jpg"])
  }

  @Test(
    "R-MMS-31, R-MMS-32, R-MMS-33: the menu of an attachment depends on its kind, and is empty while images are being made smaller"
  )
  func menu() throws {
    let video = try module(file("video/mp4", name: "b.mp4"))
    let menu = try #require(video.menu())
    #expect(menu.header == "b.mp4")
    #expect(menu.options == [.view, .remove, .replace])
    #expect(menu.titles == ["View video", "Remove video", "Replace video"])
    #expect(video.menu(isResizing: true) == nil)
    for (type, noun) in [("image/jpeg", "image"), ("audio/amr", "audio"), ("text/vcard", "attachment")] {
      let titles = try module(file(type)).menu()?.titles
      #expect(titles == ["View \(noun)", "Remove \(noun)", "Replace \(noun)"])
    }
  }

  @Test(
    "Sizes for people (A12)",
    arguments: [
      (-1, "0 B"), (0, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (1_536, "1.5 kB"), (9_949, "9.9 kB"),
      (9_950, "10 kB"), (38_092, "38 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (1_572_864, "1.6 MB"),
      (Int.max, "9.2 EB"),
    ])
  func sizes(bytes: Int, label: String) throws {
    #expect(try module(file("application/zip", bytes: bytes)).size == label)
  }

  @Test(
    "Durations for a screen reader",
    arguments: [
      (0.0, "1 second"), (59.4, "59 seconds"), (59.6, "1 minute"), (3_661, "1 hour 1 minute 1 second"),
      (7_200, "2 hours"),
    ])
  func lengths(seconds: Double, text: String) throws {
    #expect(try module(file("audio/mpeg", duration: seconds)).label == "Audio x.mp3, \(text)")
  }

  @Test("Invalid facts are omitted", arguments: [Double.nan, .infinity, -1])
  func odd(duration: Double) throws {
    let module = try module(file("audio/mpeg", duration: duration))
    #expect(module.duration == nil)
    #expect(module.label == "Audio x.mp3")
  }

  @Test("A module is JSON with the keys of the command, without keys for absent facts")
  func json() throws {
    let module = try module(file("image/png", name: "a.png", images: [.init("t", from: .image)]))
    #expect(
      try JSON.text(module)
        == #"{"action":"view","bytes":2000,"filename":"a.png","id":"id","kind":"image","label":"Image","showsName":false,"size":"2.0 kB","state":"ready","thumbnail":"t","type":"image/png"}"#
    )
    #expect(try JSON.roundTrip(module) == module)
  }
}
