internal import ISOBaseMedia
internal import MediaModel

/// HEIC, HEIF and AVIF: the primary item, what is attached to it, and image sequences.
struct HEIFHeader {
  private let reader: ByteReader
  private var header = StillHeader()

  static func read(_ reader: ByteReader) -> StillHeader {
    var heif = HEIFHeader(reader)
    heif.read()
    return heif.header
  }

  private init(_ reader: ByteReader) { self.reader = reader }

  private mutating func read() {
    guard reader.fourCC(4) == "ftyp" else {
      header.failure = .corruptImage("no ftyp box")
      return
    }
    var items: HEIFItems?
    var sequence: HEIFSequence?
    boxes: for (index, box) in BoxReader(reader, 0..<reader.count).enumerated() {
      switch box.type {
      case "meta" where items == nil: items = HEIFItems(reader, meta: box.body)
      case "moov" where sequence == nil: sequence = HEIFSequence(reader, moov: box.body)
      case "mdat": break
      // Motion photos keep their video in a box of its own; some writers append it without that box, and then its boxes follow.
      case "mpvd":
        header.motionPhoto = reader.fourCC(box.body.lowerBound + 4) == "ftyp"
        continue
      case "ftyp" where index > 0:
        header.motionPhoto = true
        break boxes
      default: continue
      }
      // Trailers of cameras need not be boxes; these are.
      if box.isCut { header.failure = .truncatedImage }
    }
    if let items { read(items) }
    if let sequence { read(sequence, items) }
    if header.size == nil, header.failure == nil { header.failure = .corruptImage("no image item") }
  }

  /// Major brands of files whose still image is shown even if there is a sequence too. libavif and the browsers follow
  /// the major brand.
  private static let stillBrands: Set<FourCC> = ["avif", "heic", "heix", "heim", "heis"]

  private mutating func read(_ items: HEIFItems) {
    guard let primary = items.primary, let item = items.items[primary] else { return }
    header.size = items.size(of: primary) ?? gridSize(items, primary)
    header.frames = 1
    header.displaySize = header.size.map { displayed($0, items.properties(of: primary)) }
    header.alpha = items.items(referring: "auxl", to: primary).contains { isAlpha($0, items) }
    let tiles = items.references.first { $0.type == "dimg" && $0.from == primary }?.to ?? []
    readColor(items, primary, tiles.first)
    readGainMap(items, primary)
    readMetadata(items, primary)
    readThumbnail(items, primary)
    header.shown.isPremultiplied = items.references.contains { $0.type == "prem" && $0.from == primary }
    let images = items.images
    if images.count > 1 { header.pages = images.count }
    let parts = Set(item.type == "grid" ? [primary] + tiles : [primary])
    if header.failure == nil, parts.contains(where: { isCut($0, items) }) { header.failure = .truncatedImage }
  }

  private mutating func read(_ sequence: HEIFSequence, _ items: HEIFItems?) {
    let hasImage = header.size != nil
    header.shown.prefersStill = hasImage && reader.fourCC(8).map(Self.stillBrands.contains) ?? false
    // Encoders store the first frame once and refer to it as the still image too.
    let isAnother = !(items.map { isFirstFrame(of: sequence, $0) } ?? false)
    header.shown.isApart = !hasImage || isAnother
    header.shown.tracks = sequence.tracks
    for delay in sequence.delays { header.shown.add(delay: delay) }
    let alternates = sequence.imageTracks + (hasImage && isAnother ? 1 : 0)
    if alternates > 1 { header.tracks = alternates }
    // The size is that of the image that is shown.
    if !hasImage || sequence.frames > 0 && header.shown.isApart && !header.shown.prefersStill, sequence.size != nil {
      header.size = sequence.size
      header.displaySize = sequence.displaySize
    }
    if sequence.frames > 0 { header.frames = max(header.frames ?? 1, sequence.frames) }
    if sequence.frames > 1, sequence.seconds > 0 { header.duration = sequence.seconds }
    if header.alpha != true { header.alpha = sequence.hasAlpha }
    if header.hdr == nil {
      header.hdr = sequence.hdr
      header.primaries = sequence.primaries
    }
  }

  /// Whether the still image looks like the first frame of a sequence: the same bytes, configuration, alpha and
  /// transformations. That one merely begins like the other proves nothing.
  private func isFirstFrame(of sequence: HEIFSequence, _ items: HEIFItems) -> Bool {
    guard let primary = items.primary, let image = HEIFCodedImage(item: primary, of: items),
      image == sequence.firstImage, header.displaySize == sequence.displaySize,
      orientation(items.properties(of: primary)) == sequence.tracks.orientation,
      header.shown.isPremultiplied == sequence.tracks.isPremultiplied
    else { return false }
    let alpha = items.items(referring: "auxl", to: primary).filter { isAlpha($0, items) }
    guard let first = alpha.first else { return !sequence.hasAlpha }
    let properties = items.properties(of: first)
    return alpha.count == 1 && sequence.firstAlpha != nil
      && HEIFCodedImage(item: first, of: items) == sequence.firstAlpha
      && orientation(properties) == sequence.tracks.orientation
  }

  /// The orientation that an item's transformations come to; nil for crops and mirrored images, which no track compares with.
  private func orientation(_ properties: [Box]) -> MediaInfo.Orientation? {
    var turns = 0
    for property in properties {
      switch property.type {
      case "irot": turns += Int(reader.u8(property.body.lowerBound) ?? 0) & 3
      case "clap", "imir": return nil
      default: break
      }
    }
    // Quarter turns are anticlockwise.
    return [.up, .left, .down, .right][turns & 3]
  }

