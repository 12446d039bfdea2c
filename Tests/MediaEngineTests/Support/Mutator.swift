internal import MediaEngine
internal import TestSupport

/// Files of testdata, damaged: bytes changed, numbers made huge, parts cut out, doubled or taken from another file.
struct Mutator {
  private var random: SeededGenerator
  private var files: [(name: String, bytes: [UInt8])] = []

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// The next file, with a name that says what it was made of.
  mutating func next() throws -> (name: String, source: MediaSource) {
    if files.isEmpty {
      files = try Fixture.all.map { ($0.path, try Fixture.bytes($0.path)) }
        .filter { (1...300_000).contains($0.bytes.count) }
    }
    let (name, original) = files[random.below(files.count)]
    var bytes = original
    for _ in 0...random.below(4) where !bytes.isEmpty { damage(&bytes) }
    return (name, .bytes(bytes))
  }

  private mutating func damage(_ bytes: inout [UInt8]) {
    // Headers are where damage hurts: half of the places are in the first kilobyte.
    let place = random.below(random.below(2) == 0 ? min(1_024, bytes.count) : bytes.count)
    let length = min(1 + random.below(16), bytes.count - place)
    switch random.below(7) {
    case 0: bytes[place] = UInt8(random.below(256))
    case 1: bytes[place] ^= 1 << UInt8(random.below(8))
    case 2: for index in place..<place + length { bytes[index] = 0xFF }
    case 3: bytes.removeSubrange(place..<place + length)
    case 4: bytes.removeLast(bytes.count - place)
    case 5: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
    default:
      let other = files[random.below(files.count)].bytes
      let start = random.below(other.count)
      bytes.replaceSubrange(place..<place + length, with: other[start..<min(other.count, start + length)])
    }
  }
}
