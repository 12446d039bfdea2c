internal import Foundation
internal import MediaModel
internal import Testing

@Suite struct MediaInfoTests {
  /// Every fact set, none to a value that a default could give.
  private func complete() -> MediaInfo {
    var info = MediaInfo(type: .jpeg, bytes: 12_345)
    info.width = 4_000
    info.height = 3_000
    info.orientation = .right
    info.rotation = 90
    info.frames = 3
    info.animated = true
    info.alpha = false
    info.pages = 2
    info.duration = 1.5
    info.frameRate = 29.97
    info.bitRate = 900_000
    info.tracks = 2
    info.videoCodec = "h264"
    info.audioCodec = "aac"
    info.channels = 2
    info.sampleRate = 48_000
    info.hdr = .gainmap
    info.colorProfile = "Display P3"
    info.takenAt = MediaInfo.CaptureTime(iso8601: "2018-07-25T16:34:23+02:00")
    info.takenAtSource = .exif
    info.latitude = -33.5
    info.longitude = 151.25
    info.altitude = -3
    info.make = "Maker"
    info.model = "Model"
    info.title = "Title"
    info.artist = "Artist"
    info.album = "Album"
    info.embeddedThumbnail = MediaInfo.EmbeddedThumbnail(width: 160, height: 120, bytes: 5_000, offset: 700)
    info.coverArt = true
    info.motionPhoto = true
    info.mismatch = MediaInfo.Mismatch(declared: "png", by: .extension, class: .format)
    info.sha256 = String(repeating: "ab", count: 32)
    info.error = MediaFailure(.truncated, "It ends early.", detail: "premature end")
    return info
  }

  private func keys(_ value: some Encodable) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
    return try #require(object as? [String: Any])
  }

  @Test("The keys of facts are those of the command")
  func theKeysMatchTheCommandLineTool() throws {
    let json = try keys(complete())
    // docs/design.md §3 without `path` and `pathBytes`, which are the command's own.
    let expected = """
      kind type extension bytes width height orientation rotation frames animated alpha pages tracks duration frameRate bitRate
      videoCodec audioCodec channels sampleRate hdr colorProfile takenAt takenAtSource latitude longitude altitude make model
      title artist album embeddedThumbnail coverArt motionPhoto mismatch sha256 error
      """
    #expect(Set(json.keys) == Set(expected.split(whereSeparator: \.isWhitespace).map(String.init)))
    #expect(json["kind"] as? String == "image")
    #expect(json["type"] as? String == "image/jpeg")
    #expect(json["extension"] as? String == "jpg")
    #expect(json["orientation"] as? Int == 6)
    #expect(json["hdr"] as? String == "gainmap")
    #expect(json["takenAt"] as? String == "2018-07-25T16:34:23+02:00")
    #expect(json["takenAtSource"] as? String == "exif")
    #expect(json["mismatch"] as? [String: String] == ["declared": "png", "by": "extension", "class": "format"])
    #expect(
      json["embeddedThumbnail"] as? [String: Int] == ["width": 160, "height": 120, "bytes": 5_000, "offset": 700])
    #expect(
      json["error"] as? [String: String]
        == ["code": "truncated", "message": "It ends early.", "detail": "premature end"])
  }

  @Test("Facts that are absent have no keys, not null")
  func absentFactsAreAbsentKeys() throws {
    #expect(try Set(keys(MediaInfo(type: .octetStream, bytes: 0)).keys) == ["kind", "type", "extension", "bytes"])
    #expect(try Set(keys(MediaInfo(type: MediaType("image/x-none"), bytes: 0)).keys) == ["kind", "type", "bytes"])
    #expect(
      try Set(keys(MediaInfo.EmbeddedThumbnail(width: 1, height: 1, bytes: 1)).keys) == ["width", "height", "bytes"])
    #expect(try Set(keys(MediaFailure(.empty, "It is empty.")).keys) == ["code", "message"])
    let text = String(decoding: try JSONEncoder().encode(MediaInfo(type: .png, bytes: 1)), as: UTF8.self)
    #expect(!text.contains("null"))
  }

  @Test("Every fact is the same after JSON")
  func everyFactSurvivesJSON() throws {
    let info = complete()
    #expect(try JSONDecoder().decode(MediaInfo.self, from: JSONEncoder().encode(info)) == info)
    let plain = MediaInfo(type: .gif, bytes: .max)
    #expect(try JSONDecoder().decode(MediaInfo.self, from: JSONEncoder().encode(plain)) == plain)
  }

  @Test("Unknown keys are ignored, and unknown values of known keys are kept")
  func unknownKeysAreIgnoredAndUnknownValuesKept() throws {
    let json =
      #"{"kind":"image","type":"image/png","bytes":1,"takenAtSource":"sidecar","novelty":[1],"error":{"code":"novel","message":"?"}}"#
    let info = try JSONDecoder().decode(MediaInfo.self, from: Data(json.utf8))
    #expect(info.takenAtSource == MediaInfo.TimeSource(rawValue: "sidecar"))
    #expect(info.error?.code == MediaFailure.Code(rawValue: "novel"))
    #expect(info.extension == nil)
  }

  @Test("The kind and the extension come from the type")
  func kindAndExtensionComeFromTheType() {
    let info = MediaInfo(type: .pdf, bytes: 7)
    #expect(info.kind == .document)
    #expect(info.extension == "pdf")
    #expect(info.bytes == 7)
  }

  @Test("A display size needs both sides")
  func theDisplaySizeNeedsBothSides() {
    var info = MediaInfo(type: .png, bytes: 0)
    #expect(info.displaySize == nil)
    info.width = 3
    #expect(info.displaySize == nil)
    info.height = 4
    #expect(info.displaySize == PixelSize(width: 3, height: 4))
  }
}
