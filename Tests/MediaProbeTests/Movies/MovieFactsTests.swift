internal import Foundation
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaProbe

/// Facts that are read from the movie box, against those that libavformat finds in the same file.
@Suite("Facts of usual movies are read without FFmpeg") struct MovieFactsTests {
  private static let extensions: Set<String> = ["mp4", "mov", "m4a", "m4v", "3gp", "3g2"]

  private static func isMovie(_ path: String) -> Bool {
    extensions.contains(String(path.split(separator: ".").last ?? "").lowercased())
  }

  /// Files whose facts libavformat finds: damaged ones, MPEG-4 Part 2 and H.263, fragments, a cover alone, two tracks of video.
  private static let unusual: Set<String> = [
    "broken/audio.mov", "broken/cut.3gp", "broken/cut.m4a", "broken/cut.mov", "broken/empty.mp4",
    "broken/truncated.mp4", "formats/clip.3g2", "videos/cover-only.mp4", "videos/cut.mp4", "videos/fragmented.mp4",
    "videos/h263.3gp", "videos/two-tracks.mp4",
  ]

  @Test("The facts of every movie in testdata are those that libavformat finds, and most files are read")
  func testdata() throws {
    let files = Fixture.all.map(\.path).filter(Self.isMovie)
    var unusual: Set<String> = []
    for file in files {
      let readers = try MovieReaders(path: Fixture.path(file))
      if let movie = readers.movie { #expect(movie == readers.demuxed, "\(file)") } else { unusual.insert(file) }
    }
    #expect(unusual == Self.unusual)
  }

  @Test("The facts of every movie in the corpus are those that libavformat finds", .enabled(if: Corpus.isPresent))
  func corpus() throws {
    let files = Manifest.all.map(\.path).filter(Self.isMovie)
    var read = 0
    for file in files {
      let readers = try MovieReaders(path: Corpus.path(file))
      guard let movie = readers.movie else { continue }
      read += 1
      #expect(movie == readers.demuxed, "\(file)")
    }
    #expect(read >= 29)
  }

  @Test("Rotation and mirroring follow from the matrix", arguments: [0, 90, 180, 270], [false, true])
  func matrix(degrees: Int, isMirrored: Bool) throws {
    let one = 0x10000
    var matrix = TinyMovie.identity
    let turn = [0: (one, 0), 90: (0, one), 180: (-one, 0), 270: (0, -one)]
    let (cosine, sine) = try #require(turn[degrees])
    matrix.replaceSubrange(0..<2, with: isMirrored ? [-cosine, sine] : [cosine, sine])
    matrix.replaceSubrange(3..<5, with: isMirrored ? [sine, cosine] : [-sine, cosine])
    let readers = try MovieReaders(TinyMovie.usual(matrix: matrix).bytes)
    let movie = try #require(readers.movie)
    #expect(movie == readers.demuxed)
    #expect(movie.rotation == (degrees == 0 ? nil : degrees))
    #expect(movie.width == (degrees % 180 == 0 ? 320 : 240))
  }

  @Test("Colors, pixel aspect ratio and codec follow from the sample entry")
  func sampleEntry() throws {
    let color = Bytes.box(
      "colr", Bytes.ascii("nclx"), Bytes.be16(9), Bytes.be16(16), Bytes.be16(9), [0])
    let aspect = Bytes.box("pasp", Bytes.be32(4), Bytes.be32(3))
    let readers = try MovieReaders(TinyMovie.usual(extensions: TinyMovie.avcC(profile: 110) + color + aspect).bytes)
    let movie = try #require(readers.movie)
    #expect(movie == readers.demuxed)
    #expect(movie.hdr == .pq)
    #expect(movie.colorPrimaries == .bt2020)
    #expect(movie.width == 427)
    #expect(movie.videoCodec == "h264")
    #expect(movie.frameRate == 10)
  }

  @Test(
    "Tags follow from user data and from the keys of Apple's devices; those of the file take precedence",
    arguments: [
      (TinyMovie.userData("©xyz", "+40.6892-074.0445/"), 40.6892),
      (TinyMovie.metadata([("com.apple.quicktime.location.ISO6709", "+27.5916+086.5640+8850/")]), 27.5916),
    ] as [([UInt8], Double)])
  func locations(extras: [UInt8], latitude: Double) throws {
    var tiny = TinyMovie.usual()
    tiny.extras = extras
    let readers = try MovieReaders(tiny.bytes)
    let movie = try #require(readers.movie)
    #expect(movie == readers.demuxed)
    #expect(movie.latitude == latitude)
  }

  @Test(
    "The location of 3GPP has degrees with four decimals, rounded as libavformat does",
    arguments: [1, -1, 3, 77, 65_535, 1_808_303, -2_000_001, 5_898_240, 16_777_217 / 3, -11_796_480])
  func location3GPP(number: Int) throws {
    var tiny = TinyMovie.usual()
    tiny.extras = Bytes.box(
      "udta",
      Bytes.box(
        "loci", Bytes.be32(0), Bytes.be16(0x55C4), Bytes.ascii("here\0"), [0], Bytes.be32(number),
        Bytes.be32(number / 2), Bytes.be32(number * 3)))
    let readers = try MovieReaders(tiny.bytes)
    let movie = try #require(readers.movie)
    #expect(movie == readers.demuxed)
    if abs(number) > 1_000 { #expect(movie.latitude != nil) }
  }

  @Test("The time of creation counts from 1904", arguments: [0, 1, 1_000_000_000, 2_082_844_800, 3_700_000_000])
  func times(created: Int) throws {
    var tiny = TinyMovie.usual()
    tiny.created = created
    let readers = try MovieReaders(tiny.bytes)
    let movie = try #require(readers.movie)
    #expect(movie == readers.demuxed)
    if created == 3_700_000_000 { #expect(movie.takenAt?.description == "2021-03-31T01:46:40Z") }
  }

  private static let sampleGroups: [[UInt8]] = [
    TinyMovie.descriptions("sync") + TinyMovie.groups("sync"),
    TinyMovie.descriptions("sync", length: 0, count: 1, Bytes.be32(1) + [0x15]) + TinyMovie.groups("sync"),
    TinyMovie.descriptions("roll", length: 2, count: 1, [0xFF, 0xFF]) + TinyMovie.groups("roll", [(10, 1)]),
    TinyMovie.descriptions("rap ", count: 1, [0x80]) + TinyMovie.groups("rap ", [(10, 1)]),
    TinyMovie.descriptions("tscl", length: 20, count: 1, Bytes.zeros(20)),
  ]

  @Test("Sample groups change no fact", arguments: sampleGroups, [0, 10])
  func groups(boxes: [UInt8], offsets: Int) throws {
    let times = offsets > 0 ? TinyMovie.compositionTimes(offsets) : []
    let readers = try MovieReaders(TinyMovie.phone(times, boxes))
    let movie = try #require(readers.movie)
    #expect(movie == readers.demuxed)
    var plain = try #require(try MovieReaders(TinyMovie.phone()).movie)
    (plain.bytes, plain.bitRate) = (movie.bytes, movie.bitRate)
    #expect(movie == plain)
  }

  @Test(
    "The configuration of AAC states channels and sample rate, with spectral band replication those of the output",
    arguments: [
      ([0x12, 0x10], 2, 44_100), ([0x2B, 0x92, 0x08, 0x00], 2, 44_100), ([0x13, 0x90, 0x56, 0xE5, 0xA0], 2, 44_100),
      ([0x13, 0x88], 1, 22_050), ([0x11, 0xB8], 8, 48_000),
    ] as [([UInt8], Int, Int)])
  func audioConfig(bytes: [UInt8], channels: Int, sampleRate: Int) throws {
    let config = try AudioSpecificConfig(bytes)
    #expect(config.channels == channels)
    #expect(config.sampleRate == sampleRate)
  }
}
