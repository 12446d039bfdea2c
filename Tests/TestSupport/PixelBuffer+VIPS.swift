internal import MediaModel

/// libvips' own format hands us pixels without another program: a header of 64 bytes, then the samples (`vips_read_header`, iofuncs/vips.c).
extension PixelBuffer {
  /// What is wrong with a file of that format.
  public struct VIPSError: Error, CustomStringConvertible {
    /// One sentence.
    public let description: String
  }

  /// The bytes that mark a file of a little-endian machine.
  private static let mark: [UInt8] = [0xB6, 0xA6, 0xF2, 0x08]
  private static let headerLength = 64

  /// Reads an image of 3 or 4 channels of 8 bits.
  public init(vips bytes: [UInt8]) throws {
    guard bytes.count >= Self.headerLength, bytes.starts(with: Self.mark) else {
      throw VIPSError(description: "the file has no header of a little-endian machine")
    }
    func number(at offset: Int) -> Int {
      bytes.withUnsafeBytes { Int(Int32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Int32.self))) }
    }
    let (width, height, channels, format) = (number(at: 4), number(at: 8), number(at: 12), number(at: 20))
    guard (3...4).contains(channels), format == 0 else {
      throw VIPSError(description: "\(channels) channels in format \(format) are not RGB or RGBA of 8 bits")
    }
    guard (1...1 << 14).contains(width), (1...1 << 14).contains(height),
      bytes.count >= Self.headerLength + width * height * channels
    else { throw VIPSError(description: "\(width) × \(height) pixels do not fit \(bytes.count) bytes") }
    let samples = bytes[Self.headerLength..<Self.headerLength + width * height * channels]
    guard
      let image = PixelBuffer(
        size: PixelSize(width: width, height: height), rgba: Self.rgba(samples, channels: channels))
    else { throw VIPSError(description: "the size is not positive") }
    self = image
  }

  /// The image as a file of that format, in sRGB.
  public var vips: [UInt8] {
    // 25.4 dots per inch, as a float of pixels per millimetre.
    let numbers: [Int32] = [
      Int32(width), Int32(height), 4, 8, 0, 0, 22, Int32(bitPattern: Float(1).bitPattern),
      Int32(bitPattern: Float(1).bitPattern),
    ]
    let header = Self.mark + numbers.flatMap { number in (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    return header + [UInt8](repeating: 0, count: Self.headerLength - header.count) + rgba
  }

  /// RGBA of samples of 3 or 4 channels. By pointers, because everything else is slow in a debug build.
  static func rgba(_ samples: ArraySlice<UInt8>, channels: Int) -> [UInt8] {
    if channels == 4 { return Array(samples) }
    let pixels = samples.count / 3
    return [UInt8](unsafeUninitializedCapacity: pixels * 4) { rgba, count in
      samples.withUnsafeBufferPointer { samples in
        guard var from = samples.baseAddress, var to = rgba.baseAddress else { return }
        var rest = pixels
        while rest > 0 {
          (to[0], to[1], to[2], to[3]) = (from[0], from[1], from[2], 255)
          from += 3
          to += 4
          rest -= 1
        }
        count = pixels * 4
      }
    }
  }
}
