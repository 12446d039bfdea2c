internal import MediaModel

/// A bit reader for the start of a JPEG XL codestream: SizeHeader and ImageMetadata (ISO/IEC 18181-1:2024, annex D), up
/// to the transfer function. Missing bits read as 0.
struct JXLCodestream {
  private(set) var orientation = MediaInfo.Orientation.up
  private(set) var isAnimated = false
  private(set) var hasAlpha = false
  private(set) var hdr: MediaInfo.HDR?

  private let bytes: [UInt8]
  /// The position of the next bit, least significant bit first; starts after the signature.
  private var position = 16

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The coded size of the image; nil if the data ends first.
  mutating func readSize() -> PixelSize? {
    let isSmall = bool()
    let height = side(isSmall)
    let ratio = bits(3)
    let width = ratio == 0 ? side(isSmall) : Self.width(of: height, ratio: ratio)
    let size = PixelSize(width: width, height: height)
    return position <= 8 * bytes.count && size.isPositive ? size : nil
  }

  /// Reads the fields of interest after the size.
  mutating func readMetadata() {
    if bool() { return }  // all default
    if bool() {
      orientation = MediaInfo.Orientation(rawValue: bits(3) + 1) ?? .up
      if bool() { _ = readSize() }  // intrinsic size
      if bool() { skipPreview() }
      isAnimated = bool()
      if isAnimated { skipAnimation() }
    }
    skipBitDepth()
    _ = bool()  // 16-bit buffers suffice
    let extraChannels = choice((0, 0), (0, 1), (4, 2), (12, 1))
    for _ in 0..<extraChannels {
      guard position < 8 * bytes.count else { return }
      readExtraChannel()
    }
    _ = bool()  // XYB
    readColor()
  }

  private mutating func side(_ isSmall: Bool) -> Int {
    isSmall ? (bits(5) + 1) * 8 : choice((9, 1), (13, 1), (18, 1), (30, 1))
  }

  private static func width(of height: Int, ratio: Int) -> Int {
    let (upper, lower) = [(1, 1), (1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)][ratio]
    return height * upper / lower
  }

  private mutating func skipPreview() {
    let isSmall = bool()
    func side(_ stream: inout JXLCodestream) {
      _ =
        isSmall
        ? stream.choice((0, 16), (0, 32), (5, 1), (9, 33)) : stream.choice((6, 1), (8, 65), (10, 321), (12, 1_345))
    }
    side(&self)
    if bits(3) == 0 { side(&self) }
  }

  private mutating func skipAnimation() {
    _ = choice((0, 100), (0, 1_000), (10, 1), (30, 1))
    _ = choice((0, 1), (0, 1_001), (8, 1), (10, 1))
    _ = choice((0, 0), (3, 0), (16, 0), (32, 0))
    _ = bool()
  }

  private mutating func skipBitDepth() {
    if bool() {
      _ = choice((0, 32), (0, 16), (0, 24), (6, 1))
      _ = bits(4)
    } else {
      _ = choice((0, 8), (0, 10), (0, 12), (6, 1))
    }
  }

  private mutating func readExtraChannel() {
    if bool() {
      hasAlpha = true  // the default is alpha
      return
    }
    let kind = enumeration()
    skipBitDepth()
    _ = choice((0, 0), (0, 3), (0, 4), (3, 1))
    position += 8 * choice((0, 0), (4, 0), (5, 16), (10, 48))  // its name
    switch kind {
    case 0:
      hasAlpha = true
      _ = bool()
    case 2: position += 64  // a spot color
    case 5: _ = choice((0, 1), (2, 0), (4, 3), (8, 19))
    default: break
    }
  }

  private mutating func readColor() {
    if bool() { return }  // sRGB
    let hasProfile = bool()
    let space = enumeration()
    // 1 is grey, 2 XYB.
    guard !hasProfile, space != 2 else { return }
    if enumeration() == 2 { skipChromaticities(1) }
    if space != 1, enumeration() == 2 { skipChromaticities(3) }
    if bool() { return }  // a gamma
    hdr = MediaInfo.HDR(transferCharacteristics: enumeration())
  }

  private mutating func skipChromaticities(_ count: Int) {
    for _ in 0..<2 * count { _ = choice((19, 0), (19, 524_288), (20, 1_048_576), (21, 2_097_152)) }
  }

  private mutating func enumeration() -> Int { choice((0, 0), (0, 1), (4, 2), (6, 18)) }

  private mutating func bool() -> Bool { bits(1) == 1 }

  /// U32: two bits select the number of bits that follow and the offset added to them.
  private mutating func choice(_ options: (bits: Int, offset: Int)...) -> Int {
    let option = options[bits(2)]
    return bits(option.bits) + option.offset
  }

  private mutating func bits(_ count: Int) -> Int {
    var value = 0
    for index in 0..<count {
      let byte = position >> 3
      if byte < bytes.count, bytes[byte] >> UInt8(position & 7) & 1 == 1 { value |= 1 << index }
      position += 1
    }
    return value
  }
}
