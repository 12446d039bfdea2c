internal import FileSupport
internal import Foundation
internal import MediaModel
internal import Testing

@testable internal import MediatoolCommand

@Suite("Results as JSON") struct RecordTests {
  private var info: MediaInfo {
    var info = MediaInfo(type: .jpeg, bytes: 1_234)
    info.width = 4_032
    info.height = 3_024
    info.orientation = .right
    info.latitude = 51.47812345678
    info.longitude = -0.1 - 0.2
    info.duration = 1.0000000001
    info.frameRate = 30_000.0 / 1_001
    info.takenAt = MediaInfo.CaptureTime(iso8601: "2018-07-25T16:34:23+02:00")
    info.takenAtSource = .exif
    info.mismatch = MediaInfo.Mismatch(declared: "png", by: .extension, class: .format)
    return info
  }

  @Test func `A fact is a key, and an unknown one has none`() throws {
    #expect(
      try JSONLine.text(ProbeRecord(path: "IN/a.png", info: info))
        == #"{"bytes":1234,"duration":1,"extension":"jpg","frameRate":29.97,"height":3024,"kind":"image","#
        + #""latitude":51.4781235,"longitude":-0.3,"mismatch":{"by":"extension","class":"format","declared":"png"},"#
        + #""orientation":6,"path":"IN/a.png","takenAt":"2018-07-25T16:34:23+02:00","takenAtSource":"exif","#
        + #""type":"image/jpeg","width":4032}"#)
  }

  @Test func `An error is beside the facts`() throws {
    var info = MediaInfo(type: .jpeg, bytes: 5)
    info.error = MediaFailure(.truncated, "It ends early.")
    #expect(
      try JSONLine.text(ProbeRecord(path: "a", info: info))
        == #"{"bytes":5,"error":{"code":"truncated","message":"It ends early.","retry":"never"},"extension":"jpg","kind":"image","path":"a","#
        + #""type":"image/jpeg"}"#)
  }

  @Test func `A file that cannot be opened has no facts`() throws {
    #expect(
      try JSONLine.text(ProbeRecord(path: "a", failure: MediaFailure(.notFound, "No.")))
        == #"{"error":{"code":"notFound","message":"No.","retry":"never"},"path":"a"}"#)
  }

  @Test func `Numbers that JSON cannot express are omitted`() throws {
    var info = MediaInfo(type: .jpeg, bytes: 5)
    info.duration = .nan
    info.latitude = .infinity
    info.altitude = 1e300
    let line = try JSONLine.text(ProbeRecord(path: "a", info: info))
    #expect(!line.contains("duration"))
    #expect(!line.contains("latitude"))
    #expect(line.contains(#""altitude":1e+300"#))
  }

  @Test func `Control characters are escaped, and are equal after decoding`() throws {
    let name = "\u{1B}\u{9B}\u{7F}\u{202E}\u{2028}\u{E0041}é日\u{200D}/\\\"\n"
    let line = try JSONLine.text(ProbeRecord(path: PathBytes(name), failure: MediaFailure(.empty, "")))
    #expect(line.unicodeScalars.allSatisfy(DisplayText.isHarmless))
    #expect(line.contains("é日\u{200D}/"))
    let record = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(record["path"] as? String == name)
  }

  @Test func `A thumbnail record has the keys of the design`() throws {
    var record = ThumbnailRecord(path: "a.jpg")
    let still = Rendition(
      name: "grid", type: .webp, width: 256, height: 256, from: .image, quality: 79, data: [1, 2, 3])
    let moving = Rendition(name: "view", type: .webp, width: 9, height: 8, frames: 12, from: .poster, data: [])
    record.renditions = [
      .init(rendition: .init(still), file: "out/a.grid.webp"),
      .init(rendition: .init(moving), file: PathBytes([0x6F, 0xFF])),
    ]
    record.placeholder = Placeholder(thumbhash: "t", blurhash: "b", color: "#010203")
    record.bytesRead = 99
    #expect(
      try JSONLine.text(record)
        == ##"{"bytesRead":99,"path":"a.jpg","placeholder":{"blurhash":"b","color":"#010203","thumbhash":"t"},"renditions":["##
        + ##"{"bytes":3,"file":"out/a.grid.webp","from":"image","height":256,"name":"grid","quality":79,"type":"image/webp","##
        + #""width":256},"#
        + ##"{"bytes":0,"file":"o�","fileBytes":"b/8=","frames":12,"from":"poster","height":8,"name":"view","##
        + #""type":"image/webp","width":9}]}"#)
  }

