/// Hashes of images in memory, 8 bytes each. A search compares each of them: a million take milliseconds.
struct ImageHashes: Sendable {
  private var bits: [UInt64] = []

  /// Number of hashes.
  var count: Int { bits.count }

  /// The hash that was appended as number `position`, from 0.
  subscript(position: Int) -> Moderation.ImageHash { Moderation.ImageHash(bits: bits[position]) }

  mutating func append(_ hash: Moderation.ImageHash) { bits.append(hash.bits) }

  /// Calls a closure with the position and the distance of each hash that is as near to another one as a distance, or nearer.
  func search(_ hash: Moderation.ImageHash, within distance: Int, _ found: (Int, Int) -> Void) {
    for (position, own) in bits.enumerated() {
      let difference = (own ^ hash.bits).nonzeroBitCount
      if difference <= distance { found(position, difference) }
    }
  }
}
