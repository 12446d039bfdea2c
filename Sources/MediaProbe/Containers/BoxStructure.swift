internal import ISOBaseMedia
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
  /// Where the body of `moov` lies.
  private(set) var movie: Range<Int>?
  /// Whether there is a box with media data.
  private(set) var hasSamples = false
  /// Where the bodies of the first and the last `moof` lie.
  private(set) var firstFragment: Range<Int>?
  private(set) var lastFragments: [Range<Int>] = []

  init(_ input: borrowing MediaInput) {
    var offset = 0
    var isCut = false
    for _ in 0..<Self.limit where offset < input.size {
      guard let head = try? MemoryBoxSource(input.read(at: offset, count: 16)),
        let header = BoxHeader(head, at: 0, room: input.size - offset),
        let size = header.size, size < Int.max / 2
      else { break }
      let end = offset + min(size, input.size - offset)
      let body = min(offset + header.length, end)..<end
      switch header.type {
      case "moov": movie = body
      case "moof":
        if firstFragment == nil { firstFragment = body }
        if lastFragments.count == Self.remembered { lastFragments.removeFirst() }
        lastFragments.append(body)
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
}
