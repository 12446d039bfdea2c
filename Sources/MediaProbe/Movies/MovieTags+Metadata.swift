internal import ISOBaseMedia

/// The metadata of iTunes, whose items have types, and of Apple's devices, whose items have keys (QuickTime File Format, "Metadata").
extension MovieTags {
  /// Reads a `meta` box of the movie: its handler, keys and values.
  mutating func readMetadata(_ source: Box.MemorySource, _ body: Range<Int>) throws(UnusualMovie) {
    for box in try Self.metadata(source, body) {
      var fields = MovieFields(source, box.body)
      switch box.type {
      case "hdlr":
        try fields.skip(8)
        if try fields.type() == "mdta" { hasKeys = true }
      case "keys" where hasKeys:
        try UnusualMovie.unless(keys == nil)
        keys = try Self.keys(&fields, source)
      case "ilst": for item in try items(source, box.body) { try readItem(source, item) }
      case "keys", "free", "skip": break
      default: throw UnusualMovie()
      }
    }
  }

  /// Checks the `meta` box of a track, whose keys libavformat ignores.
  func skipTrackMetadata(_ source: Box.MemorySource, _ body: Range<Int>) throws(UnusualMovie) {
    try UnusualMovie.unless(!hasKeys)
    for box in try Self.metadata(source, body) {
      switch box.type {
      case "ilst":
        // Indexes of keys, not types.
        let items = try source.boxes(in: box.body)
        try UnusualMovie.unless(items.allSatisfy { $0.type.rawValue < 0x10000 })
      case "hdlr":
        var fields = MovieFields(source, box.body)
        try fields.skip(8)
        try UnusualMovie.unless(fields.type() == "mdta")
        try fields.skip(12)
      case "keys", "free", "skip": break
      default: throw UnusualMovie()
      }
    }
  }

  /// The boxes in a `meta` box, of which the first must be the handler. It is a full box in MP4, but not in QuickTime.
  private static func metadata(_ source: Box.MemorySource, _ body: Range<Int>) throws(UnusualMovie) -> [Box] {
    var fields = MovieFields(source, body)
    let isFull = try fields.unsigned(4) == 0
    let boxes = try source.distinctBoxes(in: isFull ? body.dropFirst(4) : body, repeating: ["free", "skip"])
    try UnusualMovie.unless(boxes.first?.type == "hdlr")
    return boxes
  }

  /// The names of the keys, in lower case.
  private static func keys(_ fields: inout MovieFields, _ source: Box.MemorySource) throws(UnusualMovie) -> [String] {
    _ = try fields.version()
    let count = try fields.unsigned(4)
    try UnusualMovie.unless(count <= limit)
    var keys: [String] = []
    for _ in 0..<count {
      let (size, space) = (try fields.unsigned(4), try fields.type())
      try UnusualMovie.unless(size >= 8 && space == "mdta")
      let bytes = source.bytes[fields.rest].prefix(size - 8)
      try fields.skip(size - 8)
      try UnusualMovie.unless(bytes.allSatisfy { $0 < 0x80 })
      let name = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      // libavformat finds tags whatever their case, but the cover by its very name.
      try UnusualMovie.unless(name == Self.artwork || name.lowercased() != Self.artwork)
      keys.append(name.lowercased())
    }
    return keys
  }

  /// Reads an item of `ilst`, whose type names a tag or is the index of a key.
  private mutating func readItem(_ source: Box.MemorySource, _ item: Box) throws(UnusualMovie) {
    guard item.type != "free" else { return }
    guard item.type != "----" else { return try checkNamed(source, item.body) }
    try UnusualMovie.unless(!MovieTagNames.unusual.contains(item.type))
    let key = key(of: item.type)
    if item.type == "covr" || key == Self.artwork { return try readCovers(source, item.body) }
    guard let key, MovieTagNames.used.contains(key) else { return }
    var fields = MovieFields(source, item.body)
    let (size, type, kind) = (try fields.unsigned(4), try fields.type(), try fields.unsigned(4))
    // The language.
    try fields.skip(4)
    try UnusualMovie.unless(type == "data" && (16...item.body.count).contains(size))
    let text = source.bytes[fields.rest].prefix(size - 16)
    switch kind {
    // UTF-8, and for sorting.
    case 1, 4: try add(key, text, onlyASCII: false)
    // Not stated, and Macintosh.
    case 0, 3: try add(key, text, onlyASCII: true)
    default: throw UnusualMovie()
    }
  }

  private static let artwork = "com.apple.quicktime.artwork"

  private func key(of item: FourCC) -> String? {
    if let key = MovieTagNames.byType[item] { return key }
    guard let keys, item.rawValue > 0, item.rawValue <= keys.count else { return nil }
    return keys[Int(item.rawValue) - 1]
  }

  /// Looks for an image among the values of an item: JPEG, PNG or BMP.
  private mutating func readCovers(_ source: Box.MemorySource, _ body: Range<Int>) throws(UnusualMovie) {
    for box in try source.boxes(in: body) {
      var fields = MovieFields(source, box.body)
      let kind = try fields.unsigned(4)
      try UnusualMovie.unless(box.type == "data" && box.body.count > 8)
      if [13, 14, 27].contains(kind) { hasCover = true }
    }
  }

  /// Checks an item with a name of its own: it must not be that of a tag that is used.
  private func checkNamed(_ source: Box.MemorySource, _ body: Range<Int>) throws(UnusualMovie) {
    for box in try source.boxes(in: body) where box.type == "name" {
      let name = source.bytes[box.body].dropFirst(4).prefix { $0 != 0 }
      try UnusualMovie.unless(
        name.allSatisfy { $0 < 0x80 }
          && !MovieTagNames.used.contains(String(decoding: name, as: UTF8.self).lowercased()))
    }
  }
}
