internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaProbe

/// Files with some bytes changed: always a result, from a bounded number of bytes. A reader that hangs meets the time limit.
@Suite struct MutationTests {
  private static let originals: [(name: String, bytes: [UInt8])] = [
    (
      "movie",
      TinyMovie(
        tracks: [.video(width: 320, height: 240), .audio], extras: TinyMovie.userData("©xyz", "+40.68-074.50/")
      ).bytes
    ),
    (
      "QuickTime",
      TinyMovie(
        brand: "qt  ", extras: TinyMovie.metadata([("com.apple.quicktime.creationdate", "2023-05-09T12:41:46+0100")])
      ).bytes
    ),
    ("H.263", TinyMovie(tracks: [.h263], sample: [0, 0, 0x80, 0x02, 0x08, 0x01, 0, 0, 0, 0, 0, 0]).bytes),
    ("fragments", TinyMovie.fragmented(fragments: 4)),
    ("WebM", TinyAudio.webm(clusters: 4)), ("WAV", TinyAudio.wav()), ("MP3", TinyAudio.mp3(bitRates: [9, 1, 9, 4, 9])),
    ("AAC", TinyAudio.adts(frames: 20)), ("AMR", TinyAudio.amr(modes: [7, 0, 15, 7])),
    ("Monkey's Audio", TinyHeaders.ape()), ("Musepack 7", TinyHeaders.musepack7), ("Musepack 8", TinyHeaders.musepack8),
    ("RealAudio 3", TinyHeaders.realAudio3), ("RealAudio 4", TinyHeaders.realAudio4),
    ("RealMedia", TinyHeaders.realMedia("audio/x-pn-realaudio")),
    ("a part of an MP3", Array(TinyAudio.mp3(bitRates: .init(repeating: 9, count: 20)).dropFirst(100))),
    ("ZIP", TinyZip.archive([("[Content_Types].xml", "<x/>"), ("word/document.xml", "<y/>")])),
    ("compound file", TinyCompoundFile.file(stream: "WordDocument")), ("PDF", TinyPDF.document(pages: 2)),
    ("vCard", Array("BEGIN:VCARD\nFN;ENCODING=QUOTED-PRINTABLE:J=C3=B6rg\nEND:VCARD".utf8)),
    ("HTML", Array("<!-- x --><!DOCTYPE html><html>".utf8)), ("JSON", Array("{\"a\": [1, {\"b\": null}]}".utf8)),
    ("CSV", Array("a,b,c\n1,\"2\",3\n".utf8)),
  ]

  @Test(.timeLimit(.minutes(20)), arguments: originals.indices, 0..<8) func `A changed file gives a result`(
    _ original: Int, _ seed: Int
  ) throws {
    let (name, bytes) = Self.originals[original]
    var random = SeededGenerator(seed: UInt64(original * 1_000 + seed))
    for round in 0..<25 {
      try expectResult(mutated(bytes, &random), "\(name), seed \(seed), round \(round)")
    }
  }

  @Test(.timeLimit(.minutes(20))) func `Files of FFmpeg give a result when changed`() throws {
    guard let ffmpeg = ["/usr/bin/ffmpeg", "/usr/local/bin/ffmpeg"].first(where: FileManager.default.isExecutableFile)
    else {
      print("skipped, no ffmpeg")
      return
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let formats: [(String, [String])] = [
      ("a.mp4", ["-c:v", "mpeg4", "-c:a", "aac"]), ("a.mkv", ["-c:v", "mpeg4", "-c:a", "flac"]),
      ("a.avi", ["-c:v", "mpeg4", "-c:a", "mp2"]), ("a.ts", ["-c:v", "mpeg2video", "-c:a", "mp2"]),
      ("a.mpg", ["-c:v", "mpeg1video", "-c:a", "mp2"]), ("a.flv", ["-c:v", "flv", "-ar", "44100"]),
      ("a.wmv", ["-c:v", "wmv2", "-c:a", "wmav2"]), ("a.ogg", ["-vn", "-c:a", "flac"]), ("a.aiff", ["-vn"]),
      ("a.flac", ["-vn"]),
    ]
    for (index, (name, options)) in formats.enumerated() {
      let file = folder.appending(path: name).path
      let process = Process()
      process.executableURL = URL(fileURLWithPath: ffmpeg)
      process.arguments =
        [
          "-v", "quiet", "-f", "lavfi", "-i", "testsrc=size=64x48:rate=25:duration=1", "-f", "lavfi", "-i",
          "sine=duration=1",
        ]
        + options + [file]
      process.standardInput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      let bytes = [UInt8](try #require(FileManager.default.contents(atPath: file), "\(name)"))
      // Unchanged it has its facts, so that the changes are changes of something.
      let info = MediaProber().facts(of: try MediaInput(bytes: bytes), claim: .fileName(name))
      #expect(info.error == nil, "\(name)")
      #expect(info.mismatch == nil, "\(name)")
      #expect(info.duration.map { abs($0 - 1) < 0.2 } == true, "\(name): \(info.duration ?? -1)")
      #expect((info.width == 64) == (info.kind == .video), "\(name)")
      var random = SeededGenerator(seed: UInt64(index))
      for round in 0..<40 { try expectResult(mutated(bytes, &random), "\(name), round \(round)") }
    }
  }

  private func expectResult(_ bytes: [UInt8], _ what: String) throws {
    let input = try MediaInput(bytes: bytes)
    let info = MediaProber().facts(of: input, claim: .fileName("a.jpg"))
    #expect(info.bytes == bytes.count)
    #expect(info.type.kind == info.kind || info.kind == .audio, "\(what)")
    if let width = info.width { #expect(width > 0, "\(what)") }
    if let duration = info.duration {
      #expect(duration > 0, "\(what)")
      #expect(duration.isFinite, "\(what)")
    }
    // Every part of a file is read a few times at most: by the signatures, the structure and the demuxer.
    #expect(input.bytesRead <= bytes.count * 8 + 4_000_000, "\(what)")
  }

  /// Bytes changed at a few places, most of them near the beginning where the headers are; now and then the end is cut off.
  private func mutated(_ original: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = original
    if random.below(5) == 0 { bytes = Array(bytes.prefix(1 + random.below(bytes.count))) }
    for _ in 0...random.below(10) {
      let at = random.below(random.below(3) == 0 ? bytes.count : min(bytes.count, 1_024))
      let value: [UInt8]
      switch random.below(4) {
      case 0: value = [UInt8(random.below(256))]
      case 1: value = [0x7F, 0xFF, 0xFF, 0xFF]
      case 2: value = [0, 0, 0, 0]
      default: value = [0xFF]
      }
      for (offset, byte) in value.enumerated() where at + offset < bytes.count { bytes[at + offset] = byte }
    }
    return bytes
  }
}
