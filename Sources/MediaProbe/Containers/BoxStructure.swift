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
  /// The `moov` box.
  private(set) var movieBox: Box?
  /// Whether there is a box with media data.
  private(set) var hasSamples = false
  /// The first and the last `moof`.
  private(set) var firstFragment: Box?
  private(set) var lastFragments: [Box] = []

  /// Where `moov` lies, header included.
  var movie: Range<Int>? { movieBox?.range }

  init(_ input: borrowing MediaInput) {
    var offset = 0
    var isCut = false
    for _ in 0..<Self.limit where offset < input.size {
      guard let head = try? Box.MemorySource(input.read(at: offset, count: 16)),
        let header = Box.Header(head, at: 0, room: input.size - offset),
        let size = header.size, size < Int.max / 2
      else { break }
      let end = offset + min(size, input.size - offset)
      let box = Box(
        type: header.type, start: offset, body: min(offset + header.length, end)..<end,
        fit: size > input.size - offset ? .cut : .whole)
      switch header.type {
      case "moov": movieBox = box
      case "moof":
        if firstFragment == nil { firstFragment = box }
        if lastFragments.count == Self.remembered { lastFragments.removeFirst() }
        lastFragments.append(box)
      case "mdat": hasSamples = true
      case "ftyp", "styp", "sidx", "free", "skip", "wide", "meta", "uuid", "udta", "mfra", "pnot": break
      // Unknown data after the movie is ignored: vendors append blocks of their own, and not all of them are boxes.
      default:
        if box.isCut {
          offset = input.size
          continue
        }
      }
      if box.isCut { isCut = true }
      offset = end
    }
    // An interrupted recording has media data but no movie box that indexes it.
    if isCut || (movieBox == nil && firstFragment == nil) { failure = .endsEarly }
  }
}
