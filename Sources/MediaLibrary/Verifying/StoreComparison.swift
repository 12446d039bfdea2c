/// Compares a store with the list of its expected content, both in the order of addresses, without loading either.
struct StoreComparison {
  let store: DirectoryStore
  /// Expected addresses in order, after a given one.
  let expected: (ContentDigest?) throws(LibraryError) -> [ContentDigest]

  enum Finding {
    case missing
    case damaged
    case orphan
  }

  /// - Returns: Number of files that were compared with their digests.
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
      // Files without users are not compared.
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

  /// Returns one address after another, loaded in pages.
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
