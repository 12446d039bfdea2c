internal import ISOBaseMedia
internal import MediaModel

/// The description of an ICC profile and its HDR signalling (ICC.1:2022).
///
/// Only the directory and the tags of interest are read: the tables of printer profiles take megabytes.
struct ICCProfile {
  /// The description, such as `Display P3`.
  let description: String?
  /// The HDR transfer function that the `cicp` tag declares; nil for others.
  let hdr: MediaInfo.HDR?
  /// The primaries that the same tag declares.
  let primaries: MediaInfo.ColorPrimaries?

  init?(_ reader: ByteReader) {
    guard reader.has("acsp", at: 36), let count = reader.u32be(128) else { return nil }
    var description: String?
    var hdr: MediaInfo.HDR?
    var primaries: MediaInfo.ColorPrimaries?
    // No profile has more than a few dozen tags.
    for index in 0..<min(Int(count), 256) {
      let entry = 132 + index * 12
      guard let name = reader.fourCC(entry), let offset = reader.u32be(entry + 4).map({ Int($0) }),
        let size = reader.u32be(entry + 8).map({ Int($0) })
      else { break }
      switch name {
      case "desc": description = description ?? Self.text(reader, offset, size)
      case "cicp" where reader.fourCC(offset) == "cicp":
        hdr = reader.u8(offset + 9).flatMap { MediaInfo.HDR(transferCharacteristics: Int($0)) }
        primaries = reader.u8(offset + 8).flatMap { MediaInfo.ColorPrimaries(colorPrimaries: Int($0)) }
      default: break
      }
    }
    self.description = description
    self.hdr = hdr
    self.primaries = primaries
  }

  /// The text of a `desc` (version 2, ASCII) or `mluc` (version 4, UTF-16 in several languages, English preferred)
  /// element.
  private static func text(_ reader: ByteReader, _ offset: Int, _ size: Int) -> String? {
    switch reader.fourCC(offset) {
    case "desc":
      guard let length = reader.u32be(offset + 8) else { return nil }
      return MetadataText.clean(reader.bytes(offset + 12, min(Int(length), size, 4_096)))
    case "mluc":
      guard let count = reader.u32be(offset + 8), let width = reader.u32be(offset + 12), width >= 12 else { return nil }
      var chosen: (start: Int, length: Int)?
      for index in 0..<min(Int(count), 64) {
        let record = offset + 16 + index * Int(width)
        guard let length = reader.u32be(record + 4), let start = reader.u32be(record + 8) else { break }
        let isEnglish = reader.u16be(record) == 0x656E
        if chosen == nil || isEnglish { chosen = (offset + Int(start), min(Int(length), 4_096)) }
        if isEnglish { break }
      }
      guard let chosen else { return nil }
      return MetadataText.cleanUTF16(reader.bytes(chosen.start, chosen.length), bigEndian: true)
    default: return nil
    }
  }
}

extension MediaInfo.HDR {
  /// The HDR method for a transfer function in ITU-T H.273, table 3; nil for others.
  init?(transferCharacteristics code: Int) {
    switch code {
    case 16: self = .pq
    case 18: self = .hlg
    default: return nil
    }
  }
}

extension MediaInfo.ColorPrimaries {
  /// The HDR-related primaries in ITU-T H.273, table 2; nil for others.
  init?(colorPrimaries code: Int) {
    switch code {
    case 1: self = .bt709
    case 9: self = .bt2020
    case 12: self = .p3
    default: return nil
    }
  }
}
