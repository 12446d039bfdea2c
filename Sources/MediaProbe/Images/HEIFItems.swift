internal import ISOBaseMedia
internal import MediaModel

/// The items of an HEIF `meta` box (ISO/IEC 23008-12, ISO/IEC 14496-12 §8.11): what they are, where they lie, how they refer
/// to one another and which properties they have.
struct HEIFItems {
  /// More items than the tiles of any image.
  static let itemLimit = 32_768

  struct Item {
    var type: FourCC
    /// The content type of a `mime` item.
    var contentType = ""
    var isHidden = false
  }

  struct Location {
    /// 0: offsets in the file, 1: offsets in the `idat` box, 2: offsets in another item.
    var construction: Int
    var isInThisFile: Bool
    var extents: [(offset: Int, length: Int)]
  }

  struct Reference {
    let type: FourCC
    let from: Int
    let to: [Int]
  }

  let reader: ByteReader
  private(set) var primary: Int?
  private(set) var items: [Int: Item] = [:]
  private(set) var locations: [Int: Location] = [:]
  private(set) var references: [Reference] = []
  private var properties: [Box] = []
  private var associations: [Int: [Int]] = [:]
  private var idat: Range<Int>?

  /// Reads the boxes of a `meta` box, which is a full box.
  init(_ reader: ByteReader, meta: Range<Int>) {
    self.reader = reader
    for box in BoxReader(reader, meta.dropFirst(4)) {
      switch box.type {
      case "pitm": readPrimary(box.body)
      case "iinf": readItems(box.body)
      case "iloc": readLocations(box.body)
      case "iref": readReferences(box.body)
      case "iprp": readProperties(box.body)
      case "idat": idat = box.body
      default: break
      }
    }
  }

  /// The properties of an item in the order in which they apply.
  func properties(of item: Int) -> [Box] {
    // Indices count from 1; 0 means none, and one out of range means nothing.
    (associations[item] ?? []).compactMap { $0 >= 1 && $0 <= properties.count ? properties[$0 - 1] : nil }
  }

  /// The size that an item states (`ispe`).
  func size(of item: Int) -> PixelSize? {
    guard let box = properties(of: item).first(where: { $0.type == "ispe" }),
      let width = reader.u32be(box.body.lowerBound + 4), let height = reader.u32be(box.body.lowerBound + 8)
    else { return nil }
    let size = PixelSize(width: Int(width), height: Int(height))
    return size.isPositive ? size : nil
  }

  /// The images of a collection: those that are not hidden and not a part, thumbnail or auxiliary image of another.
  var images: Set<Int> {
    let parts = references.reduce(into: Set<Int>()) { parts, reference in
      switch reference.type {
      case "thmb", "auxl": parts.insert(reference.from)
      case "dimg": parts.formUnion(reference.to)
      default: break
      }
    }
    let coded = items.filter {
      Self.imageTypes.contains($0.value.type) && !$0.value.isHidden && !parts.contains($0.key)
    }
    return Set(coded.keys).union(primary.map { [$0] } ?? [])
  }

  /// Coded images, and those that are put together from others. A tone map (`tmap`) is not seen by itself.
  private static let imageTypes: Set<FourCC> = [
    "hvc1", "av01", "avc1", "vvc1", "jpeg", "j2k1", "unci", "grid", "iovl", "iden",
  ]

  /// The items that refer to `item` in a certain way.
  func items(referring type: FourCC, to item: Int) -> [Int] {
    references.filter { $0.type == type && $0.to.contains(item) }.map(\.from)
  }

  /// The pieces of the file that an item consists of; nil when it lies elsewhere or is put together from other items.
  func pieces(of item: Int) -> [Range<Int>]? {
    guard let location = locations[item], location.isInThisFile else { return nil }
    var start = 0
    switch location.construction {
    case 0: break
    case 1:
      guard let idat else { return nil }
      start = idat.lowerBound
    default: return nil
    }
    return location.extents.map { extent in
      let lower = start &+ extent.offset
      let (upper, overflow) = lower.addingReportingOverflow(extent.length)
      return lower >= 0 && !overflow && upper >= lower ? lower..<upper : reader.count..<Int.max
    }
  }

  /// The bytes of an item, at most `limit`; nil when a piece of them is not there.
  func bytes(of item: Int, limit: Int) -> (bytes: [UInt8], offset: Int?)? {
    guard let pieces = pieces(of: item), !pieces.isEmpty else { return nil }
    var result: [UInt8] = []
    for piece in pieces where result.count < limit {
      guard let part = reader.slice(piece.lowerBound, min(piece.count, limit - result.count)) else { return nil }
      result += part
    }
    return (result, pieces.count == 1 ? pieces[0].lowerBound : nil)
  }
}

