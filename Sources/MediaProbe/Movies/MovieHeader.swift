internal import ISOBaseMedia
internal import MediaModel

/// What the movie box of an MP4 or QuickTime file states (ISO/IEC 14496-12, 8.2), read without FFmpeg.
///
/// The facts are those that libavformat finds in the same boxes. Everything that it would interpret differently, or would need samples for, makes a file
/// unusual: see docs/decisions/0015.
struct MovieHeader {
  /// Maximum number of tracks.
  static let trackLimit = 32

  /// Duration in seconds.
  private(set) var duration = 0.0
  private(set) var tracks: [MovieTrack] = []
  private(set) var tags = MovieTags()

  /// Reads the movie box of a file.
  init(_ reader: ByteReader) throws(UnusualMovie) {
    try self.init(content: MovieBox.content(reader))
  }

  private init(content source: Box.MemorySource) throws(UnusualMovie) {
    for box in try source.boxes(in: 0..<source.count) {
      switch box.type {
      case "mvhd":
        try UnusualMovie.unless(duration == 0)
        try readHeader(source, box.body)
      case "trak":
        // The matrix of the movie applies to tracks that follow it.
        try UnusualMovie.unless(duration > 0 && tracks.count < Self.trackLimit)
        tracks.append(try MovieTrack(source, box.body, tags: &tags))
      case "udta": try tags.readUserData(source, box.body)
      case "meta": try tags.readMetadata(source, box.body)
      case "iods", "free", "skip": break
      default: throw UnusualMovie()
      }
    }
    try checkTracks()
  }

  private mutating func readHeader(_ source: Box.MemorySource, _ body: Range<Int>) throws(UnusualMovie) {
    var fields = MovieFields(source, body)
    let width = try fields.version(0...1).version == 1 ? 8 : 4
    let created = try fields.unsigned(width)
    try fields.skip(width)
    let scale = try fields.unsigned(4)
    let ticks = try fields.unsigned(width)
    // Rate, volume and reserved bytes.
    try fields.skip(16)
    let matrix = try fields.matrix()
    // Times in QuickTime, reserved elsewhere; the next track's number.
    try fields.skip(28)
    // All ones are an unknown duration.
    try UnusualMovie.unless(
      (1...Int(Int32.max)).contains(scale) && (1..<1 << 40).contains(ticks) && ticks != 0xFFFF_FFFF
        && matrix == MovieFields.identityMatrix)
    // libavformat states it in microseconds, rounded to the nearest.
    let microseconds = (ticks * 1_000_000 + scale / 2) / scale
    try UnusualMovie.unless(microseconds > 0)
    duration = Double(microseconds) / 1_000_000
    if let time = try MovieTags.creationTime(created) { tags.set("creation_time", time) }
  }

  /// At least one track of video or audio, at most one of video; and none of them is a list of chapters.
  private func checkTracks() throws(UnusualMovie) {
    let chapters = Set(tracks.flatMap(\.chapters))
    let media = tracks.filter { $0.media != nil }
    let videos = media.count { if case .video = $0.media { true } else { false } }
    try UnusualMovie.unless(
      !media.isEmpty && videos <= 1 && Set(tracks.map(\.number)).count == tracks.count
        && media.allSatisfy { !chapters.contains($0.number) })
  }
}

extension MovieFields {
  static let identityMatrix: [Int32] = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]

  /// The nine numbers of a matrix.
  mutating func matrix() throws(UnusualMovie) -> [Int32] {
    var matrix: [Int32] = []
    for _ in 0..<9 { matrix.append(try signed()) }
    return matrix
  }
}
