internal import FileSupport
internal import Foundation
internal import GRDB
internal import MMSCodec
internal import MediaLibrary
internal import Messaging
internal import TestSupport
internal import Testing

@testable internal import MediatoolCommand

/// Every command that shows or sends pixels, over files whose preview of themselves shows something else: testdata/previews is
/// red, with green previews as large as the image.
@Suite("A preview that a file carries is never shown in place of its image") struct ForgedPreviewTests {
  let scratch: Scratch
  init() throws { scratch = try Scratch() }

  private static let folder = Corpus.packageRoot.appendingPathComponent("testdata/previews").path
  private static let names = Fixture.all(in: "previews/").map { String($0.path.dropFirst("previews/".count)) }

  /// The mean color of an image file, as FFmpeg decodes it.
  private func color(_ path: String) throws -> [UInt8] {
    try Tool("ffmpeg", package: "ffmpeg").output(
      ["-v", "error", "-i", path, "-vf", "scale=1:1", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"])
  }

  private func color(of data: Data, _ name: String = "image") throws -> [UInt8] {
    let path = scratch(name).text
    try data.write(to: URL(fileURLWithPath: path))
    return try color(path)
  }

  private func isRed(_ color: [UInt8]) -> Bool {
    color.count == 3 && zip(color, [208, 32, 32]).allSatisfy { abs(Int($0) - $1) <= 12 }
  }

  private func data(_ address: Any?) throws -> Data {
    let address = try #require(address as? String)
    return try #require(Data(base64Encoded: String(address.drop { $0 != "," }.dropFirst())))
  }

  @Test("thumbnail") func thumbnail() throws {
    let output = try Command.run(
      ["thumbnail", PathBytes(Self.folder), "-o", "OUT", "--size", "grid", "--size", "avatar", "--json"],
      folder: scratch.path)
    #expect(output.status == 0, "\(output.errors)")
    #expect(try output.records.count == Self.names.count)
    for record in try output.records {
      let renditions = try #require(record["renditions"] as? [[String: Any]])
      #expect(renditions.map { $0["from"] as? String } == ["image", "image"])
      for rendition in renditions {
        let file = try #require(rendition["file"] as? String)
        #expect(isRed(try color(scratch(file).text)), "\(file)")
      }
    }
  }

  @Test("thumbnail --draft states what it used") func draft() throws {
    let output = try Command.run(
      ["thumbnail", PathBytes(Self.folder + "/exif.jpg"), "-o", "OUT", "--draft", "--json"], folder: scratch.path)
    let renditions = try #require(try output.records.first?["renditions"] as? [[String: Any]])
    #expect(renditions.map { $0["from"] as? String } == ["embedded"])
    #expect(!isRed(try color(scratch("OUT/exif.grid.webp").text)))
  }

  @Test("tray --draft and modules state that they show a preview", arguments: ["previews/exif.jpg", "formats/raw.dng"])
  func stated(path: String) throws {
    let file = PathBytes(Fixture.path(path))
    let isRaw = path.hasSuffix("dng")
    let tray = try Command.run(["tray", file, "--json"] + (isRaw ? [] : ["--draft"]))
    let cell = try #require((try tray.records.first?["cells"] as? [[String: Any]])?.first)
    #expect(cell["from"] as? String == "embedded")
    let modules = try Command.run(["modules", file, "--json"])
    let module = try #require((try modules.records.first?["modules"] as? [[String: Any]])?.first)
    #expect(module["from"] as? String == (isRaw ? "embedded" : "image"))
  }

  @Test("tray") func tray() throws {
    let output = try Command.run(["tray", PathBytes(Self.folder), "--json"])
    let cells = try #require(try output.records.first?["cells"] as? [[String: Any]])
    #expect(cells.count == Self.names.count)
    for cell in cells {
      let color = try #require((cell["placeholder"] as? [String: String])?["color"])
      #expect(color.isColor(near: [208, 32, 32]), "\(String(describing: cell["path"])): \(color)")
      #expect(isRed(try self.color(of: data(cell["thumbnail"]))), "\(String(describing: cell["path"]))")
      #expect(cell["from"] as? String == "image")
    }
  }

  @Test("modules") func modules() throws {
    let output = try Command.run(["modules"] + Self.names.map { PathBytes("\(Self.folder)/\($0)") } + ["--json"])
    let modules = try #require(try output.records.first?["modules"] as? [[String: Any]])
    #expect(modules.count == Self.names.count)
    for module in modules {
      #expect(isRed(try color(of: data(module["thumbnail"]))), "\(String(describing: module["filename"]))")
    }
  }

  @Test("compose sends the image itself, and measures against it", arguments: names) func compose(name: String) throws {
    let message = scratch("m.mms")
    // A profile that lets nothing through unchanged.
    let profile = try scratch.file(
      "small.json", #"{"name":"small","maxMessageBytes":20000,"maxImageSize":{"width":160,"height":120}}"#)
    let output = try Command.run([
      "compose", "--to", "+15551234567", PathBytes("\(Self.folder)/\(name)"), "--profile", profile, "-o", message,
      "--json",
    ])
    #expect(output.status == 0, "\(output.errors)")
    let change = try #require((try output.records.first?["changes"] as? [[String: Any]])?.first)
    #expect((change["similarity"] as? Double).map { $0 > 0.9 } ?? false, "\(change)")
    var defects: [MMSMessage.Defect] = []
    let octets = try [UInt8](Data(contentsOf: URL(fileURLWithPath: message.text)))
    let slides = MessageSlides(of: try MMSMessage(decoding: octets[...], defects: &defects))
    let media = try #require(slides.slides.compactMap(\.media).first)
    #expect(isRed(try color(of: Data(media.body), "part")), "\(name)")
  }

  @Test("compose says that it sends the preview of a camera raw", arguments: ["dng", "cr2", "nef", "arw"])
  func composeRaw(name: String) throws {
    let output = try Command.run([
      "compose", "--to", "+15551234567", PathBytes(Fixture.path("formats/raw.\(name)")), "-o", scratch("m.mms"),
      "--json",
    ])
    #expect(output.status == 0, "\(output.errors)")
    let change = try #require((try output.records.first?["changes"] as? [[String: Any]])?.first)
    #expect((change["effects"] as? [String])?.contains("preview") == true, "\(change)")
  }

  @Test(
    "compose sends the frame that lasts, also of a file that fits as it is",
    arguments: ["flash.png", "default.png", "flash.webp", "flash.avif", "flash.heics"])
  func animation(name: String) throws {
    let message = scratch("m.mms")
    let output = try Command.run([
      "compose", "--to", "+15551234567", PathBytes(Fixture.path("animated/\(name)")), "-o", message, "--json",
    ])
    #expect(output.status == 0, "\(output.errors)")
    let change = try #require((try output.records.first?["changes"] as? [[String: Any]])?.first)
    #expect((change["effects"] as? [String])?.contains("firstFrame") == true, "\(change)")
    var defects: [MMSMessage.Defect] = []
    let octets = try [UInt8](Data(contentsOf: URL(fileURLWithPath: message.text)))
    let slides = MessageSlides(of: try MMSMessage(decoding: octets[...], defects: &defects))
    let media = try #require(slides.slides.compactMap(\.media).first)
    let color = try color(of: Data(media.body), "part")
    #expect(zip(color, [32, 176, 64]).allSatisfy { abs(Int($0) - $1) <= 12 }, "\(color)")
  }

  @Test("scan keeps the image itself; renditions of an earlier revision are not served, and made again") func scan()
    throws
  {
    let library = scratch("library")
    let arguments: [PathBytes] = ["scan", PathBytes(Self.folder), "--library", library, "--json"]
    func scan(_ names: PathBytes) throws -> [String: String] {
      let output = try Command.run(arguments + ["--renditions", names])
      #expect(output.status == 0, "\(output.errors)")
      return try Dictionary(
        uniqueKeysWithValues: output.records.map { ($0["path"] as? String ?? "", $0["state"] as? String ?? "") })
    }
    func stored() -> [String] { scratch.files(below: "library/renditions").filter { !$0.contains("/.") } }
    #expect(try Set(scan("grid,avatar").values) == ["new"])
    #expect(!stored().isEmpty)
    for file in stored() { #expect(isRed(try color(scratch("library/renditions/\(file)").text)), "\(file)") }

    func served() throws -> Bool {
      let output = try Command.run(
        ["thumbnail", PathBytes(Self.folder + "/exif.jpg"), "--library", library, "-o", "OUT", "--json"],
        folder: scratch.path)
      return try output.records.first?["bytesRead"] as? Int == 0
    }
    #expect(try served())
    // As the first version left it: no revision in the engine's name, other fingerprints.
    try DatabaseQueue(path: "\(library.text)/catalogue.sqlite").write { db in
      try db.execute(sql: "UPDATE word SET text = 'libvips 8.14.1, libmagic 5.44' WHERE text LIKE 'renditions %'")
      try db.execute(sql: "UPDATE folder SET fingerprint = 1")
    }
    #expect(try !served())
    // What was made before is made again, also where another size is asked for.
    #expect(try Set(scan("message").values) == ["completed"])
    #expect(try served())
    #expect(try Set(scan("grid,avatar,message").values) == ["unchanged"])
  }
}
