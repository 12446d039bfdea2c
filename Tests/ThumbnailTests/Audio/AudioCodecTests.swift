internal import MediaModel
internal import TestSupport
internal import Testing
internal import Thumbnails

/// Codecs of telephones, discs and broadcasts, each made here by ffmpeg.
@Suite struct AudioCodecTests {
  @Test(
    arguments: [
      ("a.wav", ["-c:a", "g722", "-ar", "16000"]), ("b.wav", ["-c:a", "g726", "-ar", "8000", "-b:a", "32k"]),
      ("c.ts", ["-c:a", "aac", "-mpegts_flags", "latm"]), ("d.vob", ["-c:a", "pcm_dvd", "-ar", "48000"]),
      ("e.caf", ["-c:a", "pcm_f64be"]), ("f.mka", ["-c:a", "tta"]), ("g.mka", ["-c:a", "dca", "-strict", "-2"]),
      ("h.flv", ["-c:a", "nellymoser", "-ar", "8000"]),
    ] as [(String, [String])])
  func `Audio of each codec has a waveform`(name: String, encoder: [String]) throws {
    let studio = try Studio()
    let path = studio.folder.path(name)
    let channels = name == "g.mka" || name == "d.vob" ? "2" : "1"
    try studio.check(
      studio.ffmpeg.run(
        ["-v", "error", "-f", "lavfi", "-i", "sine=d=2:f=400", "-ac", channels] + encoder + ["-y", path]))
    let result = try studio.render(path, [.box(64)])
    #expect(result.error == nil, "\(String(describing: result.error))")
    #expect(result.renditions.map(\.from) == [.waveform])
    // A tone is equally loud all over.
    #expect(try #require(result.peaks).dropFirst(10).dropLast(10).allSatisfy { $0 > 0.6 })
  }
}
