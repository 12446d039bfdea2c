/// A HEIC of items with four bytes each, of which every byte is the id; the first item is the primary one.
struct SyntheticImage {
  var items: [(id: Int, type: String)]
  var references: [(type: String, source: Int, targets: [Int])] = []
  /// Bytes of an id: 2 or 4.
  var idBytes = 2
  /// Extents of each item but the first, all with the same bytes.
  var extents = 1
  /// The content of `grpl`.
  var groups: [UInt8] = []

  static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
  }

  static func box(_ type: String, _ body: [UInt8]) -> [UInt8] { number(body.count + 8, 4) + Array(type.utf8) + body }

  /// A box with a version and no flags.
  static func box(_ type: String, version: Int, _ body: [UInt8]) -> [UInt8] {
    box(type, number(version << 24, 4) + body)
  }

  private func id(_ value: Int) -> [UInt8] { Self.number(value, idBytes) }

  private var isLong: Bool { idBytes == 4 }

  private func meta(media: Int) -> [UInt8] {
    var entries = Self.number(items.count, isLong ? 4 : 2)
    var locations: [UInt8] = [0x44, 0] + Self.number(items.count, idBytes)
    for (index, item) in items.enumerated() {
      var entry = id(item.id) + [0, 0]
      entry += Array(item.type.utf8) + [0]
      entries += Self.box("infe", version: isLong ? 3 : 2, entry)
      locations += id(item.id)
      // The construction method, then no data reference, and the extents.
      if isLong { locations += [0, 0] }
      let count = index == 0 ? 1 : extents
      locations += [0, 0] + Self.number(count, 2)
      let extent = Self.number(media + 4 * index, 4) + Self.number(4, 4)
      for _ in 0..<count { locations += extent }
    }
    var links: [UInt8] = []
    for reference in references {
      let targets = reference.targets.flatMap { id($0) }
      let header = id(reference.source) + Self.number(reference.targets.count, 2)
      links += Self.box(reference.type, header + targets)
    }
    var handler: [UInt8] = [0, 0, 0, 0]
    handler += Array("pict".utf8)
    handler += [UInt8](repeating: 0, count: 13)
    let properties = Self.box("ipco", []) + Self.box("ipma", version: 0, [0, 0, 0, 0])
    var body = Self.box("hdlr", version: 0, handler)
    body += Self.box("pitm", version: isLong ? 1 : 0, id(items.first?.id ?? 0))
    body += Self.box("iloc", version: isLong ? 2 : 0, locations)
    body += Self.box("iinf", version: isLong ? 1 : 0, entries)
    body += links.isEmpty ? [] : Self.box("iref", version: isLong ? 1 : 0, links)
    body += Self.box("iprp", properties)
    body += groups.isEmpty ? [] : Self.box("grpl", groups)
    return Self.box("meta", version: 0, body)
  }

  var bytes: [UInt8] {
    let type = Self.box("ftyp", Array("heic\0\0\0\0mif1".utf8))
    let start = type.count + meta(media: 0).count + 8
    return type + meta(media: start) + Self.box("mdat", media { _ in true })
  }

  /// The bytes of all items, those that are not kept as zeros.
  func media(keeping isKept: (Int) -> Bool) -> [UInt8] {
    items.flatMap { [UInt8](repeating: isKept($0.id) ? UInt8($0.id) : 0, count: 4) }
  }
}
