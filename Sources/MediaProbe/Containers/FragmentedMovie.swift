internal import ISOBaseMedia
internal import MediaModel

/// The duration of a fragmented movie. The header often lacks it, because it is written first.
///
/// Each fragment states its start time and the durations of its samples, so the first and the last are enough. ISO/IEC
/// 14496-12, 8.8.
enum FragmentedMovie {
  /// Maximum number of tracks and sample runs per fragment, and of samples per run.
  private static let limit = 65_536

  static func duration(_ boxes: BoxStructure, _ reader: ByteReader) -> Double? {
    guard let movie = boxes.movieBox?.body, let first = boxes.firstFragment?.body else { return nil }
    let tracks = tracks(reader, movie)
    guard !tracks.isEmpty else { return nil }
    var start: Double?
    var end = 0.0
    for run in runs(reader, first, tracks) { start = min(start ?? run.start, run.start) }
    for fragment in boxes.lastFragments {
      for run in runs(reader, fragment.body, tracks) { end = max(end, run.start + run.length) }
    }
    guard let start, end > start else { return nil }
    return end - start
  }

  /// Whether the movie announces fragments. Its samples are in them, possibly in other files.
  static func isAnnounced(_ boxes: BoxStructure, _ reader: ByteReader) -> Bool {
    boxes.movieBox.map { children(reader, $0.body).contains { $0.type == "mvex" } } ?? false
  }

  /// Whether every track has the ID that fragments refer to.
  ///
  /// If one is missing, `mov_read_trun` in libavformat 59 (mov.c) makes a billion steps for every sample run. No
  /// deadline interrupts that. Such a file is corrupt and is not passed to libavformat.
  static func isReadable(_ boxes: BoxStructure, _ reader: ByteReader) -> Bool {
    guard let movie = boxes.movieBox?.body, boxes.firstFragment != nil else { return true }
    return children(reader, movie).filter { $0.type == "trak" }.allSatisfy { trak in
      identifier(reader, trak.body).map { (1...UInt32(Int32.max)).contains($0) } ?? false
    }
  }

  /// The track ID from the track header.
  private static func identifier(_ reader: ByteReader, _ trak: Range<Int>) -> UInt32? {
    guard let header = find(reader, trak, ["tkhd"]), let version = reader.u8(header) else { return nil }
    return reader.u32be(header + (version == 1 ? 20 : 12))
  }

  private struct Track {
    var timescale: UInt32 = 0
    var defaultDuration: UInt32 = 0
  }

  /// The timescale of each track, and its default sample duration.
  private static func tracks(_ reader: ByteReader, _ movie: Range<Int>) -> [UInt32: Track] {
    var tracks: [UInt32: Track] = [:]
    for box in children(reader, movie) {
      switch box.type {
      case "trak":
        guard let id = identifier(reader, box.body), let media = find(reader, box.body, ["mdia", "mdhd"]),
          let version = reader.u8(media), let timescale = reader.u32be(media + (version == 1 ? 20 : 12)), timescale > 0
        else { continue }
        tracks[id, default: Track()].timescale = timescale
      case "mvex":
        for extends in children(reader, box.body) where extends.type == "trex" {
          let content = extends.body.lowerBound
          guard let id = reader.u32be(content + 4), let duration = reader.u32be(content + 12) else { continue }
          tracks[id, default: Track()].defaultDuration = duration
        }
      default: break
      }
    }
    return tracks.filter { $0.value.timescale > 0 }
  }

  /// The start and the duration in seconds of each track's runs in a fragment.
  private static func runs(
    _ reader: ByteReader, _ fragment: Range<Int>, _ tracks: [UInt32: Track]
  ) -> [(start: Double, length: Double)] {
    children(reader, fragment).filter { $0.type == "traf" }.compactMap { traf in
      guard let header = find(reader, traf.body, ["tfhd"]), let time = find(reader, traf.body, ["tfdt"]),
        let flags = reader.u24be(header + 1), let id = reader.u32be(header + 4), let track = tracks[id],
        let version = reader.u8(time),
        let start = version == 1 ? reader.u64be(time + 4) : reader.u32be(time + 4).map(UInt64.init)
      else { return nil }
      var defaultDuration = track.defaultDuration
      if flags & 8 != 0 {
        // tfhd: base-data-offset and sample-description-index may precede the duration.
        let at = header + 8 + (flags & 1 != 0 ? 8 : 0) + (flags & 2 != 0 ? 4 : 0)
        defaultDuration = reader.u32be(at) ?? defaultDuration
      }
      let ticks = children(reader, traf.body).filter { $0.type == "trun" }.prefix(64).reduce(0.0) { sum, run in
        sum + length(reader, run.body.lowerBound, defaultDuration)
      }
      return (Double(start) / Double(track.timescale), ticks / Double(track.timescale))
    }
  }

  /// The duration of one sample run in timescale units.
  private static func length(_ reader: ByteReader, _ content: Int, _ defaultDuration: UInt32) -> Double {
    guard let flags = reader.u24be(content + 1), let count = reader.u32be(content + 4) else { return 0 }
    guard flags & 0x100 != 0 else { return Double(count) * Double(defaultDuration) }
    // Duration, size, flags and composition offset are each present only if their flag is set.
    let width = 4 * (flags & 0xF00).nonzeroBitCount
    var offset = content + 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0)
    var ticks = 0.0
    for _ in 0..<min(Int(count), limit) {
      guard let duration = reader.u32be(offset) else { break }
      ticks += Double(duration)
      offset += width
    }
    return ticks
  }

  /// The offset of the content of the box at the end of the path.
  private static func find(_ reader: ByteReader, _ range: Range<Int>, _ path: [FourCC]) -> Int? {
    children(reader, range).first(path)?.body.lowerBound
  }

  /// The whole boxes inside a body.
  private static func children(_ reader: ByteReader, _ body: Range<Int>) -> BoxReader<ByteReader> {
    BoxReader(reader, body, .wholeBoxes, limit: 1_024)
  }
}