  /// A grid states its size in its own data too: version, flags, rows, columns, then two sizes.
  private func gridSize(_ items: HEIFItems, _ item: Int) -> PixelSize? {
    guard items.items[item]?.type == "grid", let bytes = items.bytes(of: item, limit: 16)?.bytes else { return nil }
    let data = ByteReader(bytes)
    let width = data.u8(1) == 1 ? 4 : 2
    guard let columns = data.unsigned(4, width: width), let rows = data.unsigned(4 + width, width: width) else {
      return nil
    }
    let size = PixelSize(width: columns, height: rows)
    return size.isPositive ? size : nil
  }

  /// The size after the item's transformations in their order: crop (`clap`), quarter turns (`irot`); `imir` changes no size.
  private func displayed(_ stored: PixelSize, _ properties: [Box]) -> PixelSize {
    var size = stored
    for property in properties {
      let start = property.body.lowerBound
      switch property.type {
      case "irot":
        if let turns = reader.u8(start), turns & 1 == 1 { size = size.transposed }
      case "clap":
        // Width and height as fractions.
        guard let numbers = reader.slice(start, 16).map(ByteReader.init), let width = numbers.u32be(0),
          let widthUnit = numbers.u32be(4), let height = numbers.u32be(8), let heightUnit = numbers.u32be(12),
          widthUnit > 0, heightUnit > 0
        else { continue }
        let crop = PixelSize(width: Int(width / widthUnit), height: Int(height / heightUnit))
        if crop.isPositive, crop.width <= size.width, crop.height <= size.height { size = crop }
      default: break
      }
    }
    return size
  }

  private func isAlpha(_ item: Int, _ items: HEIFItems) -> Bool {
    let type = auxiliaryType(of: item, items)
    return type == "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha" || type == "urn:mpeg:hevc:2015:auxid:1"
  }

  private func auxiliaryType(of item: Int, _ items: HEIFItems) -> String? {
    guard let box = items.properties(of: item).first(where: { $0.type == "auxC" }) else { return nil }
    let text = reader.bytes(box.body.lowerBound + 4, min(128, max(0, box.body.count - 4)))
    return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Color of the primary item; a grid may leave it to its tiles.
  private mutating func readColor(_ items: HEIFItems, _ primary: Int, _ tile: Int?) {
    var boxes = items.properties(of: primary).filter { $0.type == "colr" }
    if boxes.isEmpty, let tile { boxes = items.properties(of: tile).filter { $0.type == "colr" } }
    for box in boxes {
      let start = box.body.lowerBound
      switch reader.fourCC(start) {
      case "nclx":
        header.hdr = reader.u16be(start + 6).flatMap { MediaInfo.HDR(transferCharacteristics: Int($0)) }
        header.primaries = reader.u16be(start + 4).flatMap { MediaInfo.ColorPrimaries(colorPrimaries: Int($0)) }
      case "prof", "rICC":
        header.icc = ByteReader([box.body.dropFirst(4)], of: reader)
      default: break
      }
    }
  }

  /// Apple's gain map is an auxiliary item; that of ISO 21496-1 is an item derived from the primary one and the map.
  private mutating func readGainMap(_ items: HEIFItems, _ primary: Int) {
    guard header.hdr == nil else { return }
    let isApple = items.items(referring: "auxl", to: primary).contains {
      auxiliaryType(of: $0, items) == "urn:com:apple:photo:2020:aux:hdrgainmap"
    }
    let isTonemapped = items.items(referring: "dimg", to: primary).contains { items.items[$0]?.type == "tmap" }
    if isApple || isTonemapped { header.hdr = .gainmap }
  }

  private mutating func readMetadata(_ items: HEIFItems, _ primary: Int) {
    let describing = Set(items.items(referring: "cdsc", to: primary))
    let ids = items.items.filter { $0.value.type == "Exif" || $0.value.contentType == "application/rdf+xml" }.keys
      .sorted()
    // What describes the primary item first; a file without such references means it all the same. One of each is usual.
    for id in (ids.filter(describing.contains) + ids.filter { !describing.contains($0) }).prefix(8) {
      guard let item = items.items[id] else { continue }
      if item.type == "Exif", header.exif == nil, let (bytes, offset) = items.bytes(of: id, limit: EXIFBlock.byteLimit),
        let skipped = ByteReader(bytes).u32be(0).map({ Int($0) }), skipped < bytes.count - 4
      {
        header.exif = EXIFBlock(Array(bytes[(4 + skipped)...]), fileOffset: offset.map { $0 + 4 + skipped })
      } else if item.type == "mime", header.xmp == nil,
        let (bytes, _) = items.bytes(of: id, limit: XMPPacket.byteLimit)
      {
        header.xmp = XMPPacket(bytes)
      }
    }
  }

  private mutating func readThumbnail(_ items: HEIFItems, _ primary: Int) {
    // The largest, when there are several.
    for id in items.items(referring: "thmb", to: primary).prefix(8) {
      guard let size = items.size(of: id), let pieces = items.pieces(of: id), !pieces.contains(where: isCut) else {
        continue
      }
      let bytes = pieces.reduce(0) { $0 &+ $1.count }
      if let known = header.embeddedThumbnail, known.width >= size.width { continue }
      // Coded like the image, so it cannot be taken out as a file, unless it is a JPEG in one piece.
      let offset = items.items[id]?.type == "jpeg" && pieces.count == 1 ? pieces[0].lowerBound : nil
      header.embeddedThumbnail = MediaInfo.EmbeddedThumbnail(
        width: size.width, height: size.height, bytes: bytes, offset: offset)
    }
  }

  private func isCut(_ piece: Range<Int>) -> Bool { piece.upperBound > reader.count }

  private func isCut(_ item: Int, _ items: HEIFItems) -> Bool {
    items.pieces(of: item)?.contains(where: isCut) ?? false
  }
}
