import Foundation
import MediaModel
import TestSupport
import Testing

@testable import MediaProbe

/// Every picture of the corpus against its register, whose facts are those that two or more other programs agreed on.
@Suite struct CorpusStillTests {
  @Test(.enabled(if: Corpus.isPresent)) func everyPictureAgreesWithTheRegister() throws {
    var checked = 0
    for file in try StillManifest.pictures() {
      let info = try facts(file)
      checked += 1
      for (name, found, wanted) in disagreements(file, info) where Self.exceptions[file.path]?[name] == nil {
        Issue.record("\(file.path): \(name) is \(found), the register says \(wanted)")
      }
    }
    #expect(checked > 240)
  }

  /// Where the register's agreement is not the fact that we report, with what shows it.
  static let exceptions: [String: [String: String]] = [
    // exiftool and exiv2 both gave up on what follows the EXIF segment. The segment itself is whole: `tail -c +31 FILE`
    // given to exiftool prints ThumbnailLength 61402, and vips decodes those bytes as a picture of 800×480.
    "hostile/goexif-huge_tag_exif.jpg": ["thumbnail": "there, as exiftool says of the EXIF block alone"],
    "hostile/goexif-max_uint32_exif.jpg": ["thumbnail": "there, as exiftool says of the EXIF block alone"],
    // The file ends inside its EXIF segment, which the other programs therefore skip. `tail -c +13 FILE` given to exiftool
    // prints both.
    "hostile/sharp-corrupt-header.jpg": [
      "orientation": "1, as exiftool says of the EXIF block alone",
      "capture time": "2004:03:20 14:54:55, as exiftool says of the EXIF block alone",
    ],
    // The register's capture time is DateTimeOriginal. This file has DateTimeDigitized only, which is the next best thing:
    // exiftool's CreateDate is 2023:12:05 14:39:21, its OffsetTimeDigitized +01:00.
    "images/libavif-colors_hdr_rec2020.avif": [
      "capture time": "DateTimeDigitized", "capture offset": "OffsetTimeDigitized",
    ],
  ]

  @Test(.enabled(if: Corpus.isPresent)) func windowsChangeNothing() throws {
    for file in try StillManifest.pictures() {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Corpus.path(file.path))))
      #expect(windowedStillFacts(bytes, as: file.type) == stillFacts(bytes, as: file.type), "\(file.path)")
    }
  }

  private func facts(_ file: StillManifest.File) throws -> MediaInfo {
    windowedStillFacts(
      [UInt8](try Data(contentsOf: URL(fileURLWithPath: Corpus.path(file.path)))), as: file.type)
  }

  private func disagreements(_ file: StillManifest.File, _ info: MediaInfo) -> [(
    name: String, found: String, wanted: String
  )] {
    var result: [(String, String, String)] = []
    let wanted = file.facts
    func compare<Value: Equatable>(_ name: String, _ found: Value?, _ wanted: Value?) {
      if found != wanted { result.append((name, "\(String(describing: found))", "\(String(describing: wanted))")) }
    }
    if let width = wanted.display_width { compare("display width", info.width, width) }
    if let height = wanted.display_height { compare("display height", info.height, height) }
    // The stored size, where no displayed one was agreed on: turned back.
    if wanted.display_width == nil, let width = wanted.width, let height = wanted.height {
      let stored = PixelSize(width: width, height: height)
      compare("size", info.displaySize, (info.orientation ?? .up).displayed(stored))
    }
    if !file.isDoubtful("orientation") { compare("orientation", info.orientation?.rawValue, wanted.orientation) }
    if let frames = wanted.frames { compare("frames", info.frames, frames) }
    if let pages = wanted.pages { compare("pages", info.pages, pages) }
    if !file.isDoubtful("capture_time") {
      let exifTime = info.takenAtSource == .exif ? info.takenAt : nil
      compare("capture time", exifTime.map { String($0.description.prefix(19)) }, wanted.capture_time)
      let offset = wanted.capture_offset.flatMap { CaptureTime(iso8601: "2000-01-01T00:00:00\($0)")?.utcOffset }
      compare("capture offset", exifTime?.utcOffset, offset)
    }
    if !file.isDoubtful("camera_make"), let make = wanted.camera_make { compare("make", info.make, make) }
    if !file.isDoubtful("camera_model"), let model = wanted.camera_model { compare("model", info.model, model) }
    if let gps = wanted.gps {
      if !((info.latitude.map { abs($0 - gps.lat) } ?? 1) < 1e-5
        && (info.longitude.map { abs($0 - gps.lon) } ?? 1) < 1e-5)
      {
        result.append(("gps", "\(String(describing: info.latitude)) \(String(describing: info.longitude))", "\(gps)"))
      }
    }
    if let has = wanted.exif_thumbnail { compare("thumbnail", info.embeddedThumbnail != nil, has) }
    if let seconds = wanted.duration_s, abs((info.duration ?? 0) - seconds) > max(0.06, 0.02 * seconds) {
      result.append(("duration", "\(String(describing: info.duration))", "\(seconds)"))
    }
    return result
  }
}

/// The corpus's register.
enum StillManifest {
  struct File: Decodable {
    struct Facts: Decodable {
      struct Place: Decodable {
        let lat, lon: Double
      }
      let mime: String?
      let width, height, display_width, display_height, orientation, frames, pages: Int?
      let capture_time, capture_offset, camera_make, camera_model: String?
      let gps: Place?
      let exif_thumbnail: Bool?
      let duration_s: Double?
    }
    let path: String
    let facts: Facts
    let disagree: [String: Ignored]?
    let single_tool: [String: Ignored]?

    /// The name that the register uses, which is ours for every picture.
    var type: MediaType { MediaType(facts.mime ?? "") }

    /// Whether programs disagreed on a fact, or only one of them knew it: then it is no expectation.
    func isDoubtful(_ fact: String) -> Bool { disagree?[fact] != nil || single_tool?[fact] != nil }
  }

  /// A value that is there or not.
  struct Ignored: Decodable {
    init(from decoder: any Decoder) {}
  }

  private struct Contents: Decodable {
    let files: [File]
  }

  /// The files whose type is a picture that has a reader here.
  static func pictures() throws -> [File] {
    let data = try Data(contentsOf: URL(fileURLWithPath: Corpus.path("MANIFEST.json")))
    return try JSONDecoder().decode(Contents.self, from: data).files.filter {
      StillReader.header(of: $0.type, ByteReader([0])) != nil
    }
  }
}
