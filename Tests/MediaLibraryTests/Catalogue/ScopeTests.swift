internal import FileSupport
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

/// Every listing of random scopes in random pages, beside a filter of the same rows in Swift.
@Suite("Scopes") struct ScopeTests {
  private let test: TestLibrary
  private var catalogue: any MediaCatalogue & ScanIndex { test.catalogue }

  init() throws { test = try TestLibrary() }

  private static let types: [MediaType] = [.jpeg, MediaType("video/mp4"), MediaType("audio/mpeg"), .pdf, .plainText]
  private static let folders = ["/r", "/r/in", "/r/in/deep", "/s"]

  @Test(
    "A scope gives the rows that match, in every listing and on every page",
    arguments: 1...4 as ClosedRange<UInt64>)
  func matchesFilter(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let model = try ScopeModel(filling: test, count: 100, types: Self.types, folders: Self.folders, random: &random)
    for _ in 0..<25 {
      let scope = Self.scope(&random)
      let rows = model.rows.filter { $0.fits(scope) }
      let limit = 2 + random.below(9)
      let note = Comment(rawValue: "seed \(seed), \(limit) a page of \(scope)")
      func paths(_ page: (CatalogueFile.Cursor?) throws -> CatalogueFile.Page) throws -> [String] {
        try TestLibrary.all(page).map(\.path)
      }
      let done = rows.filter { $0.state == .done }
      #expect(
        try paths { try catalogue.newest(scope, after: $0, limit: limit) } == ScopeModel.newest(done).map(\.path), note)
      let word = ["lake", "la", "img", "none"][random.below(4)]
      #expect(
        try paths { try catalogue.search(word, in: scope, after: $0, limit: limit) }
          == ScopeModel.found(word, in: done).map(\.path), note)
      for state in CatalogueFile.State.allCases where state != .done {
        #expect(
          try paths { try catalogue.files(of: state, in: scope, after: $0, limit: limit) }
            == rows.filter { $0.state == state }.map(\.path), note)
      }
      let failed = rows.filter { $0.state == .failed }
      #expect(
        try paths { try catalogue.failures(code: nil, in: scope, after: $0, limit: limit) }
          == failed.filter { $0.code == .corrupt }.map(\.path) + failed.filter { $0.code == .truncated }.map(\.path),
        note)
      #expect(
        try paths { try catalogue.failures(code: .corrupt, in: scope, after: $0, limit: limit) }
          == failed.filter { $0.code == .corrupt }.map(\.path), note)
      #expect(
        try paths { try catalogue.files(under: PathBytes("/r"), in: scope, after: $0, limit: limit) }
          == ScopeModel.byPath(rows.filter { $0.state != .quarantined && $0.folder.hasPrefix("/r") }).map(\.path), note)
      let one = model.rows[random.below(model.rows.count)]
      #expect(
        try paths { try catalogue.files(sharingContentWith: test.id(one.path), in: scope, after: $0, limit: limit) }
          == rows.filter { $0.state != .quarantined && one.digest != nil && $0.digest == one.digest }.map(\.path), note)
      #expect(
        try duplicates(in: scope, limit: limit) == ScopeModel.duplicates(rows.filter { $0.state != .quarantined }), note
      )
      #expect(try Set(catalogue.counts(in: scope)) == ScopeModel.counts(rows), note)
      try checkMap(of: scope, Set(done.filter(\.isPlaced).map(\.path)), limit: limit, note)
    }
    #expect(try test.library.verify().isIntact)
  }

  private func duplicates(in scope: CatalogueScope, limit: Int) throws -> [ScopeModel.Copies] {
    var found: [ScopeModel.Copies] = []
    var cursor: CatalogueFile.Cursor?
    repeat {
      let page = try catalogue.duplicates(in: scope, after: cursor, limit: limit)
      found += page.groups.map { ScopeModel.Copies(bytes: $0.bytes, files: $0.files) }
      cursor = page.next
    } while cursor != nil
    return found
  }

  /// By both ways of drawing it: from the files of the scope, and from those in the bounds.
  private func checkMap(of scope: CatalogueScope, _ expected: Set<String>, limit: Int, _ note: Comment) throws {
    let map = try catalogue.locations(in: .world, zoom: 3, of: scope)
    let byPlace = try test.library.database.locations(in: .world, zoom: 3, of: scope, sorting: 0)
    #expect(map.clusters == byPlace.clusters, note)
    var members: [String] = []
    for cluster in map.clusters {
      let found = try TestLibrary.all { try catalogue.members(of: cluster.id, in: scope, after: $0, limit: limit) }
      #expect(found.count == cluster.count, note)
      members += found.map(\.path)
    }
    #expect(Set(members) == expected, note)
    #expect(members.count == expected.count, note)
  }

  private static func scope(_ random: inout SeededGenerator) -> CatalogueScope {
    var scope = CatalogueScope()
    scope.owner = [nil, nil, "ann", "ann", "bob", "eve"][random.below(6)]
    if random.below(4) == 0 { scope.collection = ["rome", "oslo", "none"][random.below(3)] }
    switch random.below(5) {
    case 0: scope.kinds = [.image, .video]
    case 1: scope.kinds = [MediaKind.allCases[random.below(MediaKind.allCases.count)]]
    case 2: scope.kinds = Set(MediaKind.allCases.filter { _ in random.below(3) == 0 })
    default: break
    }
    if random.below(3) == 0 { scope.folder = PathBytes((folders + ["/none"])[random.below(5)]) }
    if random.below(3) == 0 {
      let start = 990 + random.below(30)
      scope.times = start..<start + random.below(25)
    }
    return scope
  }

  @Test("An unknown owner, folder or collection is a scope without files") func unknownNames()
    throws
  {
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1)])
    let id = try test.id("/r/a.jpg")
    try catalogue.assign([id], owner: "ann", collection: .named("rome"))
    let scopes = [
      CatalogueScope.owner("eve"), .collection("oslo", owner: "ann"), .folder(PathBytes("/none")),
      CatalogueScope(collection: "rome"), CatalogueScope(kinds: []), .all.during(5..<5),
    ]
    for scope in scopes {
      #expect(try catalogue.newest(scope, after: nil, limit: 9).files.isEmpty, "\(scope)")
      #expect(try catalogue.counts(in: scope).isEmpty, "\(scope)")
      #expect(try catalogue.duplicates(in: scope, after: nil, limit: 9).groups.isEmpty, "\(scope)")
      #expect(try catalogue.search("a", in: scope, after: nil, limit: 9).files.isEmpty, "\(scope)")
      #expect(try catalogue.locations(in: .world, zoom: 3, of: scope).clusters.isEmpty, "\(scope)")
    }
    #expect(try catalogue.newest(.collection("rome", owner: "ann"), after: nil, limit: 9).files.map(\.id) == [id])
  }

  @Test("A search does not find the row number of an owner") func ownersAreNoWords() throws {
    try catalogue.apply([TestLibrary.done("/r/a.jpg", inode: 1)])
    try catalogue.assign([test.id("/r/a.jpg")], owner: "ann", collection: .none)
    for number in 0..<10 {
      #expect(try catalogue.search("\(number)", in: .all, after: nil, limit: 9).files.isEmpty)
    }
    #expect(try catalogue.search("owner", in: .owner("ann"), after: nil, limit: 9).files.isEmpty)
    #expect(try catalogue.search("a", in: .owner("ann"), after: nil, limit: 9).files.count == 1)
  }

  @Test("A file that an app adds is listed as its owner's, without a scan") func added() throws {
    let info = TestLibrary.photo(taken: 77)
    func file(_ name: String, owner: String?, _ info: MediaInfo) -> AddedFile {
      AddedFile(
        path: PathBytes("/store/\(name)"), modified: 500, received: 600, result: FileResult(info: info, engine: "e"),
        owner: owner)
    }
    try catalogue.openCollection("rome", owner: "ann", title: nil, at: 1)
    let ids = try catalogue.add([
      file("a", owner: "ann", info), file("b", owner: nil, TestLibrary.photo()), file("c", owner: "bob", info),
    ])
    #expect(try catalogue.newest(.owner("ann"), after: nil, limit: 9).files.map(\.id) == [ids[0]])
    #expect(try catalogue.newest(.collection("rome", owner: "ann"), after: nil, limit: 9).files.map(\.id) == [ids[0]])
    #expect(try catalogue.file(ids[0])?.time == 77)
    #expect(try catalogue.file(ids[1])?.time == 500, "what does not say when it was taken is ordered by its last write")
    #expect(try catalogue.add([file("a", owner: "bob", info)]) == [ids[0]], "in place of what is known there")
    #expect(try catalogue.file(ids[0])?.owner == "bob")
    #expect(try catalogue.add([]).isEmpty)
    #expect(try test.library.verify().isIntact)
  }
}