extension HEIFItems {
  private mutating func readPrimary(_ body: Range<Int>) {
    var cursor = Box.Cursor(reader, body)
    guard let (version, _) = cursor.fullBox() else { return }
    primary = cursor.unsigned(wide: version > 0)
  }

  private mutating func readItems(_ body: Range<Int>) {
    var cursor = Box.Cursor(reader, body)
    guard let (version, _) = cursor.fullBox(), cursor.unsigned(wide: version > 0) != nil else { return }
    for entry in BoxReader(reader, cursor.offset..<max(cursor.offset, body.upperBound)) where entry.type == "infe" {
      guard items.count < Self.itemLimit else { return }
      var cursor = Box.Cursor(reader, entry.body)
      // Versions 0 and 1 are older than HEIF.
      guard let (version, flags) = cursor.fullBox(), version >= 2, let id = cursor.unsigned(wide: version > 2),
        cursor.unsigned(2) != nil, let type = cursor.unsigned(4)
      else { continue }
      var item = Item(type: FourCC(rawValue: UInt32(truncatingIfNeeded: type)))
      item.isHidden = flags & 1 == 1
      if item.type == "mime" {
        // The item's name, a zero, the content type, a zero.
        let texts = reader.bytes(cursor.offset, min(256, cursor.end - cursor.offset))
        let parts = texts.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        if parts.count > 1 { item.contentType = String(decoding: parts[1], as: UTF8.self) }
      }
      items[id] = item
    }
  }

  private mutating func readLocations(_ body: Range<Int>) {
    var cursor = Box.Cursor(reader, body)
    guard let (version, _) = cursor.fullBox(), version <= 2, let sizes = cursor.unsigned(2),
      let count = cursor.unsigned(wide: version == 2)
    else { return }
    let widths = [12, 8, 4, 0].map { sizes >> $0 & 0xF }
    guard widths.allSatisfy({ $0 == 0 || $0 == 4 || $0 == 8 }) else { return }
    let indexWidth = version == 0 ? 0 : widths[3]
    var extentsLeft = 2 * Self.itemLimit
    for _ in 0..<min(count, Self.itemLimit) {
      guard let id = cursor.unsigned(wide: version == 2),
        let construction = version == 0 ? 0 : cursor.unsigned(2).map({ $0 & 0xF }),
        let dataReference = cursor.unsigned(2), let base = cursor.unsigned(widths[2]),
        let extentCount = cursor.unsigned(2)
      else { return }
      var location = Location(construction: construction, isInThisFile: dataReference == 0, extents: [])
      for _ in 0..<extentCount {
        guard extentsLeft > 0, cursor.unsigned(indexWidth) != nil, let offset = cursor.unsigned(widths[0]),
          let length = cursor.unsigned(widths[1])
        else { return }
        extentsLeft -= 1
        location.extents.append((base &+ offset, length))
      }
      locations[id] = location
    }
  }

  private mutating func readReferences(_ body: Range<Int>) {
    var cursor = Box.Cursor(reader, body)
    guard let (version, _) = cursor.fullBox() else { return }
    var left = 2 * Self.itemLimit
    for box in BoxReader(reader, cursor.offset..<max(cursor.offset, body.upperBound)) {
      var cursor = Box.Cursor(reader, box.body)
      guard let from = cursor.unsigned(wide: version > 0), let count = cursor.unsigned(2) else { continue }
      var to: [Int] = []
      while to.count < count, left > 0, let id = cursor.unsigned(wide: version > 0) {
        to.append(id)
        left -= 1
      }
      references.append(Reference(type: box.type, from: from, to: to))
    }
  }

  private mutating func readProperties(_ body: Range<Int>) {
    if let container = BoxReader(reader, body).first("ipco") {
      properties = Array(BoxReader(reader, container.body))
    }
    var left = 4 * Self.itemLimit
    for box in BoxReader(reader, body) where box.type == "ipma" {
      var cursor = Box.Cursor(reader, box.body)
      guard let (version, flags) = cursor.fullBox(), let count = cursor.unsigned(4) else { continue }
      for _ in 0..<min(count, Self.itemLimit) {
        guard let id = cursor.unsigned(wide: version > 0), let number = cursor.unsigned(1) else { break }
        var indices: [Int] = []
        for _ in 0..<number {
          // The highest bit says whether the property is essential.
          guard left > 0,
            let index = flags & 1 == 1 ? cursor.unsigned(2).map({ $0 & 0x7FFF }) : cursor.unsigned(1).map({ $0 & 0x7F })
          else { return }
          left -= 1
          indices.append(index)
        }
        if associations[id] == nil { associations[id] = indices }
      }
    }
  }
}
