internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing
internal import Thumbnails

@Suite struct MetadataTests {
  let studio: Studio
  let exiftool: Tool

  init() throws {
    studio = try Studio()
    exiftool = try Tool("exiftool", package: "libimage-exiftool-perl")
  }

  /// A photo with everything that must not travel.
  private func photo(_ name: String) throws -> String {
    try studio.folder.write(try #require(Self.photos[name]).get(), to: name)
  }

  private static let names = ["photo.jpg", "photo.png", "photo.webp", "photo.tif"]

  /// The files of all tests, made once.
  private static let photos = Dictionary(uniqueKeysWithValues: names.map { name in (name, Result { try make(name) }) })

  private static func make(_ name: String) throws -> [UInt8] {
    let studio = try Studio()
    let path = try studio.file(name, of: SyntheticImage.slope(400, 300))
    try studio.check(
      Tool("exiftool", package: "libimage-exiftool-perl").run([
        "-q", "-overwrite_original", "-GPSLatitude=48.2", "-GPSLatitudeRef=N", "-GPSLongitude=16.37",
        "-GPSLongitudeRef=E",
        "-Make=Maker", "-Model=Secret", "-SerialNumber=12345", "-XMP:Creator=Somebody", "-XMP:Location=Home",
        "-Comment=private", "-Orientation#=6", "-XResolution=300", path,
      ]))
    return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
  }

  @Test("No metadata of the source is kept", arguments: names, RenditionRequest.Format.allCases)
  func noMetadataOfTheSourceIsKept(name: String, format: RenditionRequest.Format) throws {
    let path = try photo(name)
    var wide = RenditionRequest.box(100, format)
    wide.colorSpace = .p3
    let result = try studio.render(path, [.box(100, format), wide])
    #expect(result.renditions.count == 2)
    let found = try exiftool.run(["-G0", "-a", "-s"] + result.renditions.map(studio.write)).text
    #expect(found.contains("2 image files read"), "\(found)")
    for group in [
      "[EXIF]", "[XMP]", "[IPTC]", "[Photoshop]", "[MakerNotes]", "GPS", "Comment", "Secret", "XResolution",
    ] {
      #expect(!found.contains(group), "\(group) in\n\(found)")
    }
  }

  @Test(arguments: [RenditionRequest.Format.webp, .jpeg, .png, .avif])
  func `A profile is embedded only on request`(format: RenditionRequest.Format) throws {
    let plain = try studio.file("photo.png", of: SyntheticImage.slope(100, 100))
    let path = studio.folder.path("p3.jpg")
    try studio.check(studio.vips.run(["icc_transform", plain, path, "p3", "--input-profile", "srgb"]))
    var wide = RenditionRequest.box(50, format)
    wide.colorSpace = .p3
    let renditions = try studio.render(path, [.box(50, format), wide]).renditions
    let profiles = try renditions.map { try exiftool.run(["-s3", "-ICC_Profile:all", studio.write($0)]).text }
    #expect(profiles.count == 2)
    #expect(profiles[0].isEmpty, "\(profiles[0])")
    #expect(!profiles[1].isEmpty)
  }
}
