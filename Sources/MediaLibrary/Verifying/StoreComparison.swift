/// Walks a store beside the list of what should be in it, both in the order of addresses, without holding either.
struct StoreComparison {
  let store: DirectoryStore
  /// Addresses that should be there, in order, after one of them.
  let expected: (ContentDigest?) throws(LibraryError) -> [ContentDigest]

  enum Finding {
    case missing
    case damaged
    case orphan
  }

  /// - Returns: How many files were compared with their digests.
  func run(_ found: (ContentDigest, Finding) throws(LibraryError) -> Void) throws(LibraryError) -> Int {
    var checked = 0
    var wanted = Pages(load: expected)
    var kept = Pages { (after) throws(LibraryError) in try store.addresses(after: after, limit: 1_000) }
    var (want, have) = (try wanted.next(), try kept.next())
    while want != nil || have != nil {
      if let next = want, have.map({ next < $0 }) ?? true {
        try found(next, .missing)
        want = try wanted.next()
        continue
      }
      guard let here = have else { break }
      checked += 1
      // Of what nobody has the bytes may be any.
      if want == here {
        if try store.isIntact(here) == false { try found(here, .damaged) }
        want = try wanted.next()
      } else {
        try found(here, .orphan)
      }
      have = try kept.next()
    }
    return checked
  }

  /// One address after another, a page at a time.
  private struct Pages {
    let load: (ContentDigest?) throws(LibraryError) -> [ContentDigest]
    private var page: ArraySlice<ContentDigest> = []
    private var last: ContentDigest?
    private var isAtEnd = false

    init(load: @escaping (ContentDigest?) throws(LibraryError) -> [ContentDigest]) { self.load = load }

    mutating func next() throws(LibraryError) -> ContentDigest? {
      if page.isEmpty, !isAtEnd {
        page = try load(last)[...]
        isAtEnd = page.isEmpty
        last = page.last ?? last
      }
      return page.popFirst()
    }
  }
}
