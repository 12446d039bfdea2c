internal import FileSupport
internal import Foundation
internal import Glibc
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("tray") struct TrayCommandTests {
  private func tray(_ roll: CameraRoll, _ options: [PathBytes] = []) throws -> (Command.Output, [String: Any]) {
    let output = try Command.run(["tray", roll.path, "--json"] + options)
    return (output, try #require(try output.records.first))
  }

  private func cells(_ record: [String: Any]) -> [[String: Any]] { record["cells"] as? [[String: Any]] ?? [] }

  private func names(_ record: [String: Any]) -> [String] {
    cells(record).compactMap { ($0["path"] as? String)?.split(separator: "/").last.map(String.init) }
  }

  @Test("R-TRAY-2: the newest files first, by capture time, else by file time; only photos and videos are included")
  func order() throws {
    let roll = try CameraRoll()
    // Taken 2024-05-01 05:52:33 and 2024-05-01 12:14:09, says EXIF; the files are newer.
    try roll.add("IMG_0001.jpg", as: "a.jpg", time: 1_780_000_000)
    try roll.add("IMG_0002.jpg", as: "b.jpg", time: 1_770_000_000)
    // No capture time: 2024-05-01 09:00:00 between them, and two of the same second.
    try roll.add("sticker.webp", as: "c.webp", time: 1_714_554_000)
    try roll.add("dance.gif", as: "d.gif", time: 1_714_554_000)
    try roll.add("VID_0008.mp4", as: "e.mp4", time: 1_500_000_000)
    try roll.add("notes.txt", as: "f.jpg")
    try roll.add("two-notes.mp3", as: "g.mp3")
    let (output, record) = try tray(roll)
    #expect(names(record) == ["e.mp4", "b.jpg", "d.gif", "c.webp", "a.jpg"])
    #expect(output.status == 0)
    #expect(output.errors == "")
    #expect(record["state"] as? String == "grid")
    #expect(record["access"] as? String == "full")
    let video = try #require(cells(record).first)
    #expect(video["kind"] as? String == "video")
    #expect(video["duration"] as? Double == 2)
    #expect((video["takenAt"] as? String)?.hasPrefix("2024-05-02T15:20:05") == true)
    #expect((video["thumbnail"] as? String)?.hasPrefix("data:image/webp;base64,") == true)
    #expect(cells(record)[2]["takenAt"] == nil)
    #expect(cells(record)[2]["time"] as? String == "2024-05-01T09:00:00Z")
    #expect(record["emptyCells"] as? Int == 7)
    #expect(record["remaining"] as? Int == 10)
    #expect(record["limitReached"] as? Bool == false)
  }

  @Test("R-TRAY-2: the fifty newest files, and the same fifty with any number of jobs") func fifty() throws {
    let roll = try CameraRoll()
    for number in 0..<70 {
      try roll.add("sticker.webp", as: "\(number % 7)/\(number).webp", time: 1_600_000_000 + number * 37 % 70)
    }
    let expected = (0..<70).sorted { $0 * 37 % 70 > $1 * 37 % 70 }.prefix(50).map { "\($0).webp" }
    for jobs in ["1", "7"] as [PathBytes] {
      let (_, record) = try tray(roll, ["--jobs", jobs])
      #expect(names(record) == expected)
    }
  }

  @Test("A capture time after the file's last change is a wrong clock, and the file's time is used") func wrongClock() {
    let taken = 4_000_000_000
    let input = Input(path: "x", content: .file)
    func time(changed: Int) -> Int {
      var info = MediaInfo(type: .jpeg, bytes: 1)
      info.takenAt = MediaInfo.CaptureTime(secondsSince1970: taken)
      return RecentFiles.Candidate(
        input: input, identity: FileIdentity(device: 0, inode: 0), modified: 5, changed: changed
      ).time(
        of: info)
    }
    #expect(time(changed: taken) == taken)
    #expect(time(changed: taken - 86_400) == taken, "zones")
    #expect(time(changed: taken - 86_401) == 5)
  }

  @Test(
    "The newest files are those that opening every file would give, with any number of open files (random files, seed printed)"
  )
  func exactness() {
    for seed in 0..<300 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let day = 86_400
      var infos: [PathBytes: MediaInfo] = [:]
      let candidates = (0..<random.below(60)).map { number in
        let changed = random.below(30) * day
        let input = Input(path: PathBytes("\(number)"), content: .file)
        var info = MediaInfo(type: random.below(5) == 0 ? .plainText : .jpeg, bytes: 1)
        // Before the change, a little after it, or far after it.
        if random.below(4) > 0 { info.takenAt = MediaInfo.CaptureTime(secondsSince1970: random.below(32 * day)) }
        infos[input.path] = info
        // Every tenth is a file that was there before.
        let identity = FileIdentity(device: 0, inode: UInt64(random.below(10) == 0 ? 0 : number))
        return RecentFiles.Candidate(
          input: input, identity: identity, modified: min(changed, random.below(30 * day)), changed: changed
        )
      }
      let count = random.below(12)
      var all = RecentFiles(candidates, count: .max)
      while let candidate = all.next() {
        all.note(infos[candidate.input.path] ?? MediaInfo(type: .jpeg, bytes: 1), of: candidate)
      }

      var search = RecentFiles(candidates, count: count)
      var open: [RecentFiles.Candidate] = []
      let workers = 1 + random.below(5)
      while true {
        while open.count < workers, let next = search.next() { open.append(next) }
        guard !open.isEmpty else { break }
        let candidate = open.removeFirst()
        search.note(infos[candidate.input.path] ?? MediaInfo(type: .jpeg, bytes: 1), of: candidate)
      }
      guard search.newest.map(\.asset) == all.newest.prefix(count).map(\.asset) else {
        Issue.record("seed \(seed)")
        return
      }
    }
  }

  @Test("Only files changed recently enough are opened") func opened() {
    let candidates = (0..<1_000).map { number in
      RecentFiles.Candidate(
        input: Input(path: PathBytes("\(number)"), content: .file),
        identity: FileIdentity(device: 0, inode: UInt64(number)), modified: number * 86_400, changed: number * 86_400)
    }
    var search = RecentFiles(candidates, count: 50)
    var opened = 0
    while let candidate = search.next() {
      opened += 1
      search.note(MediaInfo(type: .jpeg, bytes: 1), of: candidate)
    }
    // The fiftieth is of day 950; a file of day 949 could hold an image of that day.
    #expect(opened == 51)
    #expect(search.newest.count == 50)
  }

  /// What is printed of the damaged photo of a camera roll.
  private func damaged(in roll: CameraRoll) -> String {
    "mediatool: \(roll.path.appending("IMG_0010.jpg".utf8).text): truncated: The image is truncated.\n"
  }

  @Test("R-TRAY-5, R-TRAY-10, R-TRAY-27: --select selects in its order, by any path; refusals are reported")
  func select() throws {
    let roll = try CameraRoll.varied()
    let other = roll.scratch("roll/../roll/IMG_0001.jpg")
    let (output, record) = try tray(
      roll, ["--select", roll.path.appending("sticker.webp".utf8), other, roll.path.appending("beach.mp4".utf8)])
    #expect(output.status == 2)
    #expect(output.errors == damaged(in: roll) + "mediatool: beach.mp4 is 137 MB; the limit is 105 MB (100 MiB)\n")
    let selected = cells(record).filter { $0["selected"] != nil }
      .map { (($0["path"] as? String ?? "").split(separator: "/").last ?? "", $0["selected"] as? Int ?? 0) }
    #expect(Dictionary(uniqueKeysWithValues: selected) == ["sticker.webp": 1, "IMG_0001.jpg": 2])
    #expect(record["remaining"] as? Int == 8)
    let beach = try #require(cells(record).first { ($0["path"] as? String)?.hasSuffix("beach.mp4") == true })
    #expect(beach["enabled"] as? Bool == false)
    let reason = beach["reason"] as? [String: Any]
    #expect(reason?["code"] as? String == "fileTooLarge")
    #expect(reason?["limit"] as? Int == 104_857_600)
    #expect(reason?["actual"] as? Int == 137_363_456)
  }

  @Test("R-TRAY-8: a file outside the tray that is selected twice is attached once, without a message")
  func selectTwice() throws {
    let roll = try CameraRoll.varied()
    let outside = try roll.add("IMG_0006.heic", as: "../elsewhere.heic")
    let again = roll.scratch("roll/../elsewhere.heic")
    let (output, record) = try tray(roll, ["--select", outside, again, outside, roll.path.appending("dance.gif".utf8)])
    #expect(output.status == 0)
    #expect(!output.errors.contains("elsewhere"), "\(output.errors)")
    #expect(record["remaining"] as? Int == 8)
  }

  @Test("R-TRAY-8: the same content under another name, in the folder or from elsewhere, is a duplicate")
  func sameContent() throws {
    let roll = try CameraRoll.varied()
    let first = roll.path.appending("IMG_0001.jpg".utf8)
    let copy = try roll.add("IMG_0001.jpg", as: "copy.jpg")
    let outside = try roll.add("IMG_0001.jpg", as: "../outside.jpg")
    let (output, record) = try tray(roll, ["--select", first, copy, outside])
    #expect(output.status == 2)
    #expect(
      output.errors == damaged(in: roll) + "mediatool: copy.jpg is a duplicate of \(first.text)\n"
        + "mediatool: outside.jpg is a duplicate of \(first.text)\n")
    #expect(record["remaining"] as? Int == 9)
    let cell = try #require(cells(record).first { ($0["path"] as? String)?.hasSuffix("copy.jpg") == true })
    #expect((cell["reason"] as? [String: Any])?["code"] as? String == "duplicate")

    // Two from elsewhere are compared with each other too.
    try roll.add("IMG_0006.heic", as: "../one.heic")
    try roll.add("IMG_0006.heic", as: "../two.heic")
    let (both, _) = try tray(roll, ["--select", roll.scratch("one.heic"), roll.scratch("two.heic")])
    #expect(both.status == 2)
    #expect(both.errors.contains("two.heic is a duplicate"), "\(both.errors)")
  }

  @Test("R-TRAY-2: two names that only look the same are two photos") func lookalikes() throws {
    let roll = try CameraRoll()
    try roll.add("sticker.webp", as: "caf\u{E9}.webp")
    try roll.add("dance.gif", as: "cafe\u{301}.webp")
    let (_, record) = try tray(roll)
    #expect(cells(record).count == 2)
    #expect(Set(cells(record).compactMap { $0["thumbnail"] as? String }).count == 2)
  }

  @Test("R-TRAY-11: at the limit every other cell is disabled") func limit() throws {
    let roll = try CameraRoll.varied()
    let rules = try roll.scratch.file("rules.json", #"{"maxAttachments":1}"#)
    let (_, record) = try tray(roll, ["--policy", rules, "--select", roll.path.appending("IMG_0002.jpg".utf8)])
    #expect(record["limitReached"] as? Bool == true)
    #expect(record["remaining"] as? Int == 0)
    #expect(cells(record).filter { $0["enabled"] as? Bool == true }.count == 1)
  }

  @Test("R-TRAY-13, R-TRAY-15, R-TRAY-17: empty, limited and denied are distinguished; a missing input is an error")
  func access() throws {
    let roll = try CameraRoll()
    let (empty, record) = try tray(roll)
    #expect(empty.status == 0)
    #expect(record["state"] as? String == "empty")
    #expect(cells(record).isEmpty)
    let loop = try roll.scratch.link("loop", to: "loop")
    let denied = try Command.run(["tray", loop, "--json"])
    #expect(try denied.records.first?["state"] as? String == "denied")
    #expect(denied.errors.contains("loop: unreadable: "), "\(denied.errors)")
    #expect(try Command.run(["tray", loop, roll.scratch("none"), "-q"]).errors == "")
    try roll.add("sticker.webp", as: "a.webp")
    let (_, limited) = try tray(roll, [loop])
    #expect(limited["access"] as? String == "limited")
    #expect(limited["state"] as? String == "grid")
    let missing = try Command.run(["tray", roll.path, roll.scratch("none"), "--json"])
    #expect(missing.status == 1)
    #expect(missing.errors.contains("none does not exist"))
    #expect(try cells(#require(missing.records.first)).count == 1)
  }

  @Test("The thumbnails can be written to files, and the whole tray as one image") func files() throws {
    let roll = try CameraRoll.varied()
    let sheet = roll.scratch("sheet.png")
    // A sanitizer's own memory would be held against the worker.
    let isSanitized = ProcessInfo.processInfo.environment["MEDIATOOL_SANITIZER"] != nil
    let decoders: [PathBytes] = isSanitized ? ["--in-process"] : []
    let (output, record) = try tray(roll, ["-o", roll.scratch("small"), "--sheet", sheet] + decoders)
    #expect(output.status == 0)
    #expect(roll.scratch.files(below: "small").count == 12)
    #expect(cells(record).allSatisfy { FileManager.default.fileExists(atPath: $0["thumbnail"] as? String ?? "") })
    let facts = try #require(try Command.run(["probe", sheet, "--json"]).records.first)
    #expect(facts["type"] as? String == "image/png")
    #expect(facts["width"] as? Int == 2_648, "ten in a row, two rows")
    #expect(facts["height"] as? Int == 536, "ten in a row, two rows")
  }

  @Test("A thumbnail that cannot be written is reported with its name, and fails the run; the others are written")
  func unwritableThumbnails() throws {
    let roll = try CameraRoll()
    for number in 1...4 { try roll.add("IMG_000\(number).jpg", as: "\(number).jpg") }
    try roll.scratch.folder("small/1.grid.webp")
    try roll.scratch.fifo("small/2.grid.webp")
    try roll.scratch.link("small/3.grid.webp", to: "../outside")
    for more in [[], ["--table"], ["--html", roll.scratch("tray.html")]] as [[PathBytes]] {
      let output = try Command.run(["tray", roll.path, "-o", "small"] + more, folder: roll.scratch.path)
      #expect(output.status == 1, "\(more)")
      for number in 1...3 {
        #expect(output.errors.contains("small/\(number).grid.webp: unwritable: "), "\(more): \(output.errors)")
      }
      #expect(!output.errors.contains("4.grid.webp"), "\(output.errors)")
      #expect(roll.scratch.files(below: "small").contains("4.grid.webp"))
      #expect(!FileManager.default.fileExists(atPath: roll.scratch("outside").text))
    }
    let record = try #require(
      try Command.run(["tray", roll.path, "-o", "small", "--json"], folder: roll.scratch.path).records.first)
    let thumbnails = cells(record).compactMap { $0["thumbnail"] as? String }
    #expect(thumbnails.count == 4)
    #expect(thumbnails.count { $0.hasPrefix("data:image/webp") } == 3)
    #expect(thumbnails.contains("small/4.grid.webp"))
    #expect(try Command.run(["tray", roll.path, "-o", "small", "-q"], folder: roll.scratch.path).errors == "")
  }

  @Test("A name that is not UTF-8 is reported completely") func bytes() throws {
    let roll = try CameraRoll()
    try roll.add("sticker.webp", as: "a.webp")
    let odd = roll.path.appending([0x66, 0xFC, 0x72] + Array(".webp".utf8))
    let renamed = roll.path.appending("a.webp".utf8).withCString { from in odd.withCString { rename(from, $0) } }
    try #require(renamed == 0)
    let (_, record) = try tray(roll)
    let cell = try #require(cells(record).first)
    #expect(cell["pathBytes"] as? String == Data(odd.bytes).base64EncodedString())
    #expect(cell["thumbnail"] != nil)
  }

  @Test("A page or sheet that cannot be written is a software error, not one of an input") func unwritable() throws {
    let roll = try CameraRoll()
    for option in ["--html", "--sheet"] as [PathBytes] {
      let file = try roll.scratch.file("file")
      let output = try Command.run(["tray", roll.path, option, file.appending("x.html".utf8)])
      #expect(output.status == 70)
      #expect(output.errors.contains("cannot write"))
    }
  }
}
