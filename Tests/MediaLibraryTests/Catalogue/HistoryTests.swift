internal import Foundation
internal import MediaLibrary
internal import MediaModel
internal import TestSupport
internal import Testing

/// Random histories of a library beside a model of it: a dictionary of what is known of each row.
@Suite("Random histories") struct HistoryTests {
  private struct Row {
    var path: String
    var inode: UInt64
    var second: Int64
    var state: CatalogueFile.State
    var before: CatalogueFile.State
    var digest: Int?
    var owner: String?
    var title: String?
    /// Whether another file has taken its path.
    var isDisplaced = false
  }

  private struct Model {
    var rows: [FileID: Row] = [:]

    func at(_ path: String) -> FileID? { rows.first { $0.value.path == path && !$0.value.isDisplaced }?.key }

    var listed: Set<String> { Set(rows.values.filter { $0.state == .done }.map(\.path)) }
  }

  @Test(
    "A catalogue agrees with a simple model over renames, changes, failures and erasures",
    arguments: 0..<25 as Range<UInt64>)
  func history(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let test = try TestLibrary()
    var model = Model()
    var nextInode: UInt64 = 1
    for step in 0..<140 {
      let path = "/r/\(random.below(3))/\(random.below(6)).jpg"
      let here = model.at(path)
      let some = model.rows.keys.sorted().dropFirst(random.below(max(1, model.rows.count))).first
      switch random.below(12) {
      case 0, 1, 2:
        // Made, or written again.
        let digest = random.below(3) == 0 ? nil : random.below(8)
        let inode = here.flatMap { model.rows[$0]?.inode } ?? nextInode
        nextInode += 1
        try test.catalogue.apply([
          TestLibrary.done(
            path, inode: inode, second: Int64(step), at: random.below(2) == 0 ? (1, Double(step)) : nil, digest: digest)
        ])
        let id = try test.id(path)
        #expect(here == nil || here == id)
        let old = model.rows[id]
        model.rows[id] = Row(
          path: path, inode: inode, second: Int64(step), state: .done, before: .done, digest: digest, owner: old?.owner,
          title: old?.title)
      case 3:
        try test.catalogue.apply([
          .failed(
            TestLibrary.stamp(path, inode: nextInode, second: Int64(step)), MediaFailure(.corrupt, "."), info: nil,
            engine: "e",
            recipe: "")
        ])
        let id = try test.id(path)
        let old = model.rows[id]
        model.rows[id] = Row(
          path: path, inode: nextInode, second: Int64(step), state: .failed, before: .failed, digest: nil,
          owner: old?.owner,
          title: old?.title)
        nextInode += 1
      case 4, 5:
        // Renamed, over another perhaps.
        guard let some, var row = model.rows[some], row.state != .quarantined else { continue }
        try test.catalogue.apply([.moved(some, to: TestLibrary.stamp(path, inode: row.inode, second: row.second))])
        if let here, here != some, var other = model.rows[here] {
          if other.state != .vanished { other.before = other.state }
          (other.state, other.isDisplaced) = (.vanished, true)
          model.rows[here] = other
        }
        (row.path, row.state, row.isDisplaced) = (path, row.before, false)
        model.rows[some] = row
      case 6:
        guard let some, let row = model.rows[some], here == nil else { continue }
        try test.catalogue.apply([.linked(some, to: TestLibrary.stamp(path, inode: row.inode, second: row.second))])
        var new = row
        (new.path, new.state, new.owner, new.title, new.isDisplaced) = (path, row.before, nil, nil, false)
        model.rows[try test.id(path)] = new
      case 7:
        guard let some else { continue }
        try test.catalogue.apply([.vanished(some)])
        model.rows[some]?.state = .vanished
      case 8:
        guard let some, model.rows[some]?.isDisplaced == false else { continue }
        try test.catalogue.apply([.returned(some)])
        model.rows[some].map { model.rows[some]?.state = $0.before }
      case 9:
        guard let some else { continue }
        let owner = ["ann", "bob", nil][random.below(3)]
        try test.catalogue.assign([some], owner: owner, collection: .none)
        model.rows[some]?.owner = owner
      case 10:
        guard let some else { continue }
        try test.catalogue.setText(of: some, title: "title\(step)", caption: nil)
        model.rows[some]?.title = "title\(step)"
      default:
        guard let some else { continue }
        if random.below(3) == 0 {
          let owner = ["ann", "bob"][random.below(2)]
          let report = try test.library.erase(.owner(owner))
          #expect(report.files == model.rows.values.count { $0.owner == owner }, "seed \(seed), step \(step)")
          model.rows = model.rows.filter { $0.value.owner != owner }
        } else {
          try test.library.erase(.file(some))
          model.rows[some] = nil
        }
      }
      guard step % 10 == 9 else { continue }
      let files = try TestLibrary.all { try test.catalogue.newest(.all, after: $0, limit: 5) }
      #expect(Set(files.map(\.path)) == model.listed, "seed \(seed), step \(step)")
      #expect(files.count == model.listed.count, "seed \(seed), step \(step)")
      for (id, row) in model.rows {
        let file = try #require(try test.catalogue.file(id), "seed \(seed), step \(step)")
        #expect(file.path == row.path, "seed \(seed), step \(step): \(row) \(file)")
        #expect(file.state == row.state, "seed \(seed), step \(step): \(row) \(file)")
        #expect(file.digest == row.digest.flatMap(TestLibrary.digest), "seed \(seed), step \(step): \(row) \(file)")
        #expect(file.owner == row.owner, "seed \(seed), step \(step): \(row) \(file)")
        #expect(file.title == row.title, "seed \(seed), step \(step): \(row) \(file)")
        if let title = row.title, row.state == .done {
          #expect(try test.catalogue.search(title, in: .all, after: nil, limit: 9).files.map(\.id) == [id])
        }
      }
      let shared = Dictionary(grouping: model.rows.values.compactMap(\.digest), by: { $0 }).filter {
        $0.value.count > 1
      }
      let groups = try test.catalogue.duplicates(in: .all, after: nil, limit: 99).groups.filter { $0.digest != nil }
      #expect(Set(groups.map(\.files)) == Set(shared.values.map(\.count)), "seed \(seed), step \(step)")
      let report = try test.library.verify()
      #expect(report.isIntact, "seed \(seed), step \(step): \(report.problems)")
    }
  }
}
