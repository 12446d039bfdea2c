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

  /// - Parameters:
  ///   - start: The address after which to begin. Default nil: with the first one.
  ///   - isEnough: Asked after each address whether to end there. Default: no.
  /// - Returns: Number of files that were compared with their digests.
  func run(
    after start: ContentDigest? = nil, _ found: (ContentDigest, Finding) throws(LibraryError) -> Void,
    until isEnough: (ContentDigest) throws(LibraryError) -> Bool = { _ in false }
  ) throws(LibraryError) -> Int {
    var checked = 0
    var wanted = Pages(after: start, load: expected)
    var kept = Pages(after: start) { (after) throws(LibraryError) in try store.addresses(after: after, limit: 1_000) }
    var (want, have) = (try wanted.next(), try kept.next())
    while want != nil || have != nil {
      if let next = want, have.map({ next < $0 }) ?? true {
        try found(next, .missing)
        if try isEnough(next) { break }
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
      if try isEnough(here) { break }
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

    init(after start: ContentDigest?, load: @escaping (ContentDigest?) throws(LibraryError) -> [ContentDigest]) {
      (self.load, last) = (load, start)
    }

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
