internal import FileSupport
internal import Foundation
internal import Testing

@testable internal import MediatoolCommand

extension TrayPageTests {
  @Test("Months have headings, the first cell of a day shows the day; name and time are shown on hover and focus")
  func dates() throws {
    let roll = try CameraRoll()
    for (name, time) in [("a", 1_700_000_000), ("b", 1_700_000_600), ("c", 1_690_000_000)] {
      try roll.add("sticker.webp", as: "\(name).webp", time: time)
    }
    let (browser, _) = try opened(roll: roll)
    let headings = "Array.from(document.querySelectorAll('.month'), e => e.textContent).join()"
    #expect(try browser.text(headings) == "November 2023,July 2023")
    let days = "Array.from(\(Self.cell), e => e.querySelector('.day')?.textContent ?? '').join()"
    #expect(try browser.text(days) == "14 Nov,,22 Jul")
    try browser.press("Tab")
    let tip = "document.activeElement.querySelector('.tip')"
    #expect(try browser.text("\(tip).innerText") == "b.webp\n2023-11-14 22:23")
    #expect(try browser.text("getComputedStyle(\(tip)).opacity") == "1")
    #expect(try browser.text("getComputedStyle(\(Self.cell)[1].querySelector('.tip')).opacity") == "0")
    try browser.hover("\(Self.cell)[1]")
    #expect(try browser.text("getComputedStyle(\(Self.cell)[1].querySelector('.tip')).opacity") == "1")
    #expect(try browser.text("\(Self.cell)[1].querySelector('.tip').innerText") == "a.webp\n2023-11-14 22:13")
    // Down from the first month is the next one, and up is back.
    try browser.press("ArrowDown")
    #expect(try browser.text("document.activeElement.dataset.file") == "c.webp")
    try browser.press("ArrowUp")
    #expect(try browser.text("document.activeElement.dataset.file") == "b.webp")
    try browser.keepScreenshot("tray-months")
  }

  @Test("Light and dark, on a phone and on a desktop: readable, without overflow") func looks() throws {
    let (browser, _) = try opened()
    try browser.click(named("IMG_0002.jpg"))
    try browser.click(named("VID_0008.mp4"))
    try browser.click(named("beach.mp4"))
    for (name, width, height) in [("narrow", 320, 568), ("phone", 390, 844), ("desktop", 1_280, 800)] {
      for dark in [false, true] {
        try browser.show(width: width, height: height, dark: dark)
        let place = "\(name), \(dark ? "dark" : "light")"
        #expect(try browser.isTrue("document.documentElement.scrollWidth <= innerWidth"), "\(place)")
        let columns = try browser.number(
          "getComputedStyle(document.getElementById('grid')).gridTemplateColumns.split(' ').length")
        #expect(columns == 4 || width > 600 && (columns ?? 0) > 6, "\(place): \(columns ?? 0)")
        // WCAG 2.2, 1.4.3: 4.5 to 1.
        for element in ["h1", "#remaining", "#toast", ".selected .check", ".why:not(:empty)", "#clear"] {
          let contrast = try #require(
            try browser.value("(\(Self.contrast))(document.querySelector('\(element)'))") as? Double)
          #expect(contrast >= 4.5, "\(place): \(element) has \(contrast)")
        }
        let isDark = try browser.isTrue("(\(Self.luminance))(getComputedStyle(document.body).backgroundColor) < 0.2")
        #expect(isDark == dark, "\(place)")
        let covered = """
          Array.from(document.querySelectorAll('.badge ~ .day')).some(e => {
            const [a, b] = [e.getBoundingClientRect(), e.parentElement.querySelector('.badge').getBoundingClientRect()]
            return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
          })
          """
        #expect(try !browser.isTrue(covered), "\(place): a day covers a duration")
        if name != "narrow" {
          let cut = "Array.from(document.querySelectorAll('.why:not(:empty)')).some(e => e.scrollWidth > e.clientWidth)"
          #expect(try !browser.isTrue(cut), "\(place): a reason is cut")
        }
        try browser.keepScreenshot("tray-\(name)-\(dark ? "dark" : "light")")
      }
    }
  }

  /// Relative luminance (WCAG 2.2) of a color `rgb(…)`.
  private static let luminance = """
    (text => {
      const [r, g, b] = text.match(/[\\d.]+/g).map(n => n / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    })
    """

  /// Contrast of an element's text on the nearest background that is not transparent.
  private static let contrast = """
    (element => {
      const luminance = \(luminance);
      let behind = element;
      while (/, 0\\)|transparent/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
      const [a, b] = [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor].map(luminance);
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    })
    """

  @Test("R-TRAY-15, R-TRAY-17: an empty folder and an unreadable one have pages of their own") func states()
    throws
  {
    let roll = try CameraRoll()
    let (browser, _) = try opened(roll: roll)
    #expect(try browser.text("document.querySelector('.state').textContent")?.hasPrefix("No photos or videos") == true)
    try browser.keepScreenshot("tray-empty")
    try roll.scratch.link("loop", to: "loop")
    let page = roll.scratch("denied.html")
    _ = try Command.run(["tray", roll.scratch("loop"), "--html", page])
    try browser.open(page)
    #expect(try browser.text("document.querySelector('.state').textContent")?.contains("No permission to read") == true)
    try browser.show(width: 390, height: 844, dark: true)
    try browser.keepScreenshot("tray-denied")
    #expect(!browser.events.contains { $0.method == "Runtime.exceptionThrown" })
  }
}
