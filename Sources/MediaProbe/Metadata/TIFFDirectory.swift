/// One image file directory: tags with their values, read on demand and absent when they are malformed.
struct TIFFDirectory {
  /// A tag whose value lies wholly inside the structure.
  struct Entry {
    let tag: Int
    let type: Int
    let count: Int
    /// Where the value stands, from the beginning of the structure.
    let offset: Int
  }

  let structure: TIFFStructure
  let entries: [Entry]
  /// Where the next directory begins: 0 after the last; nil when the file ends before it says.
  let next: Int?

  /// Bytes of one value of a type; nil for a type that does not exist.
  static func width(ofType type: Int) -> Int? {
    switch type {
    case 1, 2, 6, 7, 129: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: nil
    }
  }

  /// The first entry of a tag.
  func entry(_ tag: Int) -> Entry? { entries.first { $0.tag == tag } }

  /// A whole number: the first of its values. `Int.max` or `Int.min` for what does not fit.
  func integer(_ tag: Int) -> Int? { entry(tag).flatMap { integer($0, 0) } }

  /// Whole numbers, at most `limit`; nil when one of them is none.
  func integers(_ tag: Int, limit: Int) -> [Int]? {
    guard let entry = entry(tag) else { return nil }
    var result: [Int] = []
    for index in 0..<min(limit, entry.count) {
      guard let value = integer(entry, index) else { return nil }
      result.append(value)
    }
    return result
  }

  /// The value number `index` of a tag as a floating-point number. Nil for a rational over zero and for what is not finite.
  func number(_ tag: Int, _ index: Int = 0) -> Double? {
    guard let entry = entry(tag), index >= 0, index < entry.count else { return nil }
    let big = structure.isBigEndian
    let at = entry.offset + index * (Self.width(ofType: entry.type) ?? 0)
    switch entry.type {
    case 5, 10:
      guard let upper = structure.reader.unsigned(at, width: 4, bigEndian: big),
        let lower = structure.reader.unsigned(at + 4, width: 4, bigEndian: big), lower != 0
      else { return nil }
      if entry.type == 5 { return Double(upper) / Double(lower) }
      return Double(Int32(truncatingIfNeeded: upper)) / Double(Int32(truncatingIfNeeded: lower))
    case 11:
      guard let bits = structure.reader.unsigned(at, width: 4, bigEndian: big) else { return nil }
      let value = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
      return value.isFinite ? value : nil
    case 12:
      guard let bits = big ? structure.reader.u64be(at) : structure.reader.u64le(at) else { return nil }
      let value = Double(bitPattern: bits)
      return value.isFinite ? value : nil
    default: return integer(entry, index).map(Double.init)
    }
  }

  /// Text, cleaned. EXIF's ASCII, UTF-8 and, because writers mistake the type, plain bytes.
  func text(_ tag: Int) -> String? {
    guard let (bytes, _) = bytes(tag, limit: 8_192) else { return nil }
    return MetadataText.clean(bytes)
  }

  /// The bytes of a tag of a one-byte type, at most `limit`, and where they stand.
  func bytes(_ tag: Int, limit: Int) -> (bytes: [UInt8], offset: Int)? {
    guard let entry = entry(tag), Self.width(ofType: entry.type) == 1,
      let bytes = structure.reader.slice(entry.offset, min(limit, entry.count))
    else { return nil }
    return (bytes, entry.offset)
  }

  /// The directory that a tag points to.
  func directory(_ tag: Int) -> TIFFDirectory? { integer(tag).flatMap(structure.directory(at:)) }

  private func integer(_ entry: Entry, _ index: Int) -> Int? {
    guard index < entry.count, let width = Self.width(ofType: entry.type),
      let value = structure.reader.unsigned(
        entry.offset + index * width, width: width, bigEndian: structure.isBigEndian)
    else { return nil }
    switch entry.type {
    case 1, 3, 4, 13, 16, 18: return value
    case 6: return Int(Int8(truncatingIfNeeded: value))
    case 8: return Int(Int16(truncatingIfNeeded: value))
    case 9: return Int(Int32(truncatingIfNeeded: value))
    case 17: return value
    default: return nil
    }
  }
}
