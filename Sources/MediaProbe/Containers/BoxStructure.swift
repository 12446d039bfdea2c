internal import MediaModel

/// The top-level boxes of an ISO base media or QuickTime file (ISO/IEC 14496-12, 4.2).
///
/// Reads only the 16 bytes of each box header: a fragmented movie has thousands of boxes all over the file.
struct BoxStructure {
  /// Maximum number of boxes to read; a fragmented movie of ten hours has about twenty thousand.
  private static let limit = 65_536
  /// Maximum number of fragments to remember, counted from the end.
  private static let remembered = 16

  private(set) var failure: MediaFailure?
  /// The range of `moov`.
  private(set) var movie: Range<Int>?
  /// Whether there is a box with media data.
  private(set) var hasSamples = false
  /// The ranges of the first and the last `moof`.
  private(set) var firstFragment: Range<Int>?
  private(set) var lastFragments: [Range<Int>] = []

  init(_ input: borrowing MediaInput) {
    var offset = 0
    var isCut = false
    for _ in 0..<Self.limit where offset < input.size {
      guard let head = try? ByteReader(input.read(at: offset, count: 16)),
        let size = Self.size(head, in: input.size - offset),
        let name = head.fourCC(4)
      else { break }
      let end = offset + min(size, input.size - offset)
      switch name {
      case "moov": movie = offset..<end
      case "moof":
        if firstFragment == nil { firstFragment = offset..<end }
        if lastFragments.count == Self.remembered { lastFragments.removeFirst() }
        lastFragments.append(offset..<end)
      case "mdat": hasSamples = true
      case "ftyp", "styp", "sidx", "free", "skip", "wide", "meta", "uuid", "udta", "mfra", "pnot": break
      // Unknown data after the movie is ignored: vendors append blocks of their own, and not all of them are boxes.
      default:
        if size > input.size - offset {
          offset = input.size
          continue
        }
      }
      if size > input.size - offset { isCut = true }
      offset = end
    }
    // An interrupted recording has media data but no movie box that indexes it.
    if isCut || (movie == nil && firstFragment == nil) { failure = .endsEarly }
  }

  /// Size of the box in bytes, including its header; nil if there is no box.
  private static func size(_ head: ByteReader, in available: Int) -> Int? {
    guard let small = head.u32be(0) else { return nil }
    switch small {
    case 0: return available
    case 1: return head.u64be(8).flatMap { $0 >= 16 && $0 < UInt64(Int.max) / 2 ? Int($0) : nil }
    case 2..<8: return nil
    default: return Int(small)
    }
  }
}
