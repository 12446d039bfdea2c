internal import ISOBaseMedia
internal import MediaModel

/// The texts and profiles of a PNG: a keyword, and a value that may be compressed.
struct PNGText {
  /// Maximum bytes of an inflated value; longer ones are cut.
  static let inflatedLimit = 1_048_576

  let keyword: String
  let value: [UInt8]

  /// The profile of an iCCP chunk: a name, a NUL, a method, the compressed profile.
  init?(profileIn body: Range<Int>, _ reader: ByteReader) {
    let bytes = reader.bytes(body.lowerBound, min(body.count, Self.inflatedLimit))
    guard let end = bytes.prefix(80).firstIndex(of: 0), bytes.count > end + 2,
      let profile = inflated(Array(bytes[(end + 2)...]), limit: Self.inflatedLimit)
    else { return nil }
    keyword = String(decoding: bytes[..<end], as: UTF8.self)
    value = profile
  }

  /// Reads metadata from a text chunk; returns whether its value was read.
  ///
  /// The keyword decides before inflating, and known metadata is not read twice.
  static func read(_ name: FourCC, _ body: Range<Int>, _ reader: ByteReader, into header: inout StillHeader) -> Bool {
    let head = reader.bytes(body.lowerBound, min(body.count, 80))
    guard let end = head.firstIndex(of: 0) else { return false }
    let keyword = String(decoding: head[..<end], as: UTF8.self)
    let isWanted =
      switch keyword {
      case "XML:com.adobe.xmp", "Raw profile type xmp": header.xmp == nil
      case "Raw profile type exif": header.exif == nil
      case "Raw profile type APP1": header.exif == nil || header.xmp == nil
      case "Title": header.title == nil
      case "Author": header.artist == nil
      default: false
      }
    guard isWanted else { return false }
    guard let value = value(name, body.lowerBound + end + 1..<body.upperBound, reader) else { return true }
    switch keyword {
    case "XML:com.adobe.xmp": header.xmp = XMPPacket(value)
    case "Title": header.title = MetadataText.clean(value)
    case "Author": header.artist = MetadataText.clean(value)
    default: rawProfile(value).map { apply(profile: $0, to: &header) }
    }
    return true
  }

  /// The value after the keyword and its NUL.
  private static func value(_ name: FourCC, _ range: Range<Int>, _ reader: ByteReader) -> [UInt8]? {
    let bytes = reader.bytes(range.lowerBound, min(range.count, inflatedLimit))
    switch name {
    case "tEXt": return bytes
    case "zTXt":
      guard bytes.first == 0 else { return nil }
      return inflated(Array(bytes.dropFirst()), limit: inflatedLimit)
    default:
      // iTXt: compression flag and method, then language and translated keyword, each NUL-terminated.
      guard bytes.count > 4, let language = bytes[2...].firstIndex(of: 0),
        let translated = bytes[(language + 1)...].firstIndex(of: 0)
      else { return nil }
      let text = Array(bytes[(translated + 1)...])
      return bytes[0] == 0 ? text : inflated(text, limit: inflatedLimit)
    }
  }

  /// Decodes ImageMagick's form of a profile in a text chunk: a line break, the profile's name, its length, hexadecimal
  /// digits.
  private static func rawProfile(_ text: [UInt8]) -> [UInt8]? {
    let lines = text.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: true)
    guard lines.count == 3,
      let length = Int(String(decoding: lines[1].filter { $0 != 0x20 }, as: UTF8.self)), length > 0
    else { return nil }
    var profile: [UInt8] = []
    profile.reserveCapacity(min(length, lines[2].count / 2))
    var high: UInt8?
    for byte in lines[2] {
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x41...0x46: digit = byte - 0x37
      case 0x61...0x66: digit = byte - 0x57
      case 0x0A, 0x0D, 0x20: continue
      default: return profile  // some writers append a few bytes of junk to the digits
      }
      if let upper = high {
        profile.append(upper << 4 | digit)
        if profile.count == length { return profile }
        high = nil
      } else {
        high = digit
      }
    }
    return profile
  }

  private static func apply(profile: [UInt8], to header: inout StillHeader) {
    let xmpPrefix = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
    if profile.starts(with: xmpPrefix) {
      if header.xmp == nil { header.xmp = XMPPacket(Array(profile.dropFirst(xmpPrefix.count))) }
    } else if profile.starts(with: Array("Exif\0".utf8)) || profile.starts(with: [0x49, 0x49])
      || profile.starts(with: [0x4D, 0x4D])
    {
      if header.exif == nil { header.exif = EXIFBlock(profile, fileOffset: nil) }
    } else if profile.first == UInt8(ascii: "<"), header.xmp == nil {
      header.xmp = XMPPacket(profile)
    }
  }
}
