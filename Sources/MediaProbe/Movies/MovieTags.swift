internal import ISOBaseMedia
internal import MediaModel

/// The tags of a movie, with libavformat's keys: QuickTime's user data, and the metadata of iTunes and Apple's devices.
struct MovieTags {
  /// Maximum number of tags, used or not. ``AVTags`` reads at most 512, and libavformat makes two of a text in a known language.
  static let limit = 128

  private var values: [String: [UInt8]] = [:]
  /// Whether there is a cover image.
  var hasCover = false
  private var count = 0
  /// Whether a handler announced keys, and the keys.
  var hasKeys = false
  var keys: [String]?

  /// The tags as ``ContainerTags`` takes them.
  var tags: AVTags { AVTags(values.compactMapValues { TagTextSanitiser.clean($0) }) }

  /// A later tag replaces an earlier one.
  mutating func set(_ key: String, _ value: some Sequence<UInt8>) { values[key] = Array(value) }
  mutating func set(_ key: String, _ value: String) { set(key, value.utf8) }

  /// The time for seconds since 1904, as libavformat writes it: earlier than 1970 they count from there. Nil for 0.
  static func creationTime(_ seconds: Int) throws(UnusualMovie) -> String? {
    let difference = 2_082_844_800
    guard seconds != 0 else { return nil }
    guard let time = MediaInfo.CaptureTime(secondsSince1970: seconds >= difference ? seconds - difference : seconds)
    else { throw UnusualMovie() }
    return time.description
  }

  /// Reads a `udta` box of the movie or of a track (QuickTime File Format, "User data atoms").
  mutating func readUserData(
    _ source: Box.MemorySource, _ body: Range<Int>, ofTrack: Bool = false
  ) throws(UnusualMovie) {
    for box in try items(source, body) {
      switch box.type {
      case "meta" where !ofTrack: try readMetadata(source, box.body)
      case "chpl": try Self.checkChapters(source, box.body)
      case "loci": set("location", try MovieLocation(source, box.body).text)
      case "free", "skip": break
      case _ where MovieTagNames.unusual.contains(box.type): throw UnusualMovie()
      default:
        if let key = MovieTagNames.byType[box.type] {
          try readText(source, box.body, key)
        } else {
          try Self.checkText(source, box.body)
        }
      }
    }
  }

  /// A text with its length and its language.
  private mutating func readText(_ source: Box.MemorySource, _ body: Range<Int>, _ key: String) throws(UnusualMovie) {
    var fields = MovieFields(source, body)
    let (length, language) = (try fields.unsigned(2), try fields.unsigned(2))
    // Some files have none of the two, and a text of any length.
    try UnusualMovie.unless(body.count > 4 && length <= fields.rest.count)
    // Macintosh languages imply Macintosh encodings.
    let isMacintosh = language < 0x400 || language == 0x7FFF
    try add(key, source.bytes[fields.rest].prefix(length), onlyASCII: isMacintosh)
  }

  /// Checks that a text that is not used ends in its box: libavformat may refuse the file if not.
  private static func checkText(_ source: Box.MemorySource, _ body: Range<Int>) throws(UnusualMovie) {
    guard body.count > 4, let length = source.number(at: body.lowerBound, bytes: 2) else { return }
    // A larger number is no length.
    try UnusualMovie.unless(length > body.count || length + 4 <= body.count)
  }

  /// Sets a tag; the text must be ASCII if its encoding is Macintosh's.
  mutating func add(_ key: String, _ text: ArraySlice<UInt8>, onlyASCII: Bool) throws(UnusualMovie) {
    try UnusualMovie.unless(!(onlyASCII && text.contains { $0 > 0x7F }))
    set(key, text)
  }

  /// The boxes in a range, counted towards the limit of all tags.
  mutating func items(_ source: Box.MemorySource, _ body: Range<Int>) throws(UnusualMovie) -> [Box] {
    let boxes = try source.boxes(in: body)
    count += boxes.count
    try UnusualMovie.unless(count <= Self.limit)
    return boxes
  }

  /// Checks Nero's list of chapters, in which libavformat must not read too far.
  private static func checkChapters(_ source: Box.MemorySource, _ body: Range<Int>) throws(UnusualMovie) {
    var fields = MovieFields(source, body)
    if try fields.version(0...1).version == 1 { try fields.skip(4) }
    for _ in 0..<(try fields.unsigned(1)) {
      try fields.skip(8)
      try fields.skip(try fields.unsigned(1))
    }
  }
}
