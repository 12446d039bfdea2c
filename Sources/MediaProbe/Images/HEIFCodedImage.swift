internal import ISOBaseMedia
internal import MediaModel

/// What a decoder gets for one coded image of HEIF, an item or the first sample of a track. Equal ones have equal pixels.
struct HEIFCodedImage: Equatable {
  /// The only piece of the file that the image consists of.
  let data: Range<Int>
  /// The boxes that configure the decoder, by their types. Colors are not compared: avifenc states them for the item only.
  let configuration: [FourCC: [[UInt8]]]

  private static let configurations: Set<FourCC> = ["av1C", "hvcC", "lhvC", "avcC", "vvcC", "jpgC", "j2kH"]
  /// Larger than the parameter sets of any encoder.
  private static let byteLimit = 65_536

  /// An item; nil if it is in several pieces, elsewhere, put together from others, or not configured.
  init?(item: Int, of items: HEIFItems) {
    guard let pieces = items.pieces(of: item), pieces.count == 1 else { return nil }
    self.init(pieces[0], items.properties(of: item), items.reader)
  }

  /// The first sample of a track; nil if it is ambiguous where it is or how it is configured.
  init?(firstSampleOf table: Range<Int>, _ reader: ByteReader) {
    func bodies(_ type: FourCC) -> [Range<Int>] { BoxReader(reader, table).filter { $0.type == type }.map(\.body) }
    let (narrow, wide, sizes, descriptions) = (bodies("stco"), bodies("co64"), bodies("stsz"), bodies("stsd"))
    guard narrow.count + wide.count == 1, sizes.count == 1, descriptions.count == 1,
      let start = narrow.first.flatMap({ reader.unsigned($0.lowerBound + 8, width: 4) })
        ?? wide.first.flatMap({ reader.unsigned($0.lowerBound + 8, width: 8) }),
      let common = reader.unsigned(sizes[0].lowerBound + 4, width: 4),
      let length = common > 0 ? common : reader.unsigned(sizes[0].lowerBound + 12, width: 4)
    else { return nil }
    let (end, overflow) = start.addingReportingOverflow(length)
    let entries = Array(BoxReader(reader, descriptions[0].dropFirst(8)))
    // A visual sample entry has 78 bytes before its boxes.
    guard !overflow, entries.count == 1 else { return nil }
    self.init(start..<end, Array(BoxReader(reader, entries[0].body.dropFirst(78))), reader)
  }

  private init?(_ data: Range<Int>, _ boxes: [Box], _ reader: ByteReader) {
    var configuration: [FourCC: [[UInt8]]] = [:]
    for box in boxes where Self.configurations.contains(box.type) {
      guard box.body.count <= Self.byteLimit, let bytes = reader.slice(box.body.lowerBound, box.body.count) else {
        return nil
      }
      configuration[box.type, default: []].append(bytes)
    }
    guard !configuration.isEmpty else { return nil }
    self.data = data
    self.configuration = configuration
  }
}
