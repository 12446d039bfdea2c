internal import ISOBaseMedia

/// HEIC, HEIF and AVIF images (ISO/IEC 23008-12): keeps the coded images and what describes them. Exif becomes a directory without entries, thumbnails,
/// XMP and all other items become blanks. The copy is as long as the file, and every offset in it stays.
///
/// The tracks of an image sequence, such as an animated AVIF, are stripped as those of a video are (``VideoMetadataStripper``).
enum HEIFFile {
  /// Nil for a file that contradicts itself, is encrypted, has movie fragments, or has data in another file.
  static func strip(_ file: [UInt8]) -> [UInt8]? {
    var image = MovieFile(file)
    do throws(MovieFile.Malformed) { try image.overwriteItems() } catch { return nil }
    return image.stripped
  }
}

/// The entry of an item in the list of items.
struct ItemEntry {
  let type: FourCC
  /// Where the type is.
  let place: Range<Int>
}

extension MovieFile {
  /// Types of items that are images: coded, derived, and tone-mapped (ISO/IEC 23008-12, 6.6 and annexes; AV1 Image File Format).
  private static let imageItems: Set<FourCC> = [
    "hvc1", "av01", "avc1", "j2k1", "vvc1", "grid", "iovl", "iden", "tmap",
  ]

  /// Properties that decoding and display need (ISO/IEC 23008-12, 6.5). Descriptions, times and camera positions are not among them.
  private static let imageProperties: [FourCC] = [
    "hvcC", "av1C", "avcC", "vvcC", "j2kH", "ispe", "pixi", "colr", "pasp", "auxC", "clap", "irot", "imir", "clli",
    "mdcv", "cclv", "lsel", "a1op", "a1lx", "amve", "ndwt",
  ]

  /// Keeps the bytes of the image items, and overwrites those of thumbnails and all others.
  mutating func overwriteItems() throws(Malformed) {
    guard try !children(of: 0..<count).contains(where: { $0.type == "moof" }) else { throw Malformed() }
    let boxes = try keep(["ftyp", "meta", "mdat", "moov"], in: 0..<count)
    isSequence = boxes.contains { $0.type == "moov" }
    let meta = try behind(4, try one("meta", of: boxes).body)
    // Encrypted.
    guard try !children(of: meta).contains(where: { $0.type == "ipro" }) else { throw Malformed() }
    // The data references, which may name other files, are not kept: every item must be in this one.
    let parts = try keep(["hdlr", "pitm", "iinf", "iloc", "iprp", "iref", "idat", "grpl"], in: meta)
    zero(try behind(12, try one("hdlr", of: parts).body))
    media = (boxes.filter { $0.type == "mdat" } + parts.filter { $0.type == "idat" }).map(\.body)
    media.sort { $0.lowerBound < $1.lowerBound }
    // The first image of a sequence may be an item, too.
    unclaimed = media.reduce(0) { $0 + $1.count } * (isSequence ? 2 : 1)
    for range in media { zero(range) }
    if isSequence { _ = try movie(try one("moov", of: boxes)) }
    try overwriteProperties(try one("iprp", of: parts))
    for box in parts where box.type == "grpl" { try overwriteGroups(box) }
    let entries = try itemEntries(try one("iinf", of: parts))
    let thumbnails = try overwriteThumbnails(parts, entries)
    let images = entries.filter { Self.imageItems.contains($0.value.type) && !thumbnails.contains($0.key) }
    let inner = parts.filter { $0.type == "idat" }
    guard inner.count <= 1 else { throw Malformed() }
    let extents = try self.extents(try one("iloc", of: parts), inner: inner.first?.body)
    var kept: [Range<Int>] = []
    for (item, ranges) in extents where images[item] != nil { kept += ranges }
    guard !kept.isEmpty else { throw Malformed() }
    for range in kept { try claim(range.lowerBound, range.count, nil) }
    for (samples, units) in claimed { try overwriteSEI(in: samples, units) }
    kept = ByteRanges.union(kept + sequenceSamples)
    // In order, so that items that share bytes give the same file each time.
    for (item, ranges) in extents.sorted(by: { $0.key < $1.key }) where images[item] == nil {
      for range in ranges {
        let image = Self.last(of: kept, before: range.upperBound)
        let data = Self.last(of: media, before: range.upperBound)
        guard image?.overlaps(range) != true, let data, data.lowerBound <= range.lowerBound,
          range.upperBound <= data.upperBound
        else { throw Malformed() }
      }
      guard entries[item]?.type == "Exif", !thumbnails.contains(item), let first = ranges.first,
        first.count >= Self.emptyExif.count
      else { continue }
      stripped.replaceSubrange(first.prefix(Self.emptyExif.count), with: Self.emptyExif)
    }
  }

  /// The content of an Exif item (ISO/IEC 23008-12, A.2.1) without a tag: the offset of its TIFF header, the header, and a directory of no entries.
  private static let emptyExif: [UInt8] = [0, 0, 0, 0] + [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0]

