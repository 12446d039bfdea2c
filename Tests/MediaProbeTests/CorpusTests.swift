internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaProbe

/// Every fact that the corpus's manifest states, reproduced.
@Suite struct CorpusTests {
  @Test(.enabled(if: Corpus.isPresent)) func `The manifest can be read`() {
    #expect(Manifest.all.count > 350)
    #expect(!Manifest.containers.isEmpty)
  }

  @Test(arguments: Manifest.all) func `The type matches the manifest`(_ file: Manifest.File) throws {
    let info = MediaProber().facts(ofFile: Corpus.path(file.path))
    #expect(info.bytes == file.bytes)
    guard let common = file.facts.mime else { return }
    #expect(info.type.rawValue == CommonName.ours(common, for: file.path))
    #expect(info.extension == info.type.preferredExtension)
    #expect(info.type.preferredExtension != nil, "a type that two tools know stands in our table")
  }

  @Test(arguments: Manifest.containers) func `The facts of videos and audio files match the manifest`(
    _ file: Manifest.File
  ) {
    let info = MediaProber().facts(ofFile: Corpus.path(file.path))
    let facts = file.facts
    #expect((info.videoCodec != nil) == facts.hasVideo)
    #expect((info.audioCodec != nil) == facts.hasAudio)
    #expect(info.kind == (facts.hasVideo == true ? .video : .audio))
    if let codec = facts.videoCodec { #expect(info.videoCodec.map(Codec.family) == codec) }
    if let codec = facts.audioCodec { #expect(info.audioCodec.map(Codec.family) == codec) }
    if let duration = facts.durationS, ManifestErrata.durations[file.path] == nil {
      #expect(isClose(info.duration, duration))
    }
    if let rotation = facts.rotation { #expect((info.rotation ?? 0) == rotation) }
    if let width = facts.displayWidth, let height = facts.displayHeight {
      #expect(info.displaySize == PixelAspect.displayed[file.path] ?? PixelSize(width: width, height: height))
    }
    if facts.coverArt == true { #expect(info.coverArt == true) }
    if facts.hasVideo == true { #expect(info.coverArt == nil) }
    if let time = facts.captureTimeUtc { #expect(isMoment(info.takenAt, time)) }
    if let place = facts.gps { #expect(isLocation(info, place)) }
  }

  @Test(arguments: Manifest.others.filter { $0.facts.pages != nil && $0.facts.width == nil })
  func `The facts of documents match the manifest`(_ file: Manifest.File) {
    #expect(MediaProber().facts(ofFile: Corpus.path(file.path)).pages == file.facts.pages)
  }

  @Test(arguments: Manifest.all.filter { !$0.isHostile }) func `Complete files have no error`(_ file: Manifest.File) {
    let error = MediaProber().facts(ofFile: Corpus.path(file.path)).error
    #expect(error?.code == (Self.shortened.contains(file.path) ? .truncated : nil))
  }

  /// Cut off by their publishers: `djpeg` says "Premature end of JPEG file" of the images, and the AVIF ends before its `meta` box.
  static let shortened: Set<String> = [
    "geotagged/media3-pixel-motion-photo-jfif-segment-shortened.jpg", "geotagged/pillow-ultrahdr.jpg",
    "images/tika-testAVIF.avif",
  ]

  /// Whatever it is, it comes back, with the size at least.
  @Test(.timeLimit(.minutes(20)), arguments: Manifest.all.filter(\.isHostile))
  func `Hostile files give a result`(_ file: Manifest.File) {
    let info = MediaProber().facts(ofFile: Corpus.path(file.path))
    #expect(info.bytes == file.bytes)
    #expect(info.error?.code != .timedOut)
    #expect(info.error?.code != .outOfMemory)
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: Hostile.table)
  func `Malicious files have their failure codes`(_ expected: Hostile) {
    let info = MediaProber().facts(ofFile: Corpus.path("hostile/" + expected.name))
    #expect(info.type.rawValue == expected.type)
    #expect(info.error?.code == expected.error)
    #expect(info.mismatch?.class == expected.mismatch)
  }

  @Test(arguments: Manifest.all.prefix(40)) func `The digest matches the manifest`(_ file: Manifest.File) {
    var prober = MediaProber()
    prober.options.digest = true
    #expect(prober.facts(ofFile: Corpus.path(file.path)).sha256 == file.sha256)
  }

  /// Two per cent or 60 milliseconds: what the manifest's own tools differ by.
  private func isClose(_ ours: Double?, _ stated: Double) -> Bool {
    ours.map { abs($0 - stated) <= max(stated * 0.02, 0.06) } ?? false
  }

  /// Whether both are the same moment. If the file states a local time too, that is the result: it may be the start of the recording instead of its
  /// end, within a day of the movie header's time.
  private func isMoment(_ ours: MediaInfo.CaptureTime?, _ stated: String) -> Bool {
    guard let ours, let stated = MediaInfo.CaptureTime(iso8601: stated) else { return false }
    let difference = abs(ours.secondsSince1970 - stated.secondsSince1970)
    return ours.utcOffset == 0 || ours.utcOffset == nil ? difference == 0 : difference <= 86_400
  }

  private func isLocation(_ info: MediaInfo, _ place: Manifest.Place) -> Bool {
    guard let latitude = info.latitude, let longitude = info.longitude else { return false }
    return abs(latitude - place.lat) <= 1e-4 && abs(longitude - place.lon) <= 1e-4
  }
}

/// What a hostile file is, by its content, and what is wrong with it.
struct Hostile: CustomTestStringConvertible, Sendable {
  let name: String
  let type: String
  var error: MediaFailure.Code?
  var mismatch: MediaInfo.Mismatch.Class?
  var testDescription: String { name }

  static let table = [
    Hostile(name: "empty.jpg", type: "application/octet-stream", error: .empty),
    Hostile(name: "two-gzip-members.jpg", type: "application/gzip", mismatch: .active),
    Hostile(name: "tika-quine.gz", type: "application/gzip"),
    Hostile(name: "tika-testMP4_truncated.m4a", type: "audio/mp4", error: .truncated),
    Hostile(name: "tika-testMP3i18n_truncated.mp3", type: "audio/mpeg", error: .truncated),
    Hostile(name: "media3-sample_mdat_too_long.mp4", type: "video/mp4", error: .truncated),
    Hostile(name: "media3-sample_missing_stsd.mp4", type: "video/mp4"),
    Hostile(name: "media3-sample_with_invalid_nalu.mp4", type: "video/mp4"),
    Hostile(name: "small-Mpeg4.mp4", type: "video/mp4", error: .unsupported),
    Hostile(name: "small-webm.webm", type: "video/webm"),
    Hostile(name: "small-wav.wav", type: "audio/wav"),
    Hostile(name: "pillow-trailer_loop.pdf", type: "application/pdf"),
    Hostile(
      name: "pillow-timeout-bff0a9dc7243a8e6ede2408d2ffa6a9964698b87.fli", type: "application/octet-stream",
      error: .unrecognized),
    Hostile(name: "wrongext-heic.jpg", type: "image/heic", mismatch: .format),
    Hostile(name: "wrongext-jpeg.png", type: "image/jpeg", mismatch: .format),
    Hostile(name: "wrongext-png.jpg", type: "image/png", mismatch: .format),
    Hostile(name: "wrongext-mp4.jpg", type: "video/mp4", mismatch: .kind),
    Hostile(name: "wrongext-html.gif", type: "text/html", mismatch: .active),
    Hostile(name: "wrongext-svg.png", type: "image/svg+xml", mismatch: .active),
    Hostile(name: "wrongext-zip.jpg", type: "application/zip", mismatch: .active),
  ]
}

/// The manifest writes common names; these are the registered or more exact ones that we write instead.
private struct CommonName {
  let common: String
  let ours: String
  /// Files to which it applies; all that have the common name when empty.
  let files: Set<String>
  let reason: String

  static func ours(_ common: String, for path: String) -> String {
    let row =
      table.first { $0.common == common && $0.files.contains(path) }
      ?? table.first { $0.common == common && $0.files.isEmpty }
    return row?.ours ?? common
  }

  private static let table = [
    CommonName(common: "video/x-matroska", ours: "video/matroska", files: [], reason: "registered by RFC 9559"),
    CommonName(
      common: "video/x-matroska", ours: "audio/webm", files: ["audio/media3-bear-opus.mka"],
      reason: "its EBML header names the document type webm, and it has audio only"),
    CommonName(
      common: "video/3gpp", ours: "audio/3gpp",
      files: [
        "mms-like/media3-bbb_mono_16kHz_23.05kbps_amrwb.3gp", "mms-like/media3-bbb_mono_8kHz_12.2kbps_amrnb.3gp",
      ],
      reason: "RFC 3839: a 3GP file without images"),
    CommonName(
      common: "video/x-ms-asf", ours: "audio/x-ms-wma", files: ["audio/tika-testWMA.wma"], reason: "audio only"),
    CommonName(
      common: "audio/amr", ours: "audio/amr-wb", files: ["audio/media3-sample_wb.amr", "mms-like/tika-testAMR-WB.amr"],
      reason: "registered by RFC 4867; the file begins #!AMR-WB"),
    CommonName(
      common: "image/tiff", ours: "image/x-adobe-dng", files: ["images/tika-testDNG.dng"],
      reason: "it has a DNGVersion tag"),
    CommonName(
      common: "image/tiff", ours: "image/x-nikon-nef", files: ["images/tika-testNEF.nef"],
      reason: "maker NIKON, reduced image first, the large one in a sub-directory"),
  ]
}

/// The manifest names families of codecs where its tools differ; ours are FFmpeg's names.
private enum Codec {
  static func family(_ codec: String) -> String { families[codec] ?? codec }

  private static let families = [
    "pcm_s16le": "pcm", "pcm_s16be": "pcm", "adpcm_ima_wav": "adpcm", "mp3": "mpegaudio", "mp2": "mpegaudio",
    "amr_nb": "amr", "amr_wb": "amr", "wmav2": "wma", "wmavoice": "wma", "wmv3": "vc1",
  ]
}

/// The manifest's display sizes leave pixel aspect out; these have pixels that are not square.
private enum PixelAspect {
  static let displayed = [
    // 64:45, as ffprobe and exiftool (which rounds down) say: 800 × 64 / 45 = 1137.8.
    "video/media3-bbb_800x640_768kbps_30fps_vp9.mp4": PixelSize(width: 1_138, height: 640)
  ]
}

/// Where the manifest is wrong, with the evidence of a third tool.
private enum ManifestErrata {
  static let durations = [
    // The manifest has 1.408 s, the data's size divided by the header's bytes a second, which is wrong (16,000 for 22,179). Its fact
    // chunk says 44,902 samples at 44,100 Hz, ffprobe says 1.018 s, and `ffmpeg -i … -f s16le -` writes 44,902 samples.
    "audio/media3-sample_ima_adpcm.wav": 1.018
  ]
}
