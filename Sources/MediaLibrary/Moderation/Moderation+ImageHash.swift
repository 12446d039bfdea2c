#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Moderation {
  /// 64 bits that say how an image looks, by which near-duplicates are recognised: copies that were encoded again, resized or brightened have hashes at a small distance.
  ///
  /// Made of the ThumbHash that the library has of each image: the 27 lowest terms of the cosine transform of its luminance, each compared with multiples of their root mean square.
  /// So no pixel is needed, and every file that was ever examined has one. A crop, a mirror image, a frame or a text across the image gives another hash.
  public struct ImageHash: Hashable, Sendable, CustomStringConvertible {
    /// The distance up to which images count as near-duplicates: 4 of 64 bits. docs/decisions/0144 has the measured false positives.
    public static let standardDistance = 4
    /// The largest distance of a block. Unrelated images are found beyond it.
    public static let maxDistance = 8

    /// Terms above half of the root mean square that an image needs, so that its hash is not that of many others.
    private static let minTerms = 6

    /// 64 bits of a perceptual hash; similar images differ in few of them.
    public let bits: UInt64

    /// A hash with these bits.
    public init(bits: UInt64) { self.bits = bits }

    /// The hash of a text of 16 hexadecimal digits; nil for another text.
    public init?(hexadecimal text: some StringProtocol) {
      guard text.utf8.count == 16, text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
        let bits = UInt64(text, radix: 16)
      else { return nil }
      self.bits = bits
    }

    /// The hash of an image with this ThumbHash, in base64 (`Placeholder.thumbhash`). Nil for another text, and for an image with too little
    /// contrast or structure, such as a clear sky: those look alike.
    public init?(thumbhash text: String) {
      guard let data = Data(base64Encoded: text), let terms = Self.terms(of: Array(data)) else { return nil }
      let power = terms.reduce(0) { $0 + $1 * $1 }
      guard terms.count(where: { $0 * $0 * terms.count * 4 > power }) >= Self.minTerms else { return nil }
      var bits: UInt64 = 0
      var count = 0
      for (index, term) in terms.enumerated() {
        // The square of a multiple of the root mean square, in hundredths: 0.9² and 0.5². Of the low frequencies, which change least, the sign counts too.
        for level in index < 10 ? [-81, 0, 81] : [-25, 25] {
          if term * abs(term) * terms.count * 100 > level * power { bits |= 1 << UInt64(count) }
          count += 1
        }
      }
      self.bits = bits
    }

    /// The number of bits that differ, 0 to 64.
    public func distance(to other: ImageHash) -> Int { (bits ^ other.bits).nonzeroBitCount }

    /// 16 hexadecimal digits.
    public var description: String {
      let digits = String(bits, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The terms of the luminance, -15 to 15, by their frequencies: those that a small or narrow image has not are 0.
    private static func terms(of hash: [UInt8]) -> [Int]? {
      guard hash.count > 5 else { return nil }
      let hasAlpha = hash[2] & 0x80 != 0
      // The scale of the luminance is in 5 bits: below 2, its terms are of rounding errors.
      guard (Int(hash[2]) << 16 | Int(hash[1]) << 8 | Int(hash[0])) >> 18 & 31 >= 2 else { return nil }
      let isLandscape = hash[4] & 0x80 != 0
      let (limit, other) = (hasAlpha ? 5 : 7, max(3, Int(hash[3]) & 7))
      let (columns, rows) = isLandscape ? (limit, other) : (other, limit)
      let nibbles = hash[(hasAlpha ? 6 : 5)...].flatMap { [Int($0 & 15), Int($0 >> 4)] }
      var found: [Int: Int] = [:]
      var at = 0
      for row in 0..<rows {
        var column = row == 0 ? 1 : 0
        while column * rows < columns * (rows - row) {
          guard at < nibbles.count else { return nil }
          found[row << 3 | column] = 2 * nibbles[at] - 15
          at += 1
          column += 1
        }
      }
      return order.map { found[$0] ?? 0 }
    }

    /// The 27 terms of a square image without transparency, the lowest first, as eight times the row plus the column.
    private static let order: [Int] = (1...6).flatMap { sum in
      (0...sum).map { row in row << 3 | (sum - row) }
    }
  }
}