  /// The last of a sorted list of disjoint ranges that begins before an offset.
  private static func last(of ranges: [Range<Int>], before end: Int) -> Range<Int>? {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].lowerBound < end { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? ranges[low - 1] : nil
  }

  /// Keeps the properties of images; others become `free` boxes, so that every property keeps its index.
  private mutating func overwriteProperties(_ properties: Box) throws(Malformed) {
    let parts = try keep(["ipco", "ipma"], in: properties.body)
    for box in try keep(Self.imageProperties, in: try one("ipco", of: parts).body) where box.type == "hvcC" {
      _ = try units(of: [box])
    }
  }

  /// Keeps groups with which a viewer chooses images, if they are ids and nothing else (ISO/IEC 14496-12, 8.18.3). Albums and others become `free` boxes.
  private mutating func overwriteGroups(_ groups: Box) throws(Malformed) {
    for box in try keep(["altr", "ster"], in: groups.body) {
      // Version and flags, the id of the group, the number of items, the items.
      let count = box.body.count
      guard count >= 12, count % 4 == 0, try number(box.body, 8, 4) == (count - 12) / 4 else {
        try overwrite(box)
        continue
      }
    }
  }

  /// The entries of items by their ids, whose names are removed (ISO/IEC 14496-12, 8.11.6).
  private mutating func itemEntries(_ information: Box) throws(Malformed) -> [Int: ItemEntry] {
    let isLong = try number(information.body, 0, 1) > 0
    let entries = try keep(["infe"], in: try behind(isLong ? 8 : 6, information.body))
    var items: [Int: ItemEntry] = [:]
    for entry in entries {
      let version = try number(entry.body, 0, 1)
      guard version == 2 || version == 3 else { throw Malformed() }
      let idBytes = version == 2 ? 2 : 4
      // Encrypted.
      guard try number(entry.body, 4 + idBytes, 2) == 0 else { throw Malformed() }
      let item = ItemEntry(type: try name(entry.body, 6 + idBytes), place: try part(entry.body, 6 + idBytes, 4))
      guard items.updateValue(item, forKey: try number(entry.body, 4, idBytes)) == nil else { throw Malformed() }
      zero(try behind(10 + idBytes, entry.body))
    }
    return items
  }

  /// Maximum items, and maximum extents of all of them; the photo of a phone has about 50. Extents of one byte take more memory than a file has bytes.
  private static let maxExtents = 1 << 16

  /// The bytes of each item (ISO/IEC 14496-12, 8.11.3).
  /// - Parameter inner: The content of `idat`, from which the offsets of construction method 1 count.
  private func extents(_ locations: Box, inner: Range<Int>?) throws(Malformed) -> [Int: [Range<Int>]] {
    let body = locations.body
    let version = try number(body, 0, 1)
    guard version <= 2 else { throw Malformed() }
    let sizes = try number(body, 4, 2)
    let (offsetBytes, lengthBytes, baseBytes) = (sizes >> 12, sizes >> 8 & 15, sizes >> 4 & 15)
    let indexBytes = version > 0 ? sizes & 15 : 0
    guard [offsetBytes, lengthBytes, baseBytes, indexBytes].allSatisfy({ [0, 4, 8].contains($0) }) else {
      throw Malformed()
    }
    var at = 6
    func next(_ count: Int) throws(Malformed) -> Int {
      defer { at += count }
      return try number(body, at, count)
    }
    let idBytes = version < 2 ? 2 : 4
    var extents: [Int: [Range<Int>]] = [:]
    let items = try next(idBytes)
    guard items <= Self.maxExtents else { throw Malformed() }
    var total = 0
    for _ in 0..<items {
      let item = try next(idBytes)
      let method = version > 0 ? try next(2) & 15 : 0
      guard try next(2) == 0, method <= 1, method == 0 || inner != nil else { throw Malformed() }
      let base = try next(baseBytes)
      var ranges: [Range<Int>] = []
      let count = try next(2)
      total += count
      guard total <= Self.maxExtents else { throw Malformed() }
      for _ in 0..<count {
        _ = try next(indexBytes)
        let offset = try Self.sum(base, try next(offsetBytes))
        let source = method == 0 ? 0..<self.count : inner ?? 0..<0
        // No length means the whole source, which for a file has all of its metadata.
        let length = lengthBytes == 0 ? 0 : try next(lengthBytes)
        guard length > 0 else { throw Malformed() }
        ranges.append(try part(source, offset, length))
      }
      guard extents.updateValue(ranges, forKey: item) == nil else { throw Malformed() }
    }
    return extents
  }

  private static func sum(_ a: Int, _ b: Int) throws(Malformed) -> Int {
    let (sum, overflows) = a.addingReportingOverflow(b)
    guard !overflows else { throw Malformed() }
    return sum
  }
}
