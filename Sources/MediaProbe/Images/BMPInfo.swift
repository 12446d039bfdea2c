internal import ISOBaseMedia
internal import MediaModel

/// The information header of a bitmap, which icons have as well.
struct BMPInfo {
  let size: PixelSize
  let hasAlpha: Bool
  /// Bytes per row, padded to a multiple of four; nil for compressed pixels.
  let rowBytes: Int?
  /// Bytes of the header and the color table.
  let headerBytes: Int
  /// The range of an embedded profile.
  let profile: Range<Int>?

  /// Reads the header at `start`: 12 bytes in OS/2 1.x, 40 in Windows 3, 108 and 124 in versions 4 and 5.
  init?(_ reader: ByteReader, at start: Int) {
    guard let length = reader.u32le(start), length >= 12, length <= 256 else { return nil }
    let isCore = length == 12
    let width = isCore ? reader.u16le(start + 4).map { Int($0) } : Self.signed(reader, start + 4)
    let height = isCore ? reader.u16le(start + 6).map { Int($0) } : Self.signed(reader, start + 8)
    guard let width, let height, let depth = reader.u16le(start + (isCore ? 10 : 14)) else { return nil }
    // A negative height means that the rows are stored top-down.
    size = PixelSize(width: width, height: abs(height))
    guard size.isPositive else { return nil }
    let compression = length >= 20 ? reader.u32le(start + 16) ?? 0 : 0
    // Masks are in the header from 56 bytes on, and apply only to bit fields (3, and 6 of Windows CE).
    let mask = length >= 56 || compression == 6 ? reader.u32le(start + 52) ?? 0 : 0
    hasAlpha = mask != 0 && (compression == 3 || compression == 6)
    let isPlain = compression == 0 || compression == 3 || compression == 6
    rowBytes = isPlain ? (width * Int(depth) + 31) / 32 * 4 : nil
    let stated = length >= 36 ? reader.u32le(start + 32).map(Int.init) ?? 0 : 0
    let colors = depth > 8 ? 0 : stated > 0 ? min(stated, 1 << depth) : 1 << depth
    headerBytes = Int(length) + colors * (isCore ? 3 : 4)
    // 'MBED': the offset of the profile is relative to the header.
    if length >= 124, reader.fourCC(start + 56) == "DEBM", let offset = reader.u32le(start + 112),
      let count = reader.u32le(start + 116)
    {
      profile = start + Int(offset)..<start + Int(offset) + Int(count)
    } else {
      profile = nil
    }
  }

  private static func signed(_ reader: ByteReader, _ offset: Int) -> Int? {
    reader.u32le(offset).map { Int(Int32(bitPattern: $0)) }
  }
}
