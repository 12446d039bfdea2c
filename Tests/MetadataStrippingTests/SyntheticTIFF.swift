/// A TIFF under construction: what is added begins at an even offset, and its offset is returned.
struct SyntheticTIFF {
  /// A tag with its values.
  struct Entry {
    var tag: Int
    var type: Int
    var count: Int
    /// The values as numbers of so many bytes, or as octets.
    var values: [Int]
    var width: Int

    static func short(_ tag: Int, _ values: Int...) -> Entry {
      Entry(tag: tag, type: 3, count: values.count, values: values, width: 2)
    }
    static func long(_ tag: Int, _ values: Int...) -> Entry { longs(tag, values) }
    static func longs(_ tag: Int, _ values: [Int]) -> Entry {
      Entry(tag: tag, type: 4, count: values.count, values: values, width: 4)
    }
    static func text(_ tag: Int, _ text: String) -> Entry { octets(tag, Array(text.utf8) + [0], type: 2) }
    static func octets(_ tag: Int, _ octets: [UInt8], type: Int = 7) -> Entry {
      Entry(tag: tag, type: type, count: octets.count, values: octets.map { Int($0) }, width: 1)
    }
  }

  let isLittleEndian: Bool
  private(set) var bytes: [UInt8]

  init(isLittleEndian: Bool = true) {
    self.isLittleEndian = isLittleEndian
    bytes = isLittleEndian ? [0x49, 0x49, 42, 0, 0, 0, 0, 0] : [0x4D, 0x4D, 0, 42, 0, 0, 0, 0]
  }

  func number(_ value: Int, _ bytes: Int) -> [UInt8] {
    let big = (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
    return isLittleEndian ? big.reversed() : big
  }

  /// The number at an offset of a file with this order of bytes.
  func number(_ file: [UInt8], _ at: Int, _ bytes: Int) -> Int {
    let part = file[at..<(at + bytes)]
    return (isLittleEndian ? part.reversed() : Array(part)).reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func add(_ data: [UInt8]) -> Int {
    if bytes.count % 2 == 1 { bytes.append(0) }
    defer { bytes += data }
    return bytes.count
  }

  /// Adds a directory after the values that do not fit into its entries.
  mutating func add(directory entries: [Entry], next: Int = 0) -> Int {
    var table = number(entries.count, 2)
    for entry in entries {
      let value = entry.values.flatMap { number($0, entry.width) }
      table += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4)
      if value.count <= 4 {
        table += value + [UInt8](repeating: 0, count: 4 - value.count)
      } else {
        let offset = add(value)
        table += number(offset, 4)
      }
    }
    table += number(next, 4)
    return add(table)
  }

  /// The entries of an upright gray page of 2 × 2 pixels whose data is at an offset.
  static func page(data: Int, bytes: Int = 4) -> [Entry] {
    [
      .short(256, 2), .short(257, 2), .short(258, 8), .short(259, 1), .short(262, 1), .long(273, data), .short(277, 1),
      .short(278, 2), .long(279, bytes),
    ]
  }

  /// Sets the offset of the first directory.
  mutating func begin(at offset: Int) { bytes.replaceSubrange(4..<8, with: number(offset, 4)) }

  /// The offsets and the lengths of the strips of all pages of a file.
  func strips(of file: [UInt8]) -> [Range<Int>] {
    var strips: [Range<Int>] = []
    var at = number(file, 4, 4)
    while at != 0 {
      let count = number(file, at, 2)
      var values: [Int: [Int]] = [:]
      for index in 0..<count {
        let entry = at + 2 + 12 * index
        values[number(file, entry, 2)] = numbers(file, entry)
      }
      strips += zip(values[273] ?? [], values[279] ?? []).map { $0..<($0 + $1) }
      at = number(file, at + 2 + 12 * count, 4)
    }
    return strips
  }

  /// The values of an entry of numbers of two or four bytes; empty for another type.
  private func numbers(_ file: [UInt8], _ entry: Int) -> [Int] {
    let (type, count) = (number(file, entry + 2, 2), number(file, entry + 4, 4))
    guard type == 3 || type == 4 else { return [] }
    let width = type == 3 ? 2 : 4
    let start = width * count <= 4 ? entry + 8 : number(file, entry + 8, 4)
    return (0..<count).map { number(file, start + width * $0, width) }
  }

  /// The tags of each page of a file.
  func pages(of file: [UInt8]) -> [[Int]] {
    var pages: [[Int]] = []
    var at = number(file, 4, 4)
    while at != 0 {
      let count = number(file, at, 2)
      let start = at
      pages.append((0..<count).map { number(file, start + 2 + 12 * $0, 2) })
      at = number(file, at + 2 + 12 * count, 4)
    }
    return pages
  }
}
