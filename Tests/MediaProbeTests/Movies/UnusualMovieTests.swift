internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaProbe

/// What the reader of the movie box leaves to FFmpeg.
@Suite("FFmpeg finds the facts of unusual movies") struct UnusualMovieTests {
  private static let aspect = Bytes.box("pasp", Bytes.be32(1), Bytes.be32(1))

  private static func replacing(_ old: String, _ new: String, in movie: TinyMovie = .usual()) -> [UInt8] {
    var bytes = movie.bytes
    while let range = bytes.firstRange(of: Bytes.ascii(old)) { bytes.replaceSubrange(range, with: Bytes.ascii(new)) }
    return bytes
  }

  /// A movie with a box after its `ftyp` box of 24 bytes.
  private static func inserting(_ box: [UInt8]) -> [UInt8] {
    let bytes = TinyMovie.usual().bytes
    return Array(bytes.prefix(24)) + box + bytes.dropFirst(24)
  }

  private static let sync = TinyMovie.descriptions("sync")
  private static let inGroups = TinyMovie.groups("sync")
  private static let tooMany = [(count: 0xFFFF_FFFF, group: 1), (count: 0xFFFF_FFFF, group: 2)]

  private static func movie(_ change: (inout TinyMovie) -> Void) -> [UInt8] {
    var movie = TinyMovie.usual()
    change(&movie)
    return movie.bytes
  }

  private static let files: [(String, [UInt8])] = [
    ("fragments", TinyMovie.fragmented(fragments: 2)),
    ("fragments that are announced", movie { $0.extras = Bytes.box("mvex") }),
    ("two tracks of video", movie { $0.tracks += $0.tracks }),
    ("neither video nor audio", movie { $0.tracks = [.other] }),
    ("an encrypted track", replacing("avc1", "encv")),
    ("an unknown codec", replacing("avc1", "xxxx")),
    ("no configuration of the codec", TinyMovie.usual(extensions: []).bytes),
    ("ten bits without a transfer function", TinyMovie.usual(extensions: TinyMovie.avcC(profile: 110)).bytes),
    ("a size of television", TinyMovie.usual(width: 720, height: 576).bytes),
    ("an unknown box in a sample entry", TinyMovie.usual(extensions: TinyMovie.avcC() + Bytes.box("xxxx")).bytes),
    ("two pixel aspect ratios", TinyMovie.usual(extensions: TinyMovie.avcC() + aspect + aspect).bytes),
    ("a rotation by 45°", TinyMovie.usual(matrix: [46_341, 46_341, 0, -46_341, 46_341, 0, 0, 0, 1 << 30]).bytes),
    ("no duration", movie { $0.duration = 0 }),
    ("an unknown duration", movie { $0.duration = 0xFFFF_FFFF }),
    ("audio without a configuration", movie { $0.tracks.append(.audio) }),
    ("an unknown box in the movie", movie { $0.extras = Bytes.box("xxxx") }),
    ("a box that is too long", movie { $0.extras = Bytes.be32(16) + Bytes.ascii("free") }),
    ("a box without a size", movie { $0.extras = Bytes.be32(0) + Bytes.ascii("free") }),
    ("times that overflow", movie { $0.times = [(0x10_0000, 0x7FFF_FFFE), (0xFFFF_FFFF, 0x7FFF_FFFE)] }),
    ("more samples in groups than there are", TinyMovie.phone(sync, TinyMovie.groups("sync", [(10, 1), (1, 2)]))),
    ("more samples in groups than can be counted", TinyMovie.phone(sync, TinyMovie.groups("sync", tooMany))),
    ("more times than samples, and groups", TinyMovie.phone(TinyMovie.compositionTimes(11), sync, inGroups)),
    ("descriptions of groups without lengths", TinyMovie.phone(TinyMovie.descriptions("sync", version: 0), inGroups)),
    ("descriptions of groups of version 2", TinyMovie.phone(TinyMovie.descriptions("sync", version: 2), inGroups)),
    ("a description beyond its box", TinyMovie.phone(TinyMovie.descriptions("sync", length: 99), inGroups)),
    ("more descriptions than there are", TinyMovie.phone(TinyMovie.descriptions("sync", count: 99), inGroups)),
    (
      "an empty description",
      TinyMovie.phone(TinyMovie.descriptions("sync", length: 0, count: 1, Bytes.be32(0)), inGroups)
    ),
    ("an artwork in capitals", movie { $0.extras = TinyMovie.metadata([("com.apple.quicktime.ARTWORK", "x")]) }),
    ("a name in a Macintosh encoding", movie { $0.extras = Bytes.box("udta", macintoshName) }),
    ("a location without numbers", movie { $0.extras = Bytes.box("udta", Bytes.box("loci", Bytes.zeros(15))) }),
    ("a title of 3GPP", movie { $0.extras = Bytes.box("udta", Bytes.box("titl", Bytes.zeros(9))) }),
    ("samples in another file", replacing("url \0\0\0\u{1}", "url \0\0\0\0")),
    ("an unknown box before the movie", inserting(Bytes.box("xxxx"))),
    ("a second movie", inserting(Bytes.box("moov"))),
  ]

  private static let macintoshName = Bytes.box("©nam", Bytes.be16(1), Bytes.be16(0), [0x8A])

  @Test("Unusual movies are left to FFmpeg", arguments: files.indices) func unusual(_ index: Int) throws {
    let (what, bytes) = Self.files[index]
    #expect(try MovieReaders(bytes).movie == nil, "\(what)")
  }

  @Test("Without these changes the movie is read") func usual() throws {
    let readers = try MovieReaders(TinyMovie.usual().bytes)
    #expect(readers.movie != nil)
    #expect(readers.movie == readers.demuxed)
  }

  /// Files of several kinds; each is small.
  private static let originals = [
    "camera-roll/VID_0008.mp4", "camera-roll/MOV_0009.mov", "camera-roll/Voice 001.m4a", "audio/covr.m4a",
    "hdr/pq.mp4", "videos/turn-90.mp4", "formats/tone.3gp", "formats/alac.m4a",
  ]

  /// Bytes of a file from the beginning of its movie box.
  private static func moviePart(_ bytes: [UInt8]) throws -> Range<Int> {
    let name = try #require(bytes.firstRange(of: Bytes.ascii("moov")))
    return name.lowerBound - 4..<bytes.count
  }

  @Test(
    "A damaged movie has the facts that libavformat finds, or is left to it", .timeLimit(.minutes(10)),
    arguments: originals)
  func damaged(file: String) throws {
    let original = try Fixture.bytes(file)
    let movie = try Self.moviePart(original)
    var random = SeededGenerator(seed: UInt64(original.count))
    var read = 0
    for round in 0..<400 {
      var bytes = original
      for _ in 0...random.below(3) {
        let at = movie.lowerBound + random.below(min(movie.count, 4_096))
        let flipped = bytes[at] ^ 1 << UInt8(random.below(8))
        bytes[at] = [0, 1, 0x7F, 0xFF, UInt8(random.below(256)), flipped][random.below(6)]
      }
      let readers = try MovieReaders(bytes)
      guard let info = readers.movie else { continue }
      read += 1
      #expect(info == readers.demuxed, "\(file), round \(round)")
    }
    // Some changes are of no consequence, so that something is compared.
    #expect(read > 20)
  }

  @Test("A truncated movie is left to FFmpeg", arguments: originals) func truncated(file: String) throws {
    let original = try Fixture.bytes(file)
    for part in 1..<64 {
      let bytes = Array(original.prefix(original.count * part / 64))
      #expect(try MovieReaders(bytes).movie == nil, "\(part) of 64")
    }
  }
}
