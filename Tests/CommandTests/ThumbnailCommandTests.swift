internal import FileSupport
internal import Foundation
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

@Suite("thumbnail from end to end") struct ThumbnailCommandTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// A PNG of 40 × 20 pixels, its left half red and its right half blue.
  private static let image = Data(
    base64Encoded:
      "iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAIAAABwJOjsAAAAJ0lEQVR42mP4z8BANqJA63+GUYtHLR61eNTiUYtHLR61eNTikWMxAGDtHQ7V1k7X"
      + "AAAAAElFTkSuQmCC")

  private func image(_ name: String) throws {
    let file = try scratch.file(name, "")
    try #require(Self.image).write(to: URL(fileURLWithPath: file.text))
  }

  private func files(_ result: Command.Output) throws -> [[String]] {
    try result.records.map { record in
      try #require(record["renditions"] as? [[String: Any]]).compactMap { $0["file"] as? String }
    }
  }

  @Test func `Images are where the results state, and have the stated size and format`() throws {
    try image("IN/photo.png")
    let result = try Command.run(
      [
        "thumbnail", "IN/photo.png", "-o", "OUT", "--size", "grid", "--size", "16", "--size", "8x6", "--fit", "contain",
      ],
      folder: scratch.path)
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(try files(result) == [["OUT/photo.grid.webp", "OUT/photo.16.webp", "OUT/photo.8x6.webp"]])
    let record = try #require(try result.records.first)
    let renditions = try #require(record["renditions"] as? [[String: Any]])
    // Never larger than the image itself, never larger than the box.
    #expect(renditions.map { $0["width"] as? Int } == [40, 16, 8])
    #expect(renditions.map { $0["height"] as? Int } == [20, 8, 4])
    for rendition in renditions {
      let written = try #require(FileManager.default.contents(atPath: scratch(rendition["file"] as? String ?? "").text))
      #expect(written.count == rendition["bytes"] as? Int)
      #expect(written.prefix(4) == Data("RIFF".utf8))
    }
    #expect(record["placeholder"] != nil)
    #expect(record["error"] == nil)
    #expect(scratch.files(below: "OUT").count == 3)
  }

  @Test("R-CHAT-14: the profile image of a landscape or portrait photo is a square of 128 pixels") func avatar() throws
  {
    for name in ["camera-roll/IMG_0001.jpg", "orientation/portrait-6.jpg"].map(Fixture.path) {
      let result = try Command.run(
        ["thumbnail", PathBytes(name), "-o", "OUT", "--size", "avatar"], folder: scratch.path)
      let rendition = try #require((try result.records.first?["renditions"] as? [[String: Any]])?.first)
      #expect(rendition["width"] as? Int == 128, "\(name)")
      #expect(rendition["height"] as? Int == 128, "\(name)")
    }
  }

  @Test func `An audio file has its cover or its waveform and its peaks`() throws {
    for (arguments, from, peaks) in [([], "cover", 100), (["--waveform", "--peaks", "8"], "waveform", 8)] {
      let file = PathBytes(Fixture.path("audio/back-front.mp3"))
      let result = try Command.run(
        ["thumbnail", file, "-o", "OUT", "--size", "24x16"] + arguments.map { PathBytes($0) }, folder: scratch.path)
      #expect(result.status == 0)
      let record = try #require(try result.records.first)
      let renditions = try #require(record["renditions"] as? [[String: Any]])
      #expect(renditions.map { $0["from"] as? String } == [from])
      #expect((record["peaks"] as? [Double])?.count == peaks)
    }
    let none = try Command.run(
      ["thumbnail", PathBytes(Fixture.path("audio/back-front.mp3")), "-o", "OUT", "--peaks", "0"], folder: scratch.path)
    #expect(try #require(none.records.first)["peaks"] == nil)
    for wrong: PathBytes in ["-1", "4097", "x"] {
      #expect(try Command.run(["thumbnail", "a.mp3", "--peaks", wrong], folder: scratch.path).status == 64)
    }
  }

  @Test func `Every format is written under its own extension`() throws {
    try image("a.png")
    for (format, name) in [
      ("webp", "a.grid.webp"), ("jpeg", "a.grid.jpg"), ("png", "a.grid.png"), ("avif", "a.grid.avif"),
    ] {
      let result = try Command.run(
        ["thumbnail", "a.png", "-o", "OUT", "--format", PathBytes(format)], folder: scratch.path)
      #expect(result.status == 0)
      #expect(try files(result) == [["OUT/\(name)"]])
    }
  }

  @Test func `A tree is mirrored and nothing is overwritten, whatever the number of jobs`() throws {
    for name in ["2018/a.png", "2018/07/a.png", "2018/a.PNG", "a.png"] { try image("IN/\(name)") }
    try image("ELSE/a.png")
    var trees: [[String: Data?]] = []
    for jobs: PathBytes in ["1", "8", "8"] {
      let result = try Command.run(
        ["thumbnail", "IN", "ELSE", "ELSE/a.png", "-o", "OUT", "--jobs", jobs], folder: scratch.path)
      #expect(result.status == 0)
      #expect(
        try files(result).flatMap { $0 } == [
          "OUT/a.grid.webp", "OUT/2018/a.grid.webp", "OUT/2018/a-2.grid.webp", "OUT/2018/07/a.grid.webp",
          "OUT/a-2.grid.webp", "OUT/a-3.grid.webp",
        ])
      let tree = scratch.files(below: "OUT")
      trees.append(
        Dictionary(
          uniqueKeysWithValues: tree.map { ($0, FileManager.default.contents(atPath: scratch("OUT/\($0)").text)) }))
    }
    #expect(trees[0].count == 6)
    #expect(trees[0] == trees[1])
    #expect(trees[1] == trees[2])
  }

  @Test func `Without a stated folder images are in thumbnails`() throws {
    try image("a.png")
    let result = try Command.run(["thumbnail", "a.png"], folder: scratch.path)
    #expect(try files(result) == [["thumbnails/a.grid.webp"]])
  }

  @Test func `Images of standard input have its name`() throws {
    let bytes = try [UInt8](#require(Self.image))
    let result = try Command.run(["thumbnail", "-", "-o", "OUT"], input: bytes, folder: scratch.path)
    #expect(try files(result) == [["OUT/stdin.grid.webp"]])
    #expect(try result.records.first?["path"] as? String == "-")
  }

  @Test func `The images of one run are no inputs of the next`() throws {
    try scratch.file("IN/a.txt")
    try scratch.file("IN/small/b.txt")
    let result = try Command.run(["thumbnail", "IN", "-o", "IN/small"], folder: scratch.path)
    #expect(try result.records.map { $0["path"] as? String } == ["IN/a.txt"])
    #expect(result.errors.contains("mediatool: skipped the output folder\n"))
  }

  @Test func `A file that is no image has an icon and no error`() throws {
    try scratch.file("notes.txt", "Packing list\n")
    let result = try Command.run(["thumbnail", "notes.txt", "-o", "OUT"], folder: scratch.path)
    #expect(result.status == 0)
    let record = try #require(try result.records.first)
    #expect(record["icon"] as? String == "text")
    #expect(record["error"] == nil)
    #expect(try files(result) == [[]])
    #expect(scratch.files(below: "OUT").isEmpty)
    // The folder is there all the same: it was tried.
    #expect(FileManager.default.fileExists(atPath: scratch("OUT").text))
  }

  @Test func `An icon is beside an error if any facts are known`() throws {
    try scratch.file("empty.jpg", "")
    let result = try Command.run(["thumbnail", "empty.jpg", "none", "-o", "OUT"], folder: scratch.path)
    #expect(result.status == 1)
    #expect(try result.records.allSatisfy { $0["error"] != nil })
    #expect(try result.records.map { $0["icon"] as? String } == ["file", nil])
  }

  @Test func `The table has a row for each image and each problem`() throws {
    try image("a.png")
    try scratch.file("b.txt", "Packing list\n")
    let result = try Command.run(
      ["thumbnail", "a.png", "none", "b.txt", "-o", "OUT", "--size", "16", "--size", "8", "--table"],
      folder: scratch.path)
    #expect(result.status == 1)
    let rows = result.output.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
    #expect(rows.map { $0.first ?? "" } == ["NAME", "a.png", "a.png", "none", "notFound:", "b.txt"])
    #expect(rows.map { $0.last ?? "" } == ["FILE", "OUT/a.16.webp", "OUT/a.8.webp", "none", "exist.", "text"])
  }

  /// A video of testdata/: white for two seconds, then a landscape.
  private func video(_ name: String) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let video = try Data(contentsOf: root.appendingPathComponent("testdata/videos/choice-white.mp4"))
    try video.write(to: URL(fileURLWithPath: try scratch.file(name, "").text))
  }

  @Test func `A poster states which second it shows`() throws {
    try video("video.mp4")
    for (arguments, time) in [([], 2), (["--at", "1.4"], 1.4), (["--at", "50%"], 4)] as [([PathBytes], Double)] {
      let result = try Command.run(["thumbnail", "video.mp4", "-o", "OUT"] + arguments, folder: scratch.path)
      #expect(result.status == 0, "\(result.errors)")
      let record = try #require(try result.records.first)
      #expect(record["posterTime"] as? Double == time)
      #expect((record["framesDecoded"] as? Int ?? 0) >= 1)
      let renditions = try #require(record["renditions"] as? [[String: Any]])
      #expect(renditions.first?["from"] as? String == "poster")
    }
  }

  @Test(arguments: ["x", "-1", "101%", "0x1p3", "infinity", "%", "1.2.3"])
  func `An invalid time of a poster is refused`(moment: String) throws {
    let result = try Command.run(["thumbnail", "video.mp4", PathBytes("--at=\(moment)")], folder: scratch.path)
    #expect(result.status == 64, "\(result.errors)")
    #expect(result.errors.contains("percentage"), "\(result.errors)")
  }

  @Test func `A storyboard has its index beside it`() throws {
    try video("a video.mp4")
    let result = try Command.run(
      ["thumbnail", "a video.mp4", "-o", "OUT", "--storyboard", "4"], folder: scratch.path)
    #expect(result.status == 0, "\(result.errors)")
    let board = try #require(try result.records.first?["storyboard"] as? [String: Any])
    #expect(board["file"] as? String == "OUT/a video.storyboard.webp")
    #expect(board["index"] as? String == "OUT/a video.storyboard.vtt")
    #expect(board["frames"] as? Int == 4)
    #expect(scratch.files(below: "OUT") == ["a video.grid.webp", "a video.storyboard.vtt", "a video.storyboard.webp"])
    let index = try String(contentsOfFile: scratch("OUT/a video.storyboard.vtt").text, encoding: .utf8)
    #expect(index.hasPrefix("WEBVTT\n\n00:00:00.000 --> 00:00:02.000\na%20video.storyboard.webp#xywh=0,0,160,90\n"))
  }
}
