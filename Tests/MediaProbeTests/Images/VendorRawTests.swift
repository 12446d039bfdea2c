internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaProbe

/// Camera raw files that are no TIFF, or nearly one: CR3, RAF, RW2.
@Suite struct VendorRawTests {
  private static let files: [(type: String, bytes: [UInt8], size: PixelSize, preview: [UInt8])] = [
    ("image/x-canon-cr3", VendorRaw.cr3(), PixelSize(width: 4_000, height: 6_000), VendorRaw.full),
    (
      "image/x-canon-cr3", VendorRaw.cr3(hasTrack: false), PixelSize(width: 4_000, height: 6_000), VendorRaw.preview
    ),
    ("image/x-fuji-raf", VendorRaw.raf(), PixelSize(width: 4_000, height: 6_000), []),
    ("image/x-fuji-raf", VendorRaw.raf(hasSize: false), PixelSize(width: 1_280, height: 1_920), []),
    ("image/x-panasonic-rw2", VendorRaw.rw2(), PixelSize(width: 3_456, height: 4_608), []),
    ("image/x-panasonic-rw2", VendorRaw.rw2(hasTime: false), PixelSize(width: 3_456, height: 4_608), []),
  ]

  @Test("Type, size, orientation, time, camera and preview are found", arguments: files.indices)
  func facts(index: Int) throws {
    let file = Self.files[index]
    let info = MediaProber().facts(of: try MediaInput(bytes: file.bytes), claim: nil)
    #expect(info.type.rawValue == file.type)
    #expect(info.kind == .image)
    #expect(info.error == nil)
    #expect(info.displaySize == file.size)
    #expect(info.orientation?.rawValue == 8)
    #expect(info.make == "Maker")
    #expect(info.model == "Model 1")
    #expect(info.takenAt?.description == "2018-07-25T16:34:23+02:00")
    #expect(info.pages == 1)
    let preview = try #require(info.embeddedThumbnail)
    let offset = try #require(preview.offset)
    #expect(Array(file.bytes[offset..<offset + preview.bytes].prefix(3)) == [0xFF, 0xD8, 0xFF])
    if !file.preview.isEmpty { #expect(Array(file.bytes[offset..<offset + preview.bytes]) == file.preview) }
  }

  @Test func `The location is found`() {
    for (type, bytes) in [("image/x-canon-cr3", VendorRaw.cr3()), ("image/x-fuji-raf", VendorRaw.raf())] {
      let info = stillFacts(bytes, as: MediaType(type))
      #expect(info.latitude == 39.5, "\(type)")
      #expect(info.longitude == -108.25, "\(type)")
    }
  }

  @Test func `A file that ends early is truncated`() {
    for file in Self.files {
      for length in [file.bytes.count - 1, file.bytes.count / 2] {
        let info = stillFacts(Array(file.bytes.prefix(length)), as: MediaType(file.type))
        #expect(info.error != nil, "\(file.type), \(length) of \(file.bytes.count)")
      }
    }
  }

  @Test("exiftool reads the same facts", arguments: files.indices) func exiftool(index: Int) throws {
    let file = Self.files[index]
    let info = stillFacts(file.bytes, as: MediaType(file.type))
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "a.\(MediaType(file.type).preferredExtension ?? "")").path
    try Data(file.bytes).write(to: URL(fileURLWithPath: path))
    let output = try Tool("exiftool", package: "libimage-exiftool-perl").run([
      "-j", "-n", "-Make", "-Model", "-Orientation", "-DateTimeOriginal", "-FileType", path,
    ])
    let answers = try #require(try JSONSerialization.jsonObject(with: Data(output.bytes)) as? [[String: Any]])
    let answer = try #require(answers.first)
    #expect(answer["Make"] as? String == info.make)
    #expect(answer["Model"] as? String == info.model)
    #expect(answer["Orientation"] as? Int == info.orientation?.rawValue)
    #expect(answer["DateTimeOriginal"] as? String == "2018:07:25 16:34:23")
    // Panasonic's older files have the same structure under another name.
    let type = (answer["FileType"] as? String)?.lowercased()
    #expect(type == MediaType(file.type).preferredExtension || file.type == "image/x-panasonic-rw2" && type == "raw")
  }
}
