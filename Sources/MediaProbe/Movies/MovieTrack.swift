internal import ISOBaseMedia

/// A track of a movie (ISO/IEC 14496-12, 8.3).
struct MovieTrack {
  enum Media {
    case video(MovieVideo)
    case audio(MovieAudio)
  }

  private(set) var number = 0
  /// Whether it is played by default: the flag `track_enabled`.
  private(set) var isEnabled = false
  /// When it was created; nil if that is not stated.
  private(set) var creationTime: String?
  /// Numbers of the tracks that have the chapters of this one.
  private(set) var chapters: [Int] = []
  /// Nil for timecodes, texts and timed metadata.
  private(set) var media: Media?

  private var matrix: [Int32] = []
  private var shownWidth = 0
  private var shownHeight = 0

  /// - Parameter tags: A track can have tags of the whole file.
  init(_ source: Box.MemorySource, _ body: Range<Int>, tags: inout MovieTags) throws(UnusualMovie) {
    var hasMedia = false
    for box in try source.distinctBoxes(in: body, repeating: ["free", "skip"]) {
      switch box.type {
      case "tkhd": try readHeader(source, box.body)
      case "mdia":
        try UnusualMovie.unless(number > 0)
        try readMedia(source, box.body)
        hasMedia = true
      // The duration is that of the movie header, which includes edits.
      case "edts":
        let types = try source.boxes(in: box.body).map(\.type)
        try UnusualMovie.unless(types.allSatisfy { $0 == "elst" })
      case "tref": try readReferences(source, box.body)
      case "udta": try tags.readUserData(source, box.body, ofTrack: true)
      case "meta": try tags.skipTrackMetadata(source, box.body)
      case "tapt", "tgas", "load", "free", "skip": break
      default: throw UnusualMovie()
      }
    }
    try UnusualMovie.unless(hasMedia)
  }

  private mutating func readHeader(_ source: Box.MemorySource, _ body: Range<Int>) throws(UnusualMovie) {
    var fields = MovieFields(source, body)
    let (version, flags) = try fields.version(0...1)
    isEnabled = flags & 1 != 0
    try fields.skip(version == 1 ? 16 : 8)
    number = try fields.unsigned(4)
    // Duration, layer, group, volume and reserved bytes.
    try fields.skip(version == 1 ? 28 : 24)
    matrix = try fields.matrix()
    // 16.16 fixed point.
    shownWidth = try fields.unsigned(4) >> 16
    shownHeight = try fields.unsigned(4) >> 16
    try UnusualMovie.unless((1...Int(Int32.max)).contains(number) && shownWidth < 0x8000 && shownHeight < 0x8000)
  }

  private mutating func readReferences(_ source: Box.MemorySource, _ body: Range<Int>) throws(UnusualMovie) {
    for box in try source.distinctBoxes(in: body) {
      var fields = MovieFields(source, box.body)
      try UnusualMovie.unless(box.body.count >= 4 && box.body.count % 4 == 0)
      switch box.type {
      case "chap":
        try UnusualMovie.unless(box.body.count <= 4 * MovieHeader.trackLimit)
        while !fields.rest.isEmpty { chapters.append(try fields.unsigned(4)) }
      case "tmcd", "cdsc", "hint", "folw", "fall", "subt", "sync", "cdep": break
      default: throw UnusualMovie()
      }
    }
  }

  private mutating func readMedia(_ source: Box.MemorySource, _ body: Range<Int>) throws(UnusualMovie) {
    var timescale = 0
    var handler: FourCC?
    var table: SampleTable?
    for box in try source.distinctBoxes(in: body) {
      var fields = MovieFields(source, box.body)
      switch box.type {
      case "mdhd":
        let width = try fields.version(0...1).version == 1 ? 8 : 4
        creationTime = try MovieTags.creationTime(fields.unsigned(width))
        try fields.skip(width)
        timescale = try fields.unsigned(4)
        // Duration, language and quality.
        try fields.skip(width + 4)
        try UnusualMovie.unless((1...Int(Int32.max)).contains(timescale))
      case "hdlr":
        try fields.skip(8)
        handler = try fields.type()
        try fields.skip(12)
      case "minf":
        // What an entry of the sample table means depends on the handler.
        guard let handler, timescale > 0 else { throw UnusualMovie() }
        table = try Self.sampleTable(source, box.body, handler)
      case "elng", "free", "skip": break
      default: throw UnusualMovie()
      }
    }
    guard let table else { throw UnusualMovie() }
    switch table.entry {
    case .video(let entry):
      media = .video(
        try MovieVideo(entry, table, timescale: timescale, matrix: matrix, shown: (shownWidth, shownHeight)))
    case .audio(let entry): media = .audio(try MovieAudio(entry, timescale: timescale))
    case .other: media = nil
    }
  }

  private static func sampleTable(
    _ source: Box.MemorySource, _ body: Range<Int>, _ handler: FourCC
  ) throws(UnusualMovie) -> SampleTable? {
    var table: SampleTable?
    for box in try source.distinctBoxes(in: body) {
      switch box.type {
      case "stbl": table = try SampleTable(source, box.body, handler)
      case "dinf": try checkReferences(source, box.body)
      case "hdlr":
        // QuickTime's handler of the data.
        var fields = MovieFields(source, box.body)
        try fields.skip(8)
        let type = try fields.type()
        try fields.skip(12)
        try UnusualMovie.unless(type == "alis" || type == "url ")
      case "vmhd", "smhd", "gmhd", "nmhd", "sthd", "hmhd", "free", "skip": break
      default: throw UnusualMovie()
      }
    }
    return table
  }

  /// Checks that the samples are in the file itself.
  private static func checkReferences(_ source: Box.MemorySource, _ body: Range<Int>) throws(UnusualMovie) {
    for box in try source.distinctBoxes(in: body) {
      var fields = MovieFields(source, box.body)
      _ = try fields.version()
      let (count, size, type) = (try fields.unsigned(4), try fields.unsigned(4), try fields.type())
      let isInFile = try fields.unsigned(4) == 1
      try UnusualMovie.unless(
        box.type == "dref" && count == 1 && size == 12 && (type == "url " || type == "alis") && isInFile)
    }
  }
}
