internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaProbe

/// Every image of the corpus against its register, whose facts are those that two or more other programs agreed on.
@Suite struct CorpusStillTests {
  @Test(.enabled(if: Corpus.isPresent)) func `Every image agrees with the register`() throws {
    var checked = 0
    for file in Manifest.images {
      let info = MediaProber().facts(ofFile: Corpus.path(file.path))
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
    // given to exiftool prints ThumbnailLength 61402, and vips decodes those bytes as an image of 800×480.
    "hostile/goexif-huge_tag_exif.jpg": ["thumbnail": "there, as exiftool says of the EXIF block alone"],
    "hostile/goexif-max_uint32_exif.jpg": ["thumbnail": "there, as exiftool says of the EXIF block alone"],
    // The file ends inside its EXIF segment, which the other programs therefore skip. `tail -c +13 FILE` given to exiftool
    // prints both.
    "hostile/sharp-corrupt-header.jpg": [
      "orientation": "1, as exiftool says of the EXIF block alone",
      "capture time": "2004:03:20 14:54:55, as exiftool says of the EXIF block alone",
    ],
    // The register's size is that of the first directory, which says of itself "Reduced-resolution image" (exiftool -G1
    // -SubfileType); the raw image behind it has 8 × 8, as exiftool's Composite:ImageSize says.
    "images/tika-testNEF.nef": ["display width": "8", "display height": "8"],
    "images/tika-testDNG.dng": ["size": "8x8"],
    // The register's capture time is DateTimeOriginal. This file has DateTimeDigitized only, which is the next best thing:
    // exiftool's CreateDate is 2023:12:05 14:39:21, its OffsetTimeDigitized +01:00.
    "images/libavif-colors_hdr_rec2020.avif": [
      "capture time": "DateTimeDigitized", "capture offset": "OffsetTimeDigitized",
    ],
  ]

  @Test(.enabled(if: Corpus.isPresent)) func `The window size does not change the result`() throws {
    for file in Manifest.images {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Corpus.path(file.path))))
      let type = MediaType(file.facts.mime ?? "")
      guard StillReader.header(of: type, ByteReader([0])) != nil else { continue }
      #expect(windowedStillFacts(bytes, as: type) == stillFacts(bytes, as: type), "\(file.path)")
    }
  }

  private func disagreements(_ file: Manifest.File, _ info: MediaInfo) -> [(
    name: String, found: String, wanted: String
  )] {
    var result: [(String, String, String)] = []
    let wanted = file.facts
    func compare<Value: Equatable>(_ name: String, _ found: Value?, _ wanted: Value?) {
      if found != wanted { result.append((name, "\(String(describing: found))", "\(String(describing: wanted))")) }
    }
    if let width = wanted.displayWidth { compare("display width", info.width, width) }
    if let height = wanted.displayHeight { compare("display height", info.height, height) }
    // The stored size, where no displayed one was agreed on: turned back.
    if wanted.displayWidth == nil, let width = wanted.width, let height = wanted.height {
      let stored = PixelSize(width: width, height: height)
      compare("size", info.displaySize, (info.orientation ?? .up).displayed(stored))
    }
    if !file.isDoubtful("orientation") { compare("orientation", info.orientation?.rawValue, wanted.orientation) }
    if let frames = wanted.frames { compare("frames", info.frames, frames) }
    if let pages = wanted.pages { compare("pages", info.pages, pages) }
    if !file.isDoubtful("capture_time") {
      let exifTime = info.takenAtSource == .exif ? info.takenAt : nil
      compare("capture time", exifTime.map { String($0.description.prefix(19)) }, wanted.captureTime)
      let offset = wanted.captureOffset.flatMap {
        MediaInfo.CaptureTime(iso8601: "2000-01-01T00:00:00\($0)")?.utcOffset
      }
      compare("capture offset", exifTime?.utcOffset, offset)
    }
    if !file.isDoubtful("camera_make"), let make = wanted.cameraMake { compare("make", info.make, make) }
    if !file.isDoubtful("camera_model"), let model = wanted.cameraModel { compare("model", info.model, model) }
    if let gps = wanted.gps {
      if !((info.latitude.map { abs($0 - gps.lat) } ?? 1) < 1e-5
        && (info.longitude.map { abs($0 - gps.lon) } ?? 1) < 1e-5)
      {
        result.append(("gps", "\(String(describing: info.latitude)) \(String(describing: info.longitude))", "\(gps)"))
      }
    }
    if let has = wanted.exifThumbnail { compare("thumbnail", info.embeddedThumbnail != nil, has) }
    if let seconds = wanted.durationS, abs((info.duration ?? 0) - seconds) > max(0.06, 0.02 * seconds) {
      result.append(("duration", "\(String(describing: info.duration))", "\(seconds)"))
    }
    return result
  }
}
