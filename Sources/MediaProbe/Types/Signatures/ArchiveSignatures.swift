internal import MediaModel

/// Signatures of archives, compressed files, programs, and MMS messages in their binary form.
enum ArchiveSignatures {
  static func type(of reader: ByteReader) -> MediaType? {
    switch reader.u32be(0) {
    case 0x504B_0304, 0x504B_0506, 0x504B_0708: return ZipSignatures.type(of: reader)
    case 0xD0CF_11E0: return CompoundFile.type(of: reader)
    // Zstandard, RFC 8878, 3.1.1.
    case 0x28B5_2FFD: return .zstd
    // 7z format description: "7z", BC AF 27 1C.
    case 0x377A_BCAF: return reader.u16be(4) == 0x271C ? .sevenZip : nil
    // RAR 4 and 5 technical notes: "Rar!", 1A 07, then 00 or 01 00.
    case 0x5261_7221: return reader.u16be(4) == 0x1A07 ? .rar : nil
    // The .xz file format, 2.1.1.1.
    case 0xFD37_7A58: return reader.u16be(4) == 0x5A00 ? .xz : nil
    // System V ABI, ELF header.
    case 0x7F45_4C46: return .elf
    default: break
    }
    // RFC 1952, 2.3: deflate is the only method, the three high flags are reserved.
    if reader.u24be(0) == 0x1F_8B08, let flags = reader.u8(3), flags & 0xE0 == 0 { return .gzip }
    // bzip2: "BZh", the block size, then a block (π) or the end of an empty file (√π).
    if reader.has("BZh", at: 0), let level = reader.u8(3), (0x31...0x39).contains(level) {
      if reader.u32be(4) == 0x3141_5926 || reader.u32be(4) == 0x1772_4538 { return .bzip2 }
    }
    if isWindowsProgram(reader) { return .windowsProgram }
    if isMMS(reader) { return .mmsMessage }
    return isTar(reader) ? .tar : nil
  }

  /// PE format, "MS-DOS Stub": the offset of "PE" is at 0x3C.
  private static func isWindowsProgram(_ reader: ByteReader) -> Bool {
    guard reader.has("MZ", at: 0), let header = reader.u32le(0x3C) else { return false }
    return reader.has("PE\0\0", at: Int(header))
  }

  /// OMA-TS-MMS_ENC, 6: a message begins with its type (0x8C), followed by the transaction ID (0x98) or the version
  /// (0x8D). Some senders write one or both of those before the type.
  private static func isMMS(_ reader: ByteReader) -> Bool {
    var offset = 0
    for _ in 0..<3 {
      switch reader.u8(offset) {
      case 0x8C:
        guard let type = reader.u8(offset + 1), (0x80...0x97).contains(type) else { return false }
        let next = reader.u8(offset + 2)
        return offset == 0 ? next == 0x98 || next == 0x8D : next.map { (0x80...0xBF).contains($0) } ?? true
      // Version 1.0 to 1.15.
      case 0x8D where reader.u8(offset + 1).map { $0 >> 4 == 9 } == true: offset += 2
      case 0x98:
        let name = reader.bytes(offset + 1, 65)
        guard let end = name.firstIndex(of: 0), end > 0, name[..<end].allSatisfy({ (0x21...0x7E).contains($0) }) else {
          return false
        }
        offset += end + 2
      default: return false
      }
    }
    return false
  }

  /// POSIX.1 pax, ustar header block: the checksum counts its own eight bytes as spaces. Old archives lack "ustar" but
  /// have the checksum.
  private static func isTar(_ reader: ByteReader) -> Bool {
    guard let first = reader.u8(0), first != 0, let block = reader.slice(0, 512) else { return false }
    var stated = 0
    for byte in block[148..<156] where byte != 0x20 && byte != 0 {
      guard (0x30...0x37).contains(byte) else { return false }
      stated = stated << 3 | Int(byte - 0x30)
    }
    let sum = block.reduce(0) { $0 + Int($1) } - block[148..<156].reduce(0) { $0 + Int($1) } + 8 * 0x20
    return stated == sum
  }
}
