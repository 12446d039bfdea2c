internal import MediaModel

@_spi(Fuzzing) @testable internal import MediaProbe

/// The facts of an MP4 or QuickTime file by both readers.
struct MovieReaders {
  /// Read from the movie box; nil for an unusual file.
  let movie: MediaInfo?
  /// Found by libavformat; nil for a file of another type, and for one that is never passed to it.
  let demuxed: MediaInfo?

  init(_ input: borrowing MediaInput) {
    let readers = MovieFuzzing(input)
    (movie, demuxed) = (readers.movie, readers.demuxed)
  }

  init(_ bytes: [UInt8]) throws { self.init(try MediaInput(bytes: bytes)) }
  init(path: String) throws { self.init(try MediaInput(path: path)) }
}

extension TinyMovie {
  /// The configuration of H.264 with a profile of eight bits, or of ten.
  static func avcC(profile: UInt8 = 77) -> [UInt8] { Bytes.box("avcC", [1, profile, 0, 30, 0xFF, 0xE0, 0]) }

  /// A movie that is read without FFmpeg.
  static func usual(
    width: Int = 320, height: Int = 240, matrix: [Int] = identity, extensions: [UInt8] = avcC()
  ) -> TinyMovie {
    TinyMovie(tracks: [.video(width: width, height: height, matrix: matrix, extensions: extensions)])
  }

  /// H.265 with further boxes in its sample table, such as iPhones write.
  static func phone(_ tables: [UInt8]...) -> [UInt8] {
    var movie = usual(extensions: Bytes.box("hvcC", [1, 1, 0, 30, 0xFF, 0xE0, 0]))
    movie.tables = tables.flatMap { $0 }
    var bytes = movie.bytes
    while let name = bytes.firstRange(of: Bytes.ascii("avc1")) {
      bytes.replaceSubrange(name, with: Bytes.ascii("hvc1"))
    }
    return bytes
  }

  /// Descriptions of sample groups of one length each; without a common length each states its own.
  static func descriptions(
    _ kind: String, version: Int = 1, length: Int = 1, count: Int = 2, _ content: [UInt8] = [0x14, 0x15]
  ) -> [UInt8] {
    Bytes.box("sgpd", Bytes.be32(version << 24), Bytes.ascii(kind), Bytes.be32(length), Bytes.be32(count), content)
  }

  /// Runs of samples: how many, and the number of their group.
  static func groups(_ kind: String, _ runs: [(count: Int, group: Int)] = [(1, 1), (4, 2)]) -> [UInt8] {
    Bytes.box(
      "sbgp", Bytes.be32(0), Bytes.ascii(kind), Bytes.be32(runs.count),
      runs.flatMap { Bytes.be32($0.count) + Bytes.be32($0.group) })
  }

  /// Composition times of the same offset.
  static func compositionTimes(_ count: Int) -> [UInt8] {
    Bytes.box("ctts", Bytes.be32(0), Bytes.be32(1), Bytes.be32(count), Bytes.be32(1))
  }
}
