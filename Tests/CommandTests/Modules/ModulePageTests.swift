internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

/// The page of `modules --html` in a real browser.
@Suite("The page of messages", .serialized, .enabled(if: Browser.isPresent, "skipped, no chromium"))
struct ModulePageTests {
  private func opened(width: Int = 1_200, height: Int = 900, dark: Bool = false) throws -> (Browser, SampleThread) {
    let thread = try SampleThread()
    let browser = try Browser()
    try browser.show(width: width, height: height, dark: dark)
    try browser.open(thread.page(thread.varied()))
    return (browser, thread)
  }

  private func list(_ selector: String, _ property: String) -> String {
    "Array.from(document.querySelectorAll('\(selector)'), e => e.\(property)).join('\\n')"
  }

  @Test("No name and no text is ever markup, and the page loads, runs and sends nothing") func standsAlone() throws {
    let (browser, _) = try opened()
    // The elements are those of the page, and none is from untrusted text.
    #expect(try browser.number("document.querySelectorAll('script, b, i, iframe, [onerror], [style]').length") == 0)
    #expect(
      try browser.text("document.querySelector('.text').textContent") == SampleThread.hostileText,
      "the text stands as it was written, in lines too")
    #expect(try browser.text("document.querySelector('h2').textContent") == "Saturday <i>evening</i>")
    #expect(
      try browser.isTrue(
        "Array.from(document.images).every(i => i.src.startsWith('data:image/') && i.naturalWidth > 0)"))
    #expect(try browser.number("document.images.length") == 5)

    browser.expectThatItStandsAlone()
  }

  @Test("The policy of the page allows no script, no request and no markup from text") func policy() throws {
    let (browser, _) = try opened()
    #expect(try browser.violation("fetch('https://example.org/').catch(() => {})") == "connect-src")
    #expect(
      try browser.violation("const a = new Audio('https://example.org/x.mp3'); a.play().catch(() => {})") == "media-src"
    )
    let script =
      "document.body.append(document.createElement('script')); document.scripts[0].src = 'https://example.org/'"
    #expect(throws: Browser.Refusal.self) { try browser.value(script) }
    #expect(throws: Browser.Refusal.self) { try browser.value("document.body.innerHTML = '<b>x</b>'") }
  }

  @Test(
    "R-MMS-22, R-MMS-23, R-MMS-24, R-MMS-25: each link in a text is a separate link, and only if it is safe")
  func links() throws {
    let (browser, _) = try opened()
    #expect(
      try browser.text(list("a", "href"))
        == "https://example.org/a?b=1&c=\nmailto:anna@example.org\ntel:+15551234567")
    #expect(try browser.isTrue("Array.from(document.links).every(a => a.rel.includes('noopener'))"))
  }

  @Test("R-MMS-41, R-MMS-42, R-MMS-43: images show no name; videos and audio files do, and can be played") func kinds()
    throws
  {
    let (browser, _) = try opened()
    #expect(
      try browser.text(list(".module.image .name", "textContent")) == "Image", "that of a damaged one is its kind")
    #expect(
      try browser.text(list(".module.video .name, .module.audio .name", "textContent"))
        == "beach.mp4\ntwo-notes.mp3\nVoice 001.m4a\nMOV_0009.mov")
    #expect(try browser.number("document.querySelectorAll('video[poster^=\"data:image/\"][controls]').length") == 1)
    #expect(try browser.number("document.querySelectorAll('audio[controls]').length") == 2)
    #expect(try browser.number("document.querySelectorAll('.module.audio .waveform').length") == 2)
    #expect(try browser.number("document.querySelectorAll('.module.audio img.cover').length") == 1)
    // A video that browsers do not play has a poster and its length, and no button that does nothing.
    #expect(try browser.text(list(".module.video .length", "textContent")) == "0:02")
    // A browser lets nothing play before somebody has touched the page.
    try browser.click("document.querySelector('h1')")
    let played = """
      (async () => { const a = document.querySelector('audio'); a.muted = true; await a.play(); return a.duration > 3; })()
      """
    #expect(try browser.isTrue(played), "an audio file in the page plays")
  }

  @Test("R-MMS-46, R-MMS-48, R-MMS-63: content that is missing, damaged or unreadable is labelled so")
  func states() throws {
    let (browser, _) = try opened()
    #expect(
      try browser.text(list(".state-notDownloaded .facts > span", "textContent"))
        == "Multimedia message\n307 kB\nNot downloaded")
    #expect(try browser.isTrue("document.body.textContent.includes('Available for 3 days')"))
    #expect(try browser.text(list(".state-corrupted .problem", "textContent")) == "Damaged")
    #expect(try browser.isTrue("document.querySelector('.notice').textContent.includes('not an MMS PDU')"))
  }

  @Test("A screen reader gets a label for every message and every module, once") func spoken() throws {
    let (browser, _) = try opened()
    let spoken = try browser.spoken()
    #expect(
      spoken.filter { $0.role == "article" }.map(\.name) == [
        "Message from +15551234567, 2024-05-01 09:00 UTC",
        "Outgoing message to +15551234567, +15557654321, 2024-05-01 10:00 UTC",
        "Message from +15551234567, 2024-05-01 09:00 UTC", "Message from +15551234567", "Unreadable message",
      ])
    #expect(
      // The browser's own players have a group of theirs.
      spoken.filter { $0.role == "group" && $0.name != "buffering" }.map(\.name) == [
        "Image", "Video beach.mp4, 2 seconds", "Image", "Audio two-notes.mp3, 4 seconds",
        "Audio Voice 001.m4a, 3 seconds", "Video MOV_0009.mov, 2 seconds", "Ada Lovelace, Contact ada.vcf, 121 B",
        "Calendar dinner.ics, 32 B",
        "File boarding-pass.pdf, 1.7 kB", "Image, damaged", "File data.bin, 6 B", "Message, 307 kB, not downloaded",
      ])
    let names = spoken.filter { $0.role == "StaticText" }.map(\.name)
    #expect(!names.contains("ada.vcf"), "the name is in the label, and not said again")
  }

  @Test("The keyboard reaches every link and every player, in the order of the messages") func keyboard() throws {
    let (browser, _) = try opened()
    var reached: [String] = []
    for _ in 0..<40 {
      try browser.press("Tab")
      let element = try browser.text("document.activeElement.tagName") ?? ""
      if element == "BODY" { break }
      if reached.last != element || element == "A" { reached.append(element) }
    }
    #expect(reached == ["A", "A", "A", "VIDEO", "AUDIO"])
  }

  @Test("On a phone and on a desktop nothing overflows, and own messages are on the other side")
  func layout() throws {
    let (browser, _) = try opened()
    func edge(_ side: String, _ direction: String) throws -> Int {
      try #require(
        try browser.number(
          "Math.round(document.querySelector('.\(direction) article').getBoundingClientRect().\(side))"))
    }
    for (name, width, height) in [("narrow", 320, 568), ("phone", 390, 2_600), ("desktop", 1_280, 2_400)] {
      for dark in [false, true] {
        try browser.show(width: width, height: height, dark: dark)
        #expect(try browser.isTrue("document.documentElement.scrollWidth <= innerWidth"), "\(name)")
        #expect(try edge("left", "outgoing") > edge("left", "incoming"), "\(name)")
        #expect(try edge("right", "outgoing") > edge("right", "incoming"), "\(name)")
        try browser.keepScreenshot("messages-\(name)-\(dark ? "dark" : "light")")
      }
    }
  }

  @Test(
    "Photos in a row are a gallery; a portrait video has no strip beside it; damage and a person's name are visible")
  func shapes() throws {
    let roll = try CameraRoll()
    for number in 0..<9 { try roll.add("IMG_000\(1 + number % 5).jpg", as: "\(number).jpg") }
    try roll.add("IMG_0010.jpg", as: "broken.jpg")
    try roll.add("ada.vcf", as: "card.vcf")
    let portrait = roll.path.appending("tall.mp4".utf8).text
    let made = try Tool("ffmpeg", package: "ffmpeg").run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc=size=180x320:duration=1", "-pix_fmt", "yuv420p", portrait,
    ])
    try #require(made.status == 0, "\(made.errors)")
    let page = roll.scratch("message.html")
    let names = (0..<9).map { "\($0).jpg" } + ["card.vcf", "broken.jpg", "tall.mp4"]
    _ = try Command.run(["modules"] + names.map { roll.path.appending($0.utf8) } + ["--html", page])
    let browser = try Browser()
    try browser.show(width: 1_200, height: 900, dark: true)
    try browser.open(page)
    #expect(try browser.number("document.querySelectorAll('.gallery .picture').length") == 9)
    let height = try #require(try browser.number("document.querySelector('.gallery').offsetHeight"))
    #expect(height < 700, "\(height)")
    #expect(try browser.text("document.querySelector('.module.contact .name').textContent") == "Ada Lovelace")
    let damaged = "Array.from(document.querySelectorAll('.module.image')).some(e => e.innerText.includes('Damaged'))"
    #expect(try browser.isTrue(damaged))
    let strip = """
      (() => { const m = document.querySelector('.module.video'), v = m.querySelector('video, .picture'); \
      return Math.abs(m.getBoundingClientRect().width - v.getBoundingClientRect().width); })()
      """
    #expect(try browser.number("Math.round(\(strip))") ?? 99 <= 1)
    #expect(try browser.isTrue("document.documentElement.scrollWidth <= innerWidth"))
    browser.expectThatItStandsAlone()
    try browser.keepScreenshot("messages-gallery")
  }

  @Test("Nothing is behind a picture with transparent parts") func alpha() throws {
    let roll = try CameraRoll()
    try roll.add("sticker.webp", as: "sticker.webp")
    try roll.add("IMG_0001.jpg", as: "photo.jpg")
    let browser = try Browser()
    try browser.show(width: 1_200, height: 900, dark: true)
    let behind = "Array.from(document.images, e => getComputedStyle(e).backgroundColor).sort().join()"
    let page = roll.scratch("page.html")
    for verb: PathBytes in ["tray", "modules"] {
      _ = try Command.run([verb, roll.path, "--html", page])
      try browser.open(page)
      let colors = try #require(try browser.text(behind))
      #expect(colors.contains("rgba(0, 0, 0, 0)"), "\(verb): \(colors)")
      #expect(colors.contains("rgb("), "\(verb): \(colors)")
    }
  }

  @Test("Text and waveforms contrast with their bubble, light and dark (WCAG 2.2)", arguments: [false, true])
  func contrast(dark: Bool) throws {
    let (browser, _) = try opened(dark: dark)
    let ratio = """
      (selector) => {
        const numbers = (c) => c.match(/[\\d.]+/g).map(Number);
        const linear = (v) => v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4;
        const light = (c) => { const [r, g, b] = c.map(linear); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        return Array.from(document.querySelectorAll(selector)).map(e => {
          let under = e, back = [0, 0, 0, 0];
          do back = numbers(getComputedStyle(under).backgroundColor);
          while (back.length == 4 && back[3] < 1 && (under = under.parentElement));
          const [a, b] = [light(numbers(getComputedStyle(e).color).slice(0, 3)), light(back.slice(0, 3))];
          return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        });
      }
      """
    let lowest = try browser.value(
      "Math.min(...(\(ratio))('.text, a, .name, .detail, .problem, .who, .when, .notice, h1, h2'))")
    #expect((lowest as? Double ?? 0) >= 4.5, "\(lowest ?? "none")")
    // Of a drawing 3 : 1 (1.4.11); the bars are drawn in the color that was measured.
    let drawn = try browser.value("Math.min(...(\(ratio))('.waveform'))")
    #expect((drawn as? Double ?? 0) >= 3, "\(drawn ?? "none")")
    let stroke = "getComputedStyle(document.querySelector('.waveform path')).stroke"
    #expect(try browser.isTrue("\(stroke) === getComputedStyle(document.querySelector('.waveform')).color"))
  }

}
