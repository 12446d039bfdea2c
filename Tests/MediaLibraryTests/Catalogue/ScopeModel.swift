internal import FileSupport
internal import MediaModel
internal import TestSupport

@testable internal import MediaLibrary

/// The rows of a catalogue of random files, as plain values to filter.
struct ScopeModel {
  struct Row {
    var path: String
    var folder: String
    var owner: String?
    var collection: String?
    var kind: MediaKind?
    var time: Int
    var state = CatalogueFile.State.done
    var code: MediaFailure.Code?
    var digest: Int?
    var title: String?
    var isPlaced = false

    func fits(_ scope: CatalogueScope) -> Bool {
      if let name = scope.owner, owner != name { return false }
      if let name = scope.collection, scope.owner == nil || collection != name { return false }
      if let kinds = scope.kinds, !(kind.map(kinds.contains) ?? false) { return false }
      if let path = scope.folder, folder != path.description { return false }
      return scope.times.map { $0.contains(time) } ?? true
    }
  }

  struct Copies: Equatable {
    var bytes: Int
    var files: Int
  }

  /// In the order in which they came into the catalogue.
  private(set) var rows: [Row] = []

  /// Fills a library with files of all states, of two owners and of nobody.
  init(
    filling test: TestLibrary, count: Int, types: [MediaType], folders: [String], random: inout SeededGenerator
  ) throws {
    var changes: [CatalogueChange] = []
    for index in 0..<count {
      let (row, change) = Self.file(index, types: types, folders: folders, random: &random)
      rows.append(row)
      changes.append(change)
    }
    try test.catalogue.apply(changes)
    changes = []
    for index in rows.indices { changes += try describe(index, in: test, random: &random) }
    try test.catalogue.apply(changes)
    for (belonging, rows) in Dictionary(grouping: rows, by: { [$0.owner, $0.collection] }) {
      let files = try rows.map { try test.id($0.path) }
      try test.catalogue.assign(files, owner: belonging[0], collection: belonging[1].map { .named($0) } ?? .none)
    }
  }

  private static func file(
    _ index: Int, types: [MediaType], folders: [String], random: inout SeededGenerator
  ) -> (Row, CatalogueChange) {
    let folder = folders[random.below(folders.count)]
    var row = Row(path: "\(folder)/IMG_\(index).x", folder: folder, time: 1_000 + random.below(20))
    let stamp = TestLibrary.stamp(row.path, inode: UInt64(index + 1), second: Int64(row.time))
    switch random.below(12) {
    case 0:
      row.state = .new
      return (row, .discovered(stamp))
    case 1:
      let code = [MediaFailure.Code.corrupt, .truncated][random.below(2)]
      (row.state, row.code) = (.failed, code)
      return (row, .failed(stamp, MediaFailure(code, "."), info: nil, engine: "e", recipe: ""))
    default:
      let digest = random.below(40)
      let type = types[random.below(types.count)]
      (row.kind, row.digest, row.isPlaced) = (type.kind, digest, random.below(3) == 0)
      var info = TestLibrary.photo(
        at: row.isPlaced ? (Double(random.below(60)), Double(random.below(120))) : nil, type: type)
      // The size follows from the digest, so that the order of duplicates is known.
      info.bytes = 100 + digest
      return (row, .done(stamp, FileResult(info: info, digest: TestLibrary.digest(digest), engine: "e")))
    }
  }

  /// What people say of a file.
  /// - Returns: What happens to it then.
  private mutating func describe(
    _ index: Int, in test: TestLibrary, random: inout SeededGenerator
  ) throws -> [CatalogueChange] {
    let id = try test.id(rows[index].path)
    if random.below(4) > 0 {
      (rows[index].owner, rows[index].collection) = (
        ["ann", "bob"][random.below(2)], [nil, "rome", "oslo"][random.below(3)]
      )
    }
    if random.below(4) == 0 {
      rows[index].title = ["Lake", "Last lake", "Sea"][random.below(3)]
      try test.catalogue.setText(of: id, title: rows[index].title, caption: nil)
    }
    guard rows[index].state == .done else { return [] }
    switch random.below(10) {
    case 0:
      rows[index].state = .vanished
      return [.vanished(id)]
    case 1:
      rows[index].state = .quarantined
      return [.quarantined(id, reason: "reported")]
    default: return []
    }
  }

  // MARK: Listings

  static func newest(_ rows: [Row]) -> [Row] {
    rows.enumerated().sorted { one, other in
      let (a, b) = (PathBytes(one.element.path).name, PathBytes(other.element.path).name)
      return one.element.time != other.element.time
        ? one.element.time > other.element.time : b.lexicographicallyPrecedes(a)
    }.map(\.element)
  }

  /// The newest first, of the same second the one that came last.
  static func found(_ word: String, in rows: [Row]) -> [Row] {
    rows.enumerated().filter { _, row in
      "img \(row.title ?? "")".lowercased().split(separator: " ").contains { $0.hasPrefix(word) }
    }.sorted { ($0.element.time, $0.offset) > ($1.element.time, $1.offset) }.map(\.element)
  }

  static func byPath(_ rows: [Row]) -> [Row] {
    rows.sorted { (PathBytes($0.folder), PathBytes($0.path)) < (PathBytes($1.folder), PathBytes($1.path)) }
  }

  static func duplicates(_ rows: [Row]) -> [Copies] {
    Dictionary(grouping: rows.filter { $0.digest != nil }) { $0.digest ?? 0 }.filter { $0.value.count > 1 }
      .map { Copies(bytes: 100 + $0.key, files: $0.value.count) }.sorted { $0.bytes > $1.bytes }
  }

  static func counts(_ rows: [Row]) -> Set<CatalogueFile.Count> {
    struct Key: Hashable {
      let state: CatalogueFile.State
      let kind: MediaKind?
      let code: MediaFailure.Code?
    }
    return Set(
      Dictionary(grouping: rows) { Key(state: $0.state, kind: $0.kind, code: $0.code) }.map {
        CatalogueFile.Count(
          state: $0.key.state, kind: $0.key.kind, failure: $0.key.code, files: $0.value.count,
          bytes: 5 * $0.value.count)
      })
  }
}
