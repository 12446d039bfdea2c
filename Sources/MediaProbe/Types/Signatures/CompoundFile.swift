internal import MediaModel

/// Microsoft's compound file (MS-CFB): the container of .doc, .xls, .ppt and .msg, and of encrypted Office files.
enum CompoundFile {
  /// Nil for other compound files and other formats.
  static func type(of reader: ByteReader) -> MediaType? {
    guard reader.u64be(0) == 0xD0CF_11E0_A1B1_1AE1 else { return nil }
    let names = entries(reader)
    // The streams that each application's format requires: MS-DOC 2.1, MS-XLS 2.1, MS-PPT 2.1, MS-OXMSG 2.2.3.
    if names.contains("WordDocument") { return .doc }
    if names.contains("Workbook") || names.contains("Book") { return .xls }
    if names.contains("PowerPoint Document") { return .ppt }
    if names.contains("__properties_version1.0") { return .outlookMessage }
    return nil
  }

  /// Whether it wraps an encrypted OOXML document (MS-OFFCRYPTO 2.3.4.4).
  static func isEncryptedPackage(_ reader: ByteReader) -> Bool {
    reader.u64be(0) == 0xD0CF_11E0_A1B1_1AE1 && entries(reader).contains("EncryptedPackage")
  }

  /// The names of the directory entries (MS-CFB 2.6.1): UTF-16, 128 bytes per entry.
  private static func entries(_ reader: ByteReader) -> Set<String> {
    var names: Set<String> = []
    guard let shift = reader.u16le(30), shift == 9 || shift == 12, var sector = reader.u32le(48) else { return names }
    let size = 1 << Int(shift)
    // Streams that identify the format are among the first entries; 32 sectors of 512 bytes hold 128.
    for _ in 0..<32 {
      let start = (Int(sector) + 1) * size
      guard let bytes = reader.slice(start, size) else { return names }
      for entry in stride(from: 0, to: size, by: 128) {
        let length = Int(bytes[entry + 64]) | Int(bytes[entry + 65]) << 8
        guard (2...64).contains(length) else { continue }
        let units = stride(from: entry, to: entry + length - 2, by: 2).map {
          UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8
        }
        names.insert(String(decoding: units, as: UTF16.self))
      }
      guard let next = nextSector(reader, after: sector, size: size), next < 0xFFFF_FFFA else { return names }
      sector = next
    }
    return names
  }

  /// The entry for `sector` in the FAT; the header lists the first 109 FAT sectors (2.2, 2.3).
  private static func nextSector(_ reader: ByteReader, after sector: UInt32, size: Int) -> UInt32? {
    let perSector = size / 4
    let (index, entry) = Int(sector).quotientAndRemainder(dividingBy: perSector)
    guard index < 109, let table = reader.u32le(76 + index * 4), table < 0xFFFF_FFFA else { return nil }
    return reader.u32le((Int(table) + 1) * size + entry * 4)
  }
}
