internal import FileSupport
internal import GRDB
internal import MediaModel
internal import TestSupport
internal import Testing

@testable internal import MediaLibrary

/// The map of moments for readers who see only what a scanner found clean, and the map of what changed recently.
@Suite("Maps of clean and of recent moments (R-MYM-14, R-MYM-16)") struct MomentMapTests {
  private static let owners = ["ada", "bob"]

  /// A library that shows others only what is clean, whose owners share locations with friends.
  private func makeWorld() throws -> (library: Library, world: MomentWorld) {
    let world = try MomentWorld()
    var options = world.library.options
    options.showsOnlyClean = true
    try world.library.close()
    let library = try Library.open(at: world.library.location, for: .writing, options: options)
    for owner in Self.owners { try library.moments.setLocationSharing(.friends, of: owner) }
    return (library, world)
  }

  /// Notes in one place that friends see, changed at the times 1, 2, 3 ….
  private func addNotes(_ count: Int, to library: Library) throws -> [Moment.ID] {
    try library.moments.add(
      (1...count).map { number in
        var new = Moment.New(owner: "ada", note: "n\(number)", posted: number)
        (new.location, new.visibility, new.trips) = (.given(MomentWorld.place(1, 2)), .friends, [])
        return new
      })
  }

  @Test("What friends see of clean moments is read from stored sums, which `verify` checks and a repair makes again")
  func sums() throws {
    let (library, world) = try makeWorld()
    defer { withExtendedLifetime(world) {} }
    _ = try addNotes(12, to: library)
    func counts() throws -> [Int] {
      try library.moments.locations(in: .world, zoom: 3, of: .friends(["ada"])).clusters.map(\.count)
    }
    #expect(try counts() == [12])
    try library.database.pool.write { db in try db.execute(sql: "UPDATE moment_cell SET files = 99 WHERE scope < 0") }
    #expect(try counts() == [99])
    for sql in [
      "UPDATE moment_cell SET files = 99 WHERE scope < 0", "DELETE FROM moment_cell WHERE scope < 0",
      "UPDATE moment SET clean = 0", "DROP TRIGGER clean_moment_moved",
    ] {
      try library.database.pool.write { db in try db.execute(sql: sql) }
      #expect(try !library.verify().isIntact, "\(sql)")
      _ = try library.repair()
      #expect(try library.verify().isIntact, "\(sql)")
      #expect(try counts() == [12], "\(sql)")
    }
  }

  @Test("A map of recent activity reads what changed, and not all that is on the map") func recent() throws {
    let (library, world) = try makeWorld()
    defer { withExtendedLifetime(world) {} }
    _ = try addNotes(40, to: library)
    for scope in [
      Moment.Scope(owners: ["ada"], audience: .owner, changedSince: 38),
      Moment.Scope(owners: ["ada"], audience: .friends, times: 0..<100, changedSince: 38),
    ] {
      #expect(try library.moments.locations(in: .world, zoom: 3, of: scope).clusters.map(\.count) == [3])
    }
    let sql = "EXPLAIN QUERY PLAN \(MomentQueries.recent(MomentScope.Filter()))"
    let plan = try library.database.read { db in
      try Row.fetchAll(db, sql: sql, arguments: [1, 38, 1, 9]).map { $0["detail"] as String }
    }
    #expect(plan == ["SEARCH moment USING INDEX moment_activity (owner=? AND changed>?)"])
  }

  @Test(
    "A map has what a count of the rows has, over verdicts, blocks, quarantines, reports, edits, switches and erasures",
    arguments: 0..<8 as Range<UInt64>)
  func history(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (library, world) = try makeWorld()
    defer { withExtendedLifetime(world) {} }
    let (moments, moderation) = (library.moments, library.moderation)
    var ids: [Moment.ID] = []
    var files: [FileID] = []
    var paths = 0
    func place() -> (Double, Double) { (Double(random.below(2)) * 0.001, Double(random.below(3)) * 20) }
    for step in 0..<160 {
      let owner = Self.owners[random.below(2)]
      let moment = ids.isEmpty ? nil : ids[random.below(ids.count)]
      let file = files.isEmpty ? nil : files[random.below(files.count)]
      let content = try #require(TestLibrary.digest(random.below(5)))
      let visibility = Moment.Visibility.allCases[random.below(3)]
      switch random.below(14) {
      case 0...2:
        let (latitude, longitude) = place()
        var new = Moment.New(owner: owner, note: "note", posted: step)
        (new.location, new.visibility) = (.given(MomentWorld.place(latitude, longitude)), visibility)
        ids += try moments.add([new])
      case 3...6:
        paths += 1
        let path = "/r/\(paths).jpg"
        try library.scanIndex.apply([
          TestLibrary.done(path, inode: UInt64(paths), taken: step, at: place(), digest: random.below(5))
        ])
        let added = try #require(try library.catalogue.file(at: PathBytes(path))?.id)
        // Quarantined files can be posted, too.
        var new = Moment.New(owner: owner, file: added, posted: step)
        new.visibility = visibility
        ids += try moments.add([new])
        files.append(added)
      case 7, 8:
        let state = Moderation.Verdict.State.allCases[random.below(4)]
        _ = try moderation.record(Moderation.Verdict(content, state, detail: "d", at: step))
      case 9:
        if random.below(2) == 0 {
          try moderation.block(content, reason: "r", by: "mod", at: step)
        } else {
          try moderation.unblock(content, by: "mod", at: step)
        }
      case 10:
        guard let file, let moment else { continue }
        if random.below(2) == 0 {
          // Blocked and infected files are not released.
          _ = try? moderation.release([file], by: "mod", at: step)
          try moderation.release(moments: [moment], by: "mod", at: step)
        } else {
          try moderation.quarantine([file], reason: "r", by: "mod", at: step)
          _ = try moderation.report(moment: moment, by: "eve", reason: "r", at: step, threshold: 1)
        }
      case 11:
        guard let moment, let known = try moderation.moment(moment) else { continue }
        let (latitude, longitude) = place()
        try moments.change(
          moment, of: known.owner, version: nil, at: step,
          [.visibility(visibility), .location(random.below(4) == 0 ? nil : MomentWorld.place(latitude, longitude))])
      case 12:
        guard let file else { continue }
        // The file was replaced, and has another content now.
        let path = try #require(try library.catalogue.file(file)).path
        let number = try #require(UInt64(path.filter(\.isNumber)))
        try library.scanIndex.apply([
          TestLibrary.done(
            path, inode: number, second: 2_000 + Int64(step), taken: step, at: (0, 0), digest: random.below(5))
        ])
      default:
        if random.below(3) == 0 {
          try moments.setLocationSharing(
            Moment.LocationSharing.allCases[random.below(3)], of: owner, applyingToExisting: true, wiping: false)
        } else if let file {
          try library.erase(.file(file), wiping: false)
          files.removeAll { $0 == file }
          ids = try ids.filter { try moderation.moment($0) != nil }
        }
      }
      guard step % 16 == 15 else { continue }
      try check(library, &random, step, "seed \(seed), step \(step)")
    }
  }

  /// Compares maps with counts of the rows that have nothing from derived columns.
  private func check(_ library: Library, _ random: inout SeededGenerator, _ step: Int, _ at: Comment) throws {
    for audience in [Moment.Scope.Audience.owner, .friends] {
      let some = Moment.Scope(owners: Self.owners, audience: audience)
      var (recent, timed, ofKinds) = (some, some, some)
      recent.changedSince = step - 20
      (timed.times, timed.changedSince) = (step - 60..<step, random.below(2) == 0 ? nil : step - 30)
      ofKinds.kinds = [.photo]
      for scope in [some, recent, timed, ofKinds, Moment.Scope(owners: ["bob"], audience: audience)] {
        let zoom = random.below(10)
        let expected = try expected(scope, library, zoom: zoom)
        for few in [3, 10_000] {
          let map = try library.database.locations(in: .world, zoom: zoom, of: scope, sorting: few)
          let found = Dictionary(map.clusters.map { ($0.id.rawValue, $0.count) }) { first, _ in first }
          #expect(found == expected, "\(at): \(scope), zoom \(zoom), few \(few)")
        }
      }
    }
    let report = try library.verify()
    #expect(report.isIntact, "\(at): \(report.problems)")
  }

  private func expected(_ scope: Moment.Scope, _ library: Library, zoom: Int) throws -> [String: Int] {
    let (level, _) = LocationGrid.ranges(of: .world, zoom: zoom)
    let forFriends = """
       AND moment.state = 0 AND moment.visibility > 0 AND moment.location_reach = 2
        AND (moment.file IS NULL OR verdict.state = 1)
      """
    let quarantined = CatalogueFile.State.quarantined.sql
    let times = scope.times ?? Int.min..<Int.max
    let since = scope.changedSince ?? Int.min
    return try library.database.read { db in
      let locations = try Int64.fetchAll(
        db,
        sql: """
          SELECT moment.location FROM moment JOIN owner ON owner.id = moment.owner LEFT JOIN file ON file.id = moment.file
          LEFT JOIN content ON content.id = file.content LEFT JOIN verdict ON verdict.digest = content.digest
          WHERE moment.location IS NOT NULL AND owner.name IN (?, ?) AND moment.changed >= ?
            AND moment.time >= ? AND moment.time < ? AND (? OR moment.kind = 0)
            AND (file.id IS NULL OR (file.state <> \(quarantined) AND file.before <> \(quarantined)))
            AND moment.location_reach > 0\(scope.audience == .owner ? "" : forFriends)
          """,
        arguments: [
          scope.owners.first, scope.owners.last, since, times.lowerBound, times.upperBound, scope.kinds == nil,
        ])
      var counts: [String: Int] = [:]
      for location in locations {
        let cell = LocationCell(level: level, holding: location)
        counts[LocationMap.Cluster.ID(cell).rawValue, default: 0] += 1
      }
      return counts
    }
  }
}