  @Test func `Results of a video, an audio file and other files have keys of their own`() throws {
    var record = ThumbnailRecord(path: "a")
    record.posterTime = 1.23456
    record.framesDecoded = 7
    record.peaks = [0, 0.12345, 1, .nan]
    record.icon = .spreadsheet
    #expect(
      try JSONLine.text(record)
        == #"{"framesDecoded":7,"icon":"spreadsheet","path":"a","peaks":[0,0.123,1,0],"posterTime":1.235,"renditions":[]}"#
    )
    #expect(ThumbnailTable.rows(record).map { $0.cells.map(\.text) } == [["a", "icon", "spreadsheet", "", ""]])
    record.error = MediaFailure(.encrypted, "No.")
    #expect(ThumbnailTable.rows(record).map { $0.cells.map(\.text) } == [["a", "icon", "spreadsheet", "", ""]])
    #expect(ThumbnailTable.rows(record).map { $0.notes.map(\.text) } == [["encrypted: No."]])
  }

  @Test func `Peaks have three places`() throws {
    var record = ThumbnailRecord(path: "a")
    record.peaks = [0, 1, 1 / 3, 0.0005, .nan]
    #expect(try JSONLine.text(record) == #"{"path":"a","peaks":[0,1,0.333,0.001,0],"renditions":[]}"#)
  }

  @Test func `A thumbnail record with nothing has an empty list of renditions`() throws {
    var record = ThumbnailRecord(path: "a")
    record.error = MediaFailure(.notFound, "No.")
    #expect(
      try JSONLine.text(record)
        == #"{"error":{"code":"notFound","message":"No.","retry":"never"},"path":"a","renditions":[]}"#)
  }

  @Test func `The probe table shows the facts, and the problems below them`() {
    let row = ProbeTable.row(ProbeRecord(path: "a.png", info: info))
    #expect(
      row.cells.prefix(7).map(\.text) == ["a.png", "image jpg", "1.2 kB", "4032×3024", "0:01.0", "2018-07-25", "yes"])
    #expect(row.notes.map(\.text) == ["declared png, is image/jpeg"])
    let failed = ProbeTable.row(ProbeRecord(path: "a", failure: MediaFailure(.notFound, "No.")))
    #expect(failed.cells.map(\.text).filter { !$0.isEmpty } == ["a"])
    #expect(failed.notes.map(\.text) == ["notFound: No."])
    #expect(ProbeTable.columns.count == row.cells.count)
  }

  @Test func `One file alone has a line for each fact`() {
    let facts = FactsView.facts(ProbeRecord(path: "a.png", info: info))
    let text = Dictionary(facts.map { ($0.name, $0.text.text) }) { $1 }
    #expect(facts.first?.text.text == "a.png")
    #expect(text["Type"] == "image/jpeg (image)")
    #expect(text["Size"]?.hasPrefix("1.2 kB (") == true)
    #expect(text["Dimensions"] == "4032×3024 (12.2 megapixels)")
    #expect(text["Taken"]?.hasPrefix("2018-07-25 ") == true)
    #expect(text["Location"]?.contains(", ") == true)
    #expect(text["Problem"] == "declared png, is image/jpeg")
    #expect(text["Pages"] == nil)
    let failed = FactsView.facts(ProbeRecord(path: "a", failure: MediaFailure(.notFound, "No.")))
    #expect(failed.map(\.name) == ["File", "Problem"])
  }
}
