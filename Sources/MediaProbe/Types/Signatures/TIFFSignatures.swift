internal import MediaModel

/// Signatures of TIFF 6.0, section 2, and of TIFF-based camera raw files.
enum TIFFSignatures {
  static func type(of reader: ByteReader) -> MediaType? {
    switch reader.u32be(0) {
    case 0x4949_2A00, 0x4D4D_002A:
      // CR2 has its own marker after the header: "CR", version 2. http://lclevy.free.fr/cr2/
      if reader.has("CR", at: 8), reader.u8(10) == 2 { return hasImageFirst(reader) ? .tiff : .canonCR2 }
      guard let raw = raw(Directory(reader)) else { return .tiff }
      return hasImage(reader) ? .tiff : raw
    // Panasonic's raw files: the same with 85 in place of 42, and 24 bytes before the first directory.
    case 0x4949_5500: return reader.u32le(4).map { (8...256).contains($0) } == true ? .panasonicRW2 : nil
    // Fujifilm's: https://libopenraw.freedesktop.org/formats/raf
    case 0x4655_4A49: return reader.has("FUJIFILMCCD-RAW ", at: 0) ? .fujiRAF : nil
    // BigTIFF: version 43, offsets of eight bytes. https://www.awaresystems.be/imaging/tiff/bigtiff.html
    case 0x4949_2B00: return reader.u16le(4) == 8 ? .tiff : nil
    case 0x4D4D_002B: return reader.u16be(4) == 8 ? .tiff : nil
    default: return nil
    }
  }

  /// The raw format that the first directory implies.
  ///
  /// A TIFF exported by a vendor's software names the same vendor. A raw must therefore also store the full image in a
  /// sub-directory and mark the first one as reduced (TIFF tag 254, bit 0).
  private static func raw(_ directory: Directory) -> MediaType? {
    // DNG 1.7, "DNGVersion": "required for all DNG files".
    if directory.entries[0xC612] != nil { return .dng }
    guard directory.entries[0x014A] != nil, directory.number(0x00FE) == 1 else { return nil }
    let make = directory.text(0x010F).uppercased()
    if make.hasPrefix("NIKON") { return .nikonNEF }
    if make.hasPrefix("SONY") { return .sonyARW }
    return nil
  }

  /// The entries of the first directory by tag.
  private struct Directory {
    var entries: [UInt16: Int] = [:]
    private let reader: ByteReader
    private let bigEndian: Bool

    init(_ reader: ByteReader) {
      self.reader = reader
      bigEndian = reader.u8(0) == 0x4D
      let start = Int(u32(4) ?? 0)
      // Cameras write about thirty entries; 512 is far beyond that.
      for index in 0..<min(512, Int(u16(start) ?? 0)) {
        let entry = start + 2 + index * 12
        guard let tag = u16(entry) else { return }
        entries[tag] = entry
      }
    }

    func number(_ tag: UInt16) -> UInt32? {
      guard let entry = entries[tag] else { return nil }
      return u16(entry + 2) == 3 ? u16(entry + 8).map(UInt32.init) : u32(entry + 8)
    }

    func text(_ tag: UInt16) -> String {
      guard let entry = entries[tag], let count = u32(entry + 4) else { return "" }
      let offset = count > 4 ? Int(u32(entry + 8) ?? 0) : entry + 8
      return String(decoding: reader.bytes(offset, min(32, Int(count))).prefix { $0 != 0 }, as: UTF8.self)
    }

    private func u16(_ offset: Int) -> UInt16? { bigEndian ? reader.u16be(offset) : reader.u16le(offset) }
    private func u32(_ offset: Int) -> UInt32? { bigEndian ? reader.u32be(offset) : reader.u32le(offset) }
  }
}
