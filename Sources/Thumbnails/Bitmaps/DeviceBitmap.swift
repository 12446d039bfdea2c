internal import MediaModel

/// Decodes Windows' device-independent bitmap for icons and for layouts that libavcodec lacks. It supports uncompressed
/// palettes, and pixels of 16, 24 and 32 bits with any masks.
///
/// libavcodec reads BMP, but only with the masks that Windows itself writes. Compressed bitmaps are left to it.
/// https://learn.microsoft.com/windows/win32/gdi/bitmap-storage
struct DeviceBitmap {
  let width: Int
  /// Height in rows; for an icon it includes the mask.
  let height: Int
  let bits: Int
  /// Whether the header has masks (`BI_BITFIELDS`, and 6 of Windows CE, which has one for alpha).
  let hasMasks: Bool
  /// The end of the palette, where the pixels of an icon begin.
  let headerEnd: Int
  private let isTopDown: Bool
  private let fields: [Field]
  private let palette: [(UInt8, UInt8, UInt8)]
  private let file: BitmapBytes

  /// Reads the header at `start`; nil if it is invalid or the layout is not supported here.
  init?(_ file: BitmapBytes, at start: Int) {
    guard let length = file.u32(start), (40...256).contains(length), let width = file.s32(start + 4),
      let height = file.s32(start + 8), let bits = file.u16(start + 14), let compression = file.u32(start + 16),
      width > 0, height != 0, [0, 3, 6].contains(compression), [1, 4, 8, 16, 24, 32].contains(bits)
    else { return nil }
    self.file = file
    self.width = width
    self.height = abs(height)
    self.bits = bits
    isTopDown = height < 0
    hasMasks = compression != 0
    guard !hasMasks || bits == 16 || bits == 32 else { return nil }
    // A version 3 header is followed by its masks; later ones contain them at the same offset.
    let hasAlpha = compression == 6 || (length >= 56 && hasMasks)
    let masks = hasMasks ? (0..<(hasAlpha ? 4 : 3)).map { file.u32(start + 40 + 4 * $0) ?? 0 } : []
    fields = (hasMasks ? masks : bits == 16 ? [0x7C00, 0x03E0, 0x001F] : [0xFF0000, 0xFF00, 0xFF, 0xFF00_0000])
      .map(Field.init)
    var end = start + max(length, hasMasks ? 40 + 4 * masks.count : 0)
    var palette: [(UInt8, UInt8, UInt8)] = []
    if bits <= 8 {
      let stated = file.u32(start + 32) ?? 0
      let count = stated > 0 ? min(stated, 1 << bits) : 1 << bits
      let entries = file.slice(end, count * 4)
      palette = (0..<entries.count / 4).map { (entries[$0 * 4 + 2], entries[$0 * 4 + 1], entries[$0 * 4]) }
      end += count * 4
    }
    self.palette = palette
    headerEnd = end
  }

  /// Bytes per row at this many bits per pixel, padded to a multiple of four.
  func rowBytes(_ bits: Int) -> Int { (width * bits + 31) / 32 * 4 }

  /// Decodes the first `rows` rows as stored, from `offset`.
  func pixels(at offset: Int, rows: Int, maxPixels: Int) throws(MediaFailure) -> BitmapPixels {
    let pixels = try BitmapPixels(width: width, height: rows, maxPixels: maxPixels)
    let length = rowBytes(bits)
    for row in 0..<rows {
      try file.checkDeadline(row)
      let bytes = file.slice(offset + row * length, length)
      if bytes.count < (width * bits + 7) / 8 { pixels.isCut = true }
      read(bytes, into: pixels.rgba, at: (isTopDown ? row : rows - 1 - row) * width * 4)
    }
    // Many encoders declare alpha and leave it 0.
    if bits == 32, !pixels.isCut, pixels.isInvisible {
      for at in stride(from: 3, to: pixels.rgba.count, by: 4) { pixels.rgba[at] = 255 }
    }
    return pixels
  }

  /// Applies the mask at `offset`, which has one bit per pixel, 1 for transparent.
  func applyMask(at offset: Int, to pixels: BitmapPixels) {
    let length = rowBytes(1)
    for row in 0..<pixels.height {
      let bytes = file.slice(offset + row * length, length)
      let start = (isTopDown ? row : pixels.height - 1 - row) * width * 4
      for x in 0..<min(width, bytes.count * 8) where bytes[x / 8] >> (7 - x % 8) & 1 == 1 {
        pixels.rgba[start + x * 4 + 3] = 0
      }
    }
  }

  private func read(_ row: UnsafeRawBufferPointer, into rgba: UnsafeMutableBufferPointer<UInt8>, at start: Int) {
    for x in 0..<min(width, row.count * 8 / bits) {
      let at = start + x * 4
      switch bits {
      case 24:
        (rgba[at], rgba[at + 1], rgba[at + 2], rgba[at + 3]) = (row[x * 3 + 2], row[x * 3 + 1], row[x * 3], 255)
      case 16, 32:
        let bytes = bits / 8
        let value = (0..<bytes).reduce(0) { $0 | Int(row[x * bytes + $1]) << (8 * $1) }
        for channel in 0..<3 { rgba[at + channel] = fields[channel].level(of: value) }
        rgba[at + 3] = fields.count > 3 && fields[3].largest > 0 ? fields[3].level(of: value) : 255
      default:
        let index = Int(row[x * bits / 8]) >> (8 - bits - x * bits % 8) & (1 << bits - 1)
        let color = index < palette.count ? palette[index] : (0, 0, 0)
        (rgba[at], rgba[at + 1], rgba[at + 2], rgba[at + 3]) = (color.0, color.1, color.2, 255)
      }
    }
  }

  /// The bits of one channel in a pixel.
  private struct Field {
    let shift: Int
    /// Maximum value of the channel; 0 if it has no bits.
    let largest: Int

    init(mask: Int) {
      shift = mask == 0 ? 0 : mask.trailingZeroBitCount
      largest = mask >> shift
    }

    /// The level of a value, 0…255; 0 for a missing channel. Values have at most 32 bits, so nothing overflows.
    func level(of value: Int) -> UInt8 {
      largest == 0 ? 0 : UInt8(truncatingIfNeeded: ((value >> shift & largest) * 255 + largest / 2) / largest)
    }
  }
}
