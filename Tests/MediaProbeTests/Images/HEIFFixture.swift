/// A still of HEIF: items with their properties, references and data, written as a `meta` box before an `mdat` box.
struct HEIFFixture {
  struct Item {
    var type = "hvc1"
    var contentType = ""
    /// Indices of properties, from 1.
    var properties: [Int] = []
    var data: [UInt8] = []
    /// 0: data in `mdat`, 1: in `idat`.
    var construction = 0
    /// Instead of what is true.
    var extent: (offset: Int, length: Int)?
  }

  var brand = "heic"
  var primary = 1
  /// Items from number 1 on.
  var items: [Item] = []
  var properties: [[UInt8]] = []
  var references: [(type: String, from: Int, to: [Int])] = []
  var trailer: [UInt8] = []

  static func size(_ width: Int, _ height: Int) -> [UInt8] { fullBox("ispe", be32(width), be32(height)) }
  static func auxiliary(_ urn: String) -> [UInt8] { fullBox("auxC", ascii(urn), [0]) }
  static func colour(transfer: Int) -> [UInt8] { box("colr", ascii("nclx"), be16(9), be16(transfer), be16(9), [0x80]) }

  private var idat: [UInt8] { items.filter { $0.construction == 1 }.flatMap(\.data) }

  private func meta(dataAt start: Int) -> [UInt8] {
    let entries = items.enumerated().flatMap { index, item -> [UInt8] in
      let name = item.type == "mime" ? joined([0], ascii(item.contentType), [0]) : [0]
      return fullBox("infe", version: 2, joined(be16(index + 1), be16(0), ascii(item.type), name))
    }
    var locations: [UInt8] = []
    var inFile = start
    var inBox = 0
    for (index, item) in items.enumerated() {
      let offset = item.construction == 1 ? inBox : inFile
      let extent = item.extent ?? (offset, item.data.count)
      locations += joined(
        be16(index + 1), be16(item.construction), be16(0), be16(1), be32(extent.offset), be32(extent.length))
      if item.construction == 1 { inBox += item.data.count } else { inFile += item.data.count }
    }
    let associations = items.enumerated().flatMap { index, item -> [UInt8] in
      joined(
        be16(index + 1), [UInt8(item.properties.count)], item.properties.map { UInt8(truncatingIfNeeded: $0) | 0x80 })
    }
    let refers = references.flatMap { reference in
      box(reference.type, be16(reference.from), be16(reference.to.count), reference.to.flatMap(be16))
    }
    return fullBox(
      "meta", fullBox("hdlr", be32(0), ascii("pict"), be32(0), be32(0), be32(0), [0]), fullBox("pitm", be16(primary)),
      fullBox("iinf", be16(items.count), entries), fullBox("iref", refers),
      box("iprp", box("ipco", properties.flatMap { $0 }), fullBox("ipma", be32(items.count), associations)),
      fullBox("iloc", version: 1, be16(0x4400), be16(items.count), locations), box("idat", idat))
  }

  var encoded: [UInt8] {
    let head = box("ftyp", ascii(brand), be32(0), ascii("mif1"))
    let dataAt = head.count + meta(dataAt: 0).count + 8
    let data = items.filter { $0.construction == 0 }.flatMap(\.data)
    return joined(head, meta(dataAt: dataAt), box("mdat", data), trailer)
  }
}
