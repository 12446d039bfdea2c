/// An image file directory (IFD): tags whose values are read on demand. Malformed values are nil.
struct TIFFDirectory {
  /// A tag whose value is inside the structure.
  struct Entry {
    let tag: Int
    let type: Int
    let count: Int
    /// Offset of the value in the structure.
    let offset: Int
  }

  let structure: TIFFStructure
  let entries: [Entry]
  /// Offset of the next directory: 0 after the last; nil if the file ends first.
  let next: Int?

  /// Bytes per value of a type; nil for an undefined type.
  static func width(ofType type: Int) -> Int? {
    switch type {
    case 1, 2, 6, 7, 129: 1
    case 3, 8: 2
    case 4, 9, 11, 13: 4
    case 5, 10, 12, 16, 17, 18: 8
    default: nil
    }
  }

  /// The first entry with a tag.
  func entry(_ tag: Int) -> Entry? { entries.first { $0.tag == tag } }

  /// The first value of a tag as an integer, clamped to `Int`.
  func integer(_ tag: Int) -> Int? { entry(tag).flatMap { integer($0, 0) } }

  /// All values of a tag as integers, at most `limit`; nil if one is not an integer.
  func integers(_ tag: Int, limit: Int) -> [Int]? {
    guard let entry = entry(tag) else { return nil }
    var result: [Int] = []
    for index in 0..<min(limit, entry.count) {
      guard let value = integer(entry, index) else { return nil }
      result.append(value)
    }
    return result
  }

  /// The value at `index` as a floating-point number; nil for a denominator of zero and for non-finite numbers.
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

  /// Sanitised text. Accepts EXIF's ASCII and UTF-8 and, because writers use the wrong type, plain bytes.
  func text(_ tag: Int) -> String? {
    guard let (bytes, _) = bytes(tag, limit: 8_192) else { return nil }
    return MetadataText.clean(bytes)
  }

  /// The bytes of a tag with a one-byte type, at most `limit`, and their offset.
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
