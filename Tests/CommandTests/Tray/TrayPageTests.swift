internal import FileSupport
internal import Foundation
internal import Testing

@testable internal import MediatoolCommand

/// The page of `tray --html` in a real browser.
@Suite("The page of the tray", .serialized, .enabled(if: Browser.isPresent, "skipped, no chromium"))
struct TrayPageTests {
  static let cell = "document.querySelectorAll('#grid [role=option]')"

  func named(_ name: String) -> String {
    "Array.from(\(Self.cell)).find(c => c.dataset.file === \(quoted(name)))"
  }

  private func quoted(_ text: String) -> String { "'\(text)'" }

  func opened(_ options: [PathBytes] = [], roll: CameraRoll? = nil) throws -> (
    browser: Browser, roll: CameraRoll
  ) {
    let roll = try roll ?? CameraRoll.varied()
    let browser = try Browser()
    try browser.show(width: 1_200, height: 900, dark: false)
    try browser.open(roll.page(options))
    return (browser, roll)
  }

  @Test("A file's name is never markup, and the page loads, runs and sends nothing but its own script")
  func standsAlone()
    throws
  {
    let (browser, _) = try opened()
    let expected = "\(CameraRoll.hostileName), photo, "
    #expect(try browser.isTrue("Array.from(\(Self.cell)).some(c => c.ariaLabel.startsWith(\(quoted(expected))))"))
    #expect(try browser.number("document.querySelectorAll('img').length") == 12)
    #expect(
      try browser.isTrue(
        "Array.from(document.images).every(i => i.src.startsWith('data:image/') && i.naturalWidth > 0)"))
    // It is text in the message too, where the script puts it.
    try browser.click(named(CameraRoll.hostileName))
    #expect(
      try browser.text("document.querySelector('#draft button').ariaLabel") == "Remove \(CameraRoll.hostileName)")
    #expect(try browser.number("document.querySelectorAll('img').length") == 13)

    browser.expectThatItStandsAlone()
  }

  @Test("The policy of the page allows no other script, no request and no markup from text") func policy() throws {
    let (browser, _) = try opened()
    #expect(try browser.violation("fetch('https://example.org/').catch(() => {})") == "connect-src")
    #expect(
      try browser.violation("const i = new Image(); i.src = 'https://example.org/x.png'; document.body.append(i)")
        == "img-src")
    #expect(
      try browser.violation(
        "const f = document.createElement('iframe'); f.src = 'https://example.org/'; document.body.append(f)")
        == "frame-src")
    #expect(try browser.violation("document.body.setAttribute('style', 'color: red')") == "style-src-attr")
    #expect(
      try browser.violation("const s = document.createElement('style'); s.textContent = 'a{}'; document.head.append(s)")
        == "style-src-elem")
    #expect(throws: Browser.Refusal.self) { try browser.value("document.body.innerHTML = '<b>x</b>'") }
  }

  @Test("R-TRAY-5, R-TRAY-7, R-TRAY-9: everything can be done with the keyboard alone") func keyboard() throws {
    let (browser, _) = try opened()
    func focused() throws -> Int? { try browser.number("Array.from(\(Self.cell)).indexOf(document.activeElement)") }
    try browser.press("Tab")
    #expect(try focused() == 0)
    let row = try #require(
      try browser.number("Array.from(\(Self.cell)).findIndex(c => c.offsetTop > document.activeElement.offsetTop)"))
    #expect(row > 2)
    // A month begins a row of its own, which may be shorter.
    let next = try #require(
      try browser.number(
        "Array.from(\(Self.cell)).filter(c => c.offsetTop === \(Self.cell)[\(row)].offsetTop).length"))
    let last = try #require(try browser.number("\(Self.cell).length")) - 1
    for (key, place) in [
      ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("ArrowDown", row + min(1, next - 1)), ("ArrowUp", 1),
      ("ArrowUp", 1),
      ("End", last), ("ArrowRight", last), ("Home", 0),
    ] {
      try browser.press(key)
      #expect(try focused() == place, "\(key)")
    }
    try browser.press(" ")
    // The second cell is a video that is too large.
    try browser.press("ArrowRight")
    try browser.press("ArrowRight")
    try browser.press("Enter")
    #expect(try browser.text("document.activeElement.querySelector('.check').textContent") == "2")
    #expect(try browser.text("document.activeElement.ariaSelected") == "true")
    // The focus is another ring than the frame of what is selected (WCAG 2.2, 2.4.7).
    #expect(
      try browser.isTrue(
        "(e => getComputedStyle(e).outlineStyle === 'solid' && getComputedStyle(e).outlineColor !== "
          + "getComputedStyle(e.querySelector('.check')).backgroundColor)(document.activeElement)"))
    #expect(try browser.text("document.getElementById('remaining').textContent") == "2 selected, 8 more can be added")
    try browser.press("Home")
    try browser.press(" ")
    #expect(try browser.text("\(Self.cell)[2].querySelector('.check').textContent") == "1", "the numbers close up")
    // On to the message, and out of it again.
    try browser.press("Tab")
    #expect(try browser.isTrue("document.activeElement.ariaLabel.startsWith('Remove ')"))
    try browser.press("Enter")
    #expect(try browser.text("document.getElementById('remaining').textContent") == "0 selected, 10 more can be added")
    #expect(try browser.isTrue("document.getElementById('message').hidden"))
    #expect(try focused() == 2, "the focus is not lost with the button")
  }

  @Test("R-TRAY-10: a file that is too large is disabled, states so when it is tapped, and is not added")
  func tooLarge()
    throws
  {
    let (browser, _) = try opened()
    let beach = named("beach.mp4")
    #expect(try browser.text("\(beach).ariaDisabled") == "true")
    #expect(try browser.text("\(beach).querySelector('.why').textContent") == "too large")
    #expect(try browser.text("\(named("IMG_0010.jpg")).querySelector('.why').textContent") == "unreadable")
    #expect(try browser.isTrue("document.getElementById('toast').hidden"))
    try browser.click(beach)
    #expect(
      try browser.text("document.getElementById('toast').textContent")
        == "beach.mp4 is 137 MB; the limit is 105 MB (100 MiB)")
    #expect(try browser.isTrue("!document.getElementById('toast').hidden"))
    #expect(try browser.text("document.getElementById('remaining').textContent") == "0 selected, 10 more can be added")
    try browser.press("Escape")
    #expect(try browser.isTrue("document.getElementById('toast').hidden"))
  }

  @Test("R-TRAY-6, R-TRAY-11, R-TRAY-12, R-TRAY-26: at the limit the others are disabled; deselecting one enables them")
  func limit() throws {
    let roll = try CameraRoll.varied()
    let rules = try roll.scratch.file("rules.json", #"{"maxAttachments":2}"#)
    let (browser, _) = try opened(["--policy", rules], roll: roll)
    try browser.click(named("IMG_0001.jpg"))
    try browser.click(named("IMG_0002.jpg"))
    #expect(try browser.text("document.getElementById('toast').textContent") == "The limit of 2 files is reached")
    let enabled =
      "Array.from(\(Self.cell)).filter(c => c.ariaDisabled === 'false').map(c => c.dataset.file).sort().join()"
    #expect(try browser.text(enabled) == "IMG_0001.jpg,IMG_0002.jpg")
    try browser.click(named("IMG_0003.jpg"))
    #expect(try browser.text("document.getElementById('toast').textContent") == "the limit of 2 files is reached")
    #expect(try browser.number("document.querySelectorAll('.selected').length") == 2)
    try browser.click("document.querySelector('#draft button')")
    #expect(try browser.text("\(named("IMG_0002.jpg")).querySelector('.check').textContent") == "1")
    #expect(try browser.number("\(enabled).split(',').length") == 10)
    try browser.click("document.getElementById('clear')")
    #expect(try browser.text("document.getElementById('remaining').textContent") == "0 selected, 2 more can be added")
  }

  @Test("Files selected with --select are selected in the page, with their numbers, and refusals are reported")
  func chosen() throws {
    let roll = try CameraRoll.varied()
    let outside = try roll.add("IMG_0006.heic", as: "../elsewhere.heic")
    let names = ["IMG_0003.jpg", "beach.mp4", "IMG_0001.jpg"].map { roll.path.appending($0.utf8) }
    let (browser, _) = try opened(["--select", names[0], outside, names[1], names[2]], roll: roll)
    #expect(try browser.text("\(named("IMG_0003.jpg")).querySelector('.check').textContent") == "1")
    #expect(try browser.text("\(named("IMG_0001.jpg")).querySelector('.check').textContent") == "3")
    #expect(try browser.text("document.getElementById('remaining').textContent") == "3 selected, 7 more can be added")
    #expect(
      try browser.text("document.getElementById('toast').textContent")
        == "beach.mp4 is 137 MB; the limit is 105 MB (100 MiB)")
    try browser.keepScreenshot("tray-chosen")
    // R-TRAY-6: what the grid does not show is in the message too, under its name, and can be taken out.
    let tiles = "Array.from(document.querySelectorAll('#draft button'), b => b.ariaLabel).join()"
    #expect(try browser.text(tiles) == "Remove IMG_0003.jpg,Remove elsewhere.heic,Remove IMG_0001.jpg")
    try browser.click("document.querySelectorAll('#draft button')[1]")
    #expect(try browser.text(tiles) == "Remove IMG_0003.jpg,Remove IMG_0001.jpg")
    #expect(try browser.text("\(named("IMG_0001.jpg")).querySelector('.check').textContent") == "2")
    #expect(try browser.text("document.activeElement.ariaLabel") == "Remove IMG_0001.jpg")
    // The last tile gone, the focus is in the grid.
    try browser.click("document.querySelector('#draft button')")
    try browser.click("document.querySelector('#draft button')")
    #expect(try browser.text("document.activeElement.dataset.file") == "IMG_0001.jpg")
  }

  @Test("The bytes of a message are counted as the policy counts them: files that cannot be made smaller count fully")
  func bytes() throws {
    let roll = try CameraRoll.varied()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: roll.path.appending("dance.gif".utf8).text)).count
    // Room for the moving image and one that can be made smaller, and not for a video beside them.
    let rules = try roll.scratch.file("rules.json", #"{"shrinksImages":true,"maxMessageBytes":\#(bytes + 16_500)}"#)
    let (browser, _) = try opened(["--policy", rules, "--select", roll.path.appending("dance.gif".utf8)], roll: roll)
    #expect(try browser.text("\(named("VID_0008.mp4")).ariaDisabled") == "true")
    #expect(try browser.text("\(named("IMG_0001.jpg")).ariaDisabled") == "false")
    try browser.click(named("IMG_0001.jpg"))
    #expect(try browser.text("document.getElementById('remaining').textContent") == "2 selected, 8 more can be added")
    #expect(try browser.text("\(named("IMG_0002.jpg")).querySelector('.why').textContent") == "size limit reached")
    try browser.click("document.querySelector('#draft button')")
    #expect(try browser.text("\(named("dance.gif")).ariaDisabled") == "false")
  }

  @Test("R-TRAY-5: a selection is visible at once, wherever among fifty photos it is, and covers no focus")
  func inSight() throws {
    let roll = try CameraRoll()
    for number in 0..<50 { try roll.add("sticker.webp", as: "\(number).webp", time: 1_600_000_000 + number) }
    let browser = try Browser()
    try browser.show(width: 390, height: 844, dark: false)
    try browser.open(roll.page())
    let inView = "(e => { const r = e.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight; })"
    try browser.click(named("49.webp"))
    #expect(try browser.isTrue("\(inView)(document.querySelector('#draft button'))"))
    #expect(try browser.isTrue("\(inView)(document.getElementById('remaining'))"))
    for _ in 0..<9 {
      try browser.press("ArrowDown")
      try browser.press(" ")
      // Nothing lies over the middle of what has the focus (WCAG 2.2, 2.4.11).
      #expect(
        try browser.isTrue(
          "(e => { const r = e.getBoundingClientRect(); return e.contains(document.elementFromPoint("
            + "r.x + r.width / 2, r.y + r.height / 2)); })(document.activeElement)"))
    }
    #expect(try browser.text("document.getElementById('remaining').textContent") == "10 selected, 0 more can be added")
    #expect(try browser.isTrue("document.getElementById('message').offsetHeight < 120"), "one row, however many")
    #expect(try browser.isTrue("document.documentElement.scrollWidth <= innerWidth"))
    let overlap = """
      (() => { const a = document.getElementById('toast').getBoundingClientRect(), \
      b = document.getElementById('message').getBoundingClientRect(); return a.height > 0 && a.bottom <= b.top; })()
      """
    #expect(try browser.isTrue(overlap), "the toast lies on the message")
    try browser.keepScreenshot("tray-phone-full")
  }

  @Test("A screen reader gets a list of options with name, kind, duration, day, number and reason") func screenReader()
    throws
  {
    let (browser, _) = try opened()
    try browser.click(named("VID_0008.mp4"))
    let spoken = try browser.spoken()
    let options = spoken.filter { $0.role == "option" }
    #expect(options.count == 12)
    #expect(Set(options.map(\.name)).count == 12)
    #expect(options.contains { $0.name == "VID_0008.mp4, video, 0:02, 2024-05-02, selected as number 1" })
    #expect(
      options.contains {
        $0.name.hasSuffix(", beach.mp4 is 137 MB; the limit is 105 MB (100 MiB)")
          && $0.properties["disabled"] as? Bool == true
      })
    #expect(
      spoken.contains { $0.role == "ListBox" || $0.role == "listbox" && $0.name.hasPrefix("Recent photos and videos") })
    #expect(spoken.contains { $0.role == "heading" && $0.name == "Recent photos and videos" })
    #expect(spoken.contains { $0.role == "status" })
    #expect(spoken.contains { $0.role == "button" && $0.name == "Remove VID_0008.mp4" })
  }

  @Test("Without scripts it is a plain grid, with numbers, badges and reasons") func withoutScripts() throws {
    let roll = try CameraRoll.varied()
    let page = try roll.page(["--select", roll.path.appending("IMG_0003.jpg".utf8)])
    let browser = try Browser()
    try browser.show(width: 390, height: 844, dark: false)
    try browser.send("Emulation.setScriptExecutionDisabled", ["value": true])
    try browser.open(page)
    let spoken = try browser.spoken()
    #expect(spoken.filter { $0.role == "listitem" }.count == 12)
    #expect(!spoken.contains { ["option", "button"].contains($0.role) }, "nothing that does nothing")
    let text = spoken.filter { $0.role == "StaticText" }.map(\.name)
    #expect(text.contains { $0.hasPrefix("IMG_0003.jpg, photo, ") && $0.hasSuffix(", selected as number 1") })
    #expect(text.contains { $0.hasSuffix("beach.mp4 is 137 MB; the limit is 105 MB (100 MiB)") })
    #expect(text.contains { $0.hasPrefix("\(CameraRoll.hostileName), photo, ") })
    #expect(text.contains("1 selected, 9 more can be added"))
    #expect(text.contains("too large"))
    try browser.keepScreenshot("tray-without-scripts")
  }

  @Test("An app that shows the page hears of the selection, and takes it with a Send button") func app() throws {
    let (browser, _) = try opened()
    #expect(try browser.isTrue("document.getElementById('send').hidden"), "nothing is sent without an app")
    _ = try browser.value(
      "window.heard = []; for (const n of ['selection', 'send']) document.addEventListener('mediatool:' + n, "
        + "e => heard.push(n + ' ' + JSON.stringify(e.detail))); document.dispatchEvent(new Event('mediatool:connect'))"
    )
    try browser.click(named("IMG_0001.jpg"))
    try browser.click("document.getElementById('send')")
    try browser.click("document.getElementById('clear')")
    let heard = try #require(try browser.text("heard.join('\\n')")).split(separator: "\n")
    try #require(heard.count == 3, "\(heard)")
    let cell = try #require(try browser.number("Array.from(\(Self.cell)).indexOf(\(named("IMG_0001.jpg")))"))
    #expect(heard[0].hasPrefix(#"selection {"count":1,"files":[{"cell":\#(cell),"name":"IMG_0001.jpg","bytes":"#))
    #expect(heard[1] == heard[0].replacing("selection", with: "send"))
    #expect(heard[2] == #"selection {"count":0,"files":[]}"#)
  }
}
